/** Decides whether a service is a masked copy that this repository may delete. */
import type { Service } from '#api/records'
import { protectingTag } from '#api/service-states'
import { parseMaskedName, type Stage } from './name.ts'

/** Whose masked copies, and of which service. */
export interface MaskedOwner {
  projectId: string
  repositoryHash: string
  /** The service that they are forks of: production. */
  sourceId: string
}

/**
 * Why a service is not ours to delete as a masked copy at this stage; undefined when it certainly is ours. Every delete of
 * a masked copy asks here first, on a record just read.
 *
 * @param isMine its random name was made up by this run, so it is ours even while the record does not name its parent yet
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
