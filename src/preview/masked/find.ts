/** Finds the masked copies of a service. */
import type { Service } from '#api/records'
import { isEnding } from '#api/service-states'
import { ActionError } from '#base/errors'
import type { Calls } from '#operations/base/context'
import { byAge } from '#operations/create/intent'
import { listNamed } from '../base/list-services.ts'
import { type MaskedOwner, reasonToKeepMasked } from './guard.ts'
import { parseMaskedName, type Stage } from './name.ts'

/** No masked copy exists, or none can be created. */
export class MaskedParentError extends ActionError {}

/** The masked copies of a service at this stage, newest first, without those being deleted. */
export async function findMasked(context: Calls, owner: MaskedOwner, stage: Stage): Promise<Service[]> {
  const services = await listNamed(context, owner.projectId, name => parseMaskedName(name)?.stage === stage)
  return services
    .filter(service => !isEnding(service) && reasonToKeepMasked(service, owner, { stage }) === undefined)
    .sort(byAge('service'))
    .reverse()
}

/**
 * The newest masked copy of a service.
 *
 * @throws MaskedParentError if there is none: the service itself is no substitute
 */
export async function findMaskedParent(context: Calls, owner: MaskedOwner): Promise<Service> {
  const [newest] = await findMasked(context, owner, 'masked')
  if (newest !== undefined) return newest
  throw new MaskedParentError(
    `there is no masked copy of service ${owner.sourceId} that this repository made, and with masked: true nothing else is forked`,
    'run `operation: create-masked-parent` first, and look whether its last run failed (docs/masking.md)',
  )
}
