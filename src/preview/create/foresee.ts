import type { Service } from '../../api/records.ts'
import { isEnding } from '../../api/service-states.ts'
import type { Outcome } from '../../operations/base/outcome.ts'
import { isYoung } from '../base/age.ts'
import type { PreviewContext } from '../base/context.ts'
import { isOriginUnknown } from '../base/guard.ts'
import { findPreviews, type Preview } from '../base/identity.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { report } from '../on-github/report.ts'
import { withParent } from './masked-parent.ts'
import { assertOurs } from './ours.ts'

type Foreseen = Pick<Outcome, 'ids' | 'result' | 'skipped'> & { record: Service | undefined }

const nameOf = ({ service_id, name = '', status }: Service) => `service ${service_id} (${name}, ${status})`

/** What would be made when there is no preview. Reads the parent, since a fork needs it. */
async function describeMaking(
  context: PreviewContext,
  preview: Preview,
  { fork_strategy }: PreviewParameters,
): Promise<string> {
  const { projectId, base, maskedFrom } = preview
  const name = `${base}-*, where * becomes 6 random characters`
  const { parentId } = await withParent(context, preview)
  if (parentId === undefined) return `would create an empty service ${name}`
  const parent = await context.client.call('get-service', { project_id: projectId, service_id: parentId })
  const data =
    fork_strategy === 'NOW' || maskedFrom !== undefined
      ? 'with its data of this moment'
      : 'as of its last snapshot'
  return `would fork ${nameOf(parent)} ${data}, as ${name}`
}

/** What would be done with the database that is kept. */
function describeUse(service: Service): string {
  const isPaused = service.status === 'PAUSED' || service.status === 'PAUSING'
  const first = isPaused ? 'start' : service.status === 'READY' ? 'use' : 'wait for'
  return `would ${first} ${nameOf(service)} and, unless it has it already, set its derived password`
}

/**
 * What create-preview would do, by the same checks. Nothing is made, started, deleted or given a password.
 *
 * @throws PreviewError when somebody else's service has the name; ApiError when the parent cannot be read
 */
export async function foresee(
  context: PreviewContext,
  preview: Preview,
  given: PreviewParameters,
): Promise<Foreseen> {
  const found = await findPreviews(context, preview)
  const [kept, ...twins] = found.filter(service => !isEnding(service))
  for (const service of kept ? [kept, ...twins] : [])
    assertOurs(service, preview, isOriginUnknown(service, preview) && isYoung(context, service))
  const parts = [
    kept ? describeUse(kept) : await describeMaking(context, preview, given),
    ...twins.map(twin => `would delete ${nameOf(twin)}, a twin`),
  ]
  await report(context, preview, { state: 'ready' })
  return {
    ids: { project_id: preview.projectId, ...(kept && { service_id: kept.service_id }) },
    record: kept,
    result: kept,
    skipped: `dry run: ${parts.join('; ')}`,
  }
}
