/** Decides whether a service is a masked copy that this repository may delete. */
import type { Service } from '#api/records'
import { protectingTag } from '#api/service-states'
import { parseMaskedName, type Stage } from './name.ts'

export interface MaskedOwner {
  projectId: string
  repositoryHash: string
  /** The service from which they are forked: production. */
  sourceId: string
}

/**
 * Why a service must not be deleted as a masked copy at this stage; undefined if it is certainly owned by this
 * repository. Every delete of a masked copy calls this first, on a record just read.
 *
 * @param isMine this run generated its random name, so it owns the service even while the record names no parent
 */
export function reasonToKeepMasked(
  service: Service,
  { repositoryHash, sourceId }: MaskedOwner,
  { stage, isMine = false }: { stage: Stage; isMine?: boolean },
): string | undefined {
  if (service.service_id === sourceId) return 'it is the service that is copied'
  const name = parseMaskedName(service.name ?? '')
  if (name?.stage !== stage) return `its name is not one of those that begin with ${stage}-`
  if (name.repositoryHash !== repositoryHash) return 'it belongs to another repository'
  const tag = protectingTag(service)
  if (tag !== undefined) return `it is tagged ${tag}`
  const origin = service.forked_from?.service_id
  if (origin !== sourceId && !(isMine && origin === undefined)) return `it is no fork of ${sourceId}`
  return undefined
}
