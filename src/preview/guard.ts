import type { Service } from '../api/records.ts'
import { parsePreviewName } from './name.ts'

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
 * Whether nothing but another `service_id` in the workflow than when it was made speaks against a preview. Whether it goes
 * is for people to say: it is not deleted for that.
 */
export function isOfOtherOrigin(service: Service, { repositoryHash, parentId }: Ownership): boolean {
  const isOurs = reasonToKeep(service, { repositoryHash, parentId: undefined }) === undefined
  const isOther = parentId !== undefined && service.forked_from?.service_id !== parentId
  return isOurs && isOther && service.service_id !== parentId
}
