/** Broken variants of replacing a preview. */
import { type Break, broken, change, changeIn } from './breaking.ts'

const replacement = changeIn('preview/reconcile/replacement.ts')

/** Breaks the replacement of a preview. */
export const resetBreaks: Record<string, Break> = {
  'a reset does not wait until the old one is gone': broken(
    ['newAfterReset'],
    replacement(
      'await withHalfwayError(run, () => waitUntilGone(context, run.idsOf(id), isNew))',
      'await Promise.resolve()',
    ),
  ),
  'a reset replaces nothing': broken(
    ['newAfterReset'],
    change(
      'preview/operations/create-preview.ts',
      'await ensureDesired(given, context, true)',
      'await ensureDesired(given, context, false)',
    ),
  ),
  'a reset checks only forks with its own name': broken(
    ['originsStay'],
    replacement(
      '({ context, preview }: Run) => listForks(context, preview.projectId)',
      'async ({ observer }: Run) => observer.services.map(({ id }) => observer.record(id))',
    ),
  ),
  'a failed reset does not name what it deleted': broken(
    ['namesLostData'],
    replacement('if (replaced.length === 0 &&', 'if (replaced.length < 9 &&'),
    replacement('if (loss !== undefined && failure', 'if (loss === undefined && failure'),
  ),
  'a reset whose database another reset deleted gives up': broken(
    ['takesOver'],
    change('preview/reconcile/waits.ts', 'if (isFollowed) return', 'if (false) return'),
  ),
  'a reset deletes all previews of the repository': broken(
    ['onlyOwn'],
    change(
      'preview/reconcile/observer.ts',
      'const found = await findPreviews(this.#context, this.#preview, this.otherPrefixes)',
      "const found = (await this.#context.client.call('list-services', { project_id: this.#preview.projectId })).filter(({ name = '' }) => name.includes(this.#preview.repositoryHash))",
    ),
    change('preview/base/guard.ts', "return previewBaseOf(service.name ?? '') === base ?", 'return base ?'),
  ),
}
