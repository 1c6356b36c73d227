import type { Service } from '../api/records.ts'
import { parsePreviewName, previewBaseOf } from './name.ts'

/** What a preview must be, to be deleted by us. */
export interface Ownership {
  repositoryHash: string
  /** The parent, where one is given. */
  parentId: string | undefined
}

/** A record that does not say, or not yet, what it was forked from, where that decides whose it is. */
export const isOriginUnknown = (service: Service, { parentId }: Ownership) =>
  parentId !== undefined && service.forked_from?.service_id === undefined

/**
 * Why a service is not ours to delete, or undefined where it surely is. Every delete of the preview operations asks
 * here; what it refuses is left alone.
 */
export function reasonToKeep(service: Service, { repositoryHash, parentId }: Ownership): string | undefined {
  const name = parsePreviewName(service.name ?? '')
  if (name === undefined) return 'its name is not that of a preview'
  if (name.repositoryHash !== repositoryHash) return 'it belongs to another repository'
  if (service.service_id === parentId) return 'it is the parent'
  if (service.metadata?.environment?.toUpperCase() === 'PROD') return 'it is tagged PROD'
  if (parentId !== undefined && service.forked_from?.service_id !== parentId)
    return `it is no fork of ${parentId}`
  return undefined
}

/**
 * Why a database of before is not to be reset. Its parent may be another one than today: the workflow may have changed
 * it, and a reset is how to get on then. So the name decides, and nothing that anything was forked from is touched.
 */
export function reasonNotToReset(
  service: Service,
  { repositoryHash, base }: Pick<Ownership, 'repositoryHash'> & { base: string },
  parents: ReadonlySet<string>,
): string | undefined {
  if (parents.has(service.service_id)) return 'it is the parent'
  const reason = reasonToKeep(service, { repositoryHash, parentId: undefined })
  if (reason !== undefined) return reason
  return previewBaseOf(service.name ?? '') === base ? undefined : `its name is not that of ${base}`
}

/**
 * Whether nothing but another `service_id` in the workflow than when it was made speaks against a preview. Whether it goes
 * is for people to say: it is not deleted for that.
 */
export function isOfOtherOrigin(service: Service, { repositoryHash, parentId }: Ownership): boolean {
  const isOurs = reasonToKeep(service, { repositoryHash, parentId: undefined }) === undefined
  const isOther = parentId !== undefined && service.forked_from?.service_id !== parentId
  return isOurs && isOther && service.service_id !== parentId
}
