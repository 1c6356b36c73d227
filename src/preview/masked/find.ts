/** Finds the masked copies of a service. */
import type { Service } from '#api/records'
import { isEnding } from '#api/service-states'
import { ActionError } from '#base/errors'
import type { Calls } from '#operations/base/context'
import { byAge } from '#operations/create/intent'
import { listNamed } from '../base/list-services.ts'
import { type MaskedOwner, reasonToKeepMasked } from './guard.ts'
import { parseMaskedName, type Stage } from './name.ts'

/** There is no masked copy, or it cannot be made. */
export class MaskedParentError extends ActionError {}

/** The masked copies of a service at this stage that are not being deleted, the newest first. */
export async function findMasked(context: Calls, owner: MaskedOwner, stage: Stage): Promise<Service[]> {
  const services = await listNamed(context, owner.projectId, name => parseMaskedName(name)?.stage === stage)
  return services
    .filter(service => !isEnding(service) && reasonToKeepMasked(service, owner, { stage }) === undefined)
    .sort(byAge('service'))
    .reverse()
}

/**
 * The newest masked copy of a service, to be forked in its place.
 *
 * @throws MaskedParentError where there is none: there is no fall back to the service itself
 */
export async function findMaskedParent(context: Calls, owner: MaskedOwner): Promise<Service> {
  const [newest] = await findMasked(context, owner, 'masked')
  if (newest !== undefined) return newest
  throw new MaskedParentError(
    `there is no masked copy of service ${owner.sourceId} that this repository made, and with masked: true nothing else is forked`,
    'run `operation: create-masked-parent` first, and look whether its last run failed (docs/masking.md)',
  )
}
