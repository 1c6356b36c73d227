/** Dry runs of create-preview and reset-preview: the planned change, by the same observations and checks as a real run. */
import type { Service } from '#api/records'
import { withoutConnection } from '#operations/base/outcome'
import { outcomeOf, type PreviewOutcome } from '../base/identity.ts'
import { updateComment } from '../on-github/comment.ts'
import { checkChangedFiles, refuseNotOwned } from '../reconcile/changes.ts'
import { checkReplacement } from '../reconcile/replacement.ts'
import type { Run } from '../reconcile/run.ts'
import { withParent } from '../services/create.ts'
import { needsStart } from '../services/ready.ts'

const describeWithStatus = ({ service_id, name = '', status }: Service) =>
  `service ${service_id} (${name}, ${status})`

/** The planned creation. Reads the parent, so that a missing one fails the dry run. */
async function describeCreation({ context, preview, inputs }: Run): Promise<string> {
  const { projectId, base, maskedFrom } = preview
  const name = `${base}-*, where * becomes 6 random characters`
  const { parentId } = await withParent(context, preview)
  if (parentId === undefined) return `would create an empty service ${name}`
  const parent = await context.client.call('get-service', { project_id: projectId, service_id: parentId })
  const data =
    inputs.given?.fork_strategy === 'NOW' || maskedFrom !== undefined
      ? 'with its present data'
      : 'as of its last snapshot'
  return `would fork ${describeWithStatus(parent)} ${data}, as ${name}`
}

async function describeAbsence(run: Run): Promise<string> {
  await checkChangedFiles(run)
  const { need } = run.observer
  return typeof need === 'object' ? `would create nothing, as ${need.reason}` : await describeCreation(run)
}

function describeUse(service: Service): string {
  const usual = service.status === 'READY' ? 'use' : 'wait for'
  const verb = needsStart(service) ? 'start' : usual
  return `would ${verb} ${describeWithStatus(service)} and, unless it has it already, set its derived password`
}

async function describeReplacement(run: Run): Promise<string> {
  await checkReplacement(run)
  const ids = run.replaced.map(({ service_id }) => service_id).join(', ')
  const { parentId } = await withParent(run.context, run.preview)
  const creation = parentId === undefined ? 'create an empty service' : `fork ${parentId}`
  const deletion = ids === '' ? '' : `delete ${ids}, and then `
  return `would ${deletion}${creation} for ${run.preview.base}`
}

/** The first decision of a real run, in words. @throws PreviewError for another owner; ApiError without a parent */
export async function planChange(run: Run): Promise<PreviewOutcome> {
  const { context, observer, preview } = run
  await observer.readList()
  const plan = (service: Service | undefined, change: string) =>
    withoutConnection({ ...outcomeOf(preview, service), skipped: `dry run: ${change}` })
  if (run.desired.replaces) return plan(undefined, await describeReplacement(run))
  const { alive } = observer
  for (const { id, ownership } of alive) if (ownership === 'not owned') refuseNotOwned(run, id)
  const [kept, ...duplicates] = alive.map(({ id }) => observer.record(id))
  const changes = [
    kept ? describeUse(kept) : await describeAbsence(run),
    ...duplicates.map(duplicate => `would delete ${describeWithStatus(duplicate)}, a duplicate`),
  ]
  await updateComment(context, preview, { state: 'ready' })
  return plan(kept, changes.join('; '))
}
