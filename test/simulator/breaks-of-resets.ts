import type { Break } from './breaking.ts'
import { broken, change } from './breaking.ts'

const isReplaced = 'a reset ends with one database that is newer than before'
const onlyOurs = 'nothing is deleted that is not ours'
const originsStay = 'a reset deletes nothing that another service was forked from'
const saysWhatIsGone = 'a reset that fails says whose data is gone'
const takesOver = 'a run whose database a reset deleted waits for the new one'

/** Of replacing a preview. */
export const resetBreaks: Record<string, Break> = {
  'a reset does not wait until the old one is gone': broken(
    [isReplaced],
    change(
      'preview/create/reset.ts',
      'for (const service of stale) await outlast(',
      'for (const service of [] as Service[]) await outlast(',
    ),
  ),
  'a reset replaces nothing': broken(
    [isReplaced],
    change('preview/create/create.ts', '(await renewal?.clear(preview)) ?? []', '[]'),
  ),
  'a reset deletes its parent': broken(
    [onlyOurs],
    change(
      'preview/base/guard.ts',
      "if (service.service_id === parentId) return 'it is the parent'\n  const fork",
      'const fork',
    ),
  ),
  'a reset looks only at forks of its own name': broken(
    [originsStay],
    change(
      'preview/create/reset.ts',
      'const forks = await listForks(context, projectId)',
      'const forks = (await findPreviews(context, { projectId, base } as Preview))',
    ),
    change('preview/create/reset.ts', '{ projectId }: Preview', '{ projectId, base }: Preview'),
  ),
  'a reset does not say what is going': broken(
    [saysWhatIsGone],
    change(
      'preview/create/reset.ts',
      'if (going.length === 0) throw failure',
      'if (going.length < 9) throw failure',
    ),
    change(
      'preview/create/reset.ts',
      'if (what !== undefined && failure',
      'if (what === undefined && failure',
    ),
  ),
  'a reset whose database another reset deleted gives up': broken(
    [takesOver],
    change(
      'preview/create/converge.ts',
      'return await this.#sightings.isAnyWithin(appearance)',
      'return false',
    ),
  ),
  'a reset deletes all previews of the repository': broken(
    [onlyOurs],
    change(
      'preview/create/reset.ts',
      'const found = await findPreviews(context, preview)',
      "const found = (await context.client.call('list-services', { project_id: preview.projectId })).filter(({ name = '' }) => name.includes(preview.repositoryHash))",
    ),
    change('preview/base/guard.ts', "return previewBaseOf(service.name ?? '') === base ?", 'return base ?'),
  ),
}
