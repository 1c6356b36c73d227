/** Finds the masked copies of a service, and guards their deletion. */
import type { Service } from '#api/records'
import { isEnding, protectingTag } from '#api/service-states'
import type { Calls } from '#operations/base/context'
import { byAge } from '#operations/create/intent'
import { listNamed } from '../base/list-services.ts'
import { parseMaskedName, type Stage } from './name.ts'

/** The repository that owns masked copies, and the service that they copy. */
export interface MaskedOwner {
  projectId: string
  repositoryHash: string
  /** The service from which the copies are forked: production. */
  sourceId: string
}

/**
 * Why a service must not be deleted as a masked copy at this stage. Every delete of a masked copy calls this first, on
 * a record just read.
 * @param isCreatedHere this run generated its random name, so it owns the service even while the record names no parent
 */
export function reasonToKeepMasked(
  service: Service,
  { repositoryHash, sourceId }: MaskedOwner,
  { stage, isCreatedHere = false }: { stage: Stage; isCreatedHere?: boolean },
): string | undefined {
  if (service.service_id === sourceId) return 'it is the service that is copied'
  const name = parseMaskedName(service.name ?? '')
  if (name?.stage !== stage) return `its name does not match ${stage}-…`
  if (name.repositoryHash !== repositoryHash) return 'it belongs to another repository'
  const tag = protectingTag(service)
  if (tag !== undefined) return `it is tagged ${tag}`
  const origin = service.forked_from?.service_id
  if (origin !== sourceId && !(isCreatedHere && origin === undefined)) return `it is no fork of ${sourceId}`
  return undefined
}

/** The masked copies of a service at this stage, newest first, without those being deleted. */
export async function findMasked(context: Calls, owner: MaskedOwner, stage: Stage): Promise<Service[]> {
  const services = await listNamed(context, owner.projectId, name => parseMaskedName(name)?.stage === stage)
  return services
    .filter(service => !isEnding(service) && reasonToKeepMasked(service, owner, { stage }) === undefined)
    .sort(byAge('service'))
    .reverse()
}
