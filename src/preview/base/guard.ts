import type { Service } from '#api/records'
import { protectingTag } from '#api/service-states'
import { describeNamed, parsePreviewName, previewBaseOf } from './name.ts'

/** What a service must be for the action to delete it as a preview. */
export interface Ownership {
  repositoryHash: string
  /** The parent, if one is given. */
  parentId: string | undefined
  /**
   * With `masked`: the service whose masked copies the previews are forks of. These come and go, so no parent is given: the
   * masking stamp in the database names the service.
   */
  maskedFrom?: string | undefined
}

/** Who owns the previews of a project. */
export type Owner = Ownership & { projectId: string }

/** Whether a record lacks the parent that is needed to tell whose it is. A new record may name it later. */
export const isOriginUnknown = (service: Service, { parentId }: Ownership) =>
  parentId !== undefined && service.forked_from?.service_id === undefined

/**
 * Why a service is not ours to delete; undefined when it certainly is ours. Every delete of the preview operations asks
 * here first.
 */
export function reasonToKeep(service: Service, owner: Ownership): string | undefined {
  const { repositoryHash, parentId, maskedFrom } = owner
  const name = parsePreviewName(service.name ?? '')
  if (name === undefined) return 'its name is not that of a preview'
  if (name.repositoryHash !== repositoryHash) return 'it belongs to another repository'
  if ([parentId, maskedFrom].includes(service.service_id)) return 'it is the parent'
  const tag = protectingTag(service)
  if (tag !== undefined) return `it is tagged ${tag}`
  if (parentId !== undefined && service.forked_from?.service_id !== parentId)
    return `it is no fork of ${parentId}`
  return undefined
}

/**
 * Why a record that was just read is not the preview that was chosen for deletion: it belongs to another pull request by
 * now. Undefined if only its random part differs, or nothing.
 */
export function reasonRenamed(chosen: Service, { name = '' }: Service): string | undefined {
  const isSame = name === chosen.name || previewBaseOf(name) === previewBaseOf(chosen.name ?? '')
  return isSame ? undefined : `it has been renamed${name && ` to ${name}`} meanwhile`
}

/** By the id of a service: one that was forked from it. */
export type Forks = ReadonlyMap<string, Service>

/**
 * Why an earlier database must not be replaced by a reset. Its parent may differ from today's, since a reset is how a
 * changed `service_id` takes effect. So the name decides, and a service that is itself a parent is never touched.
 */
export function reasonNotToReset(
  service: Service,
  { repositoryHash, parentId, base }: Ownership & { base: string },
  forks: Forks,
): string | undefined {
  if (service.service_id === parentId) return 'it is the parent'
  const fork = forks.get(service.service_id)
  if (fork !== undefined) return `${describeNamed(fork)} was forked from it`
  const reason = reasonToKeep(service, { repositoryHash, parentId: undefined })
  if (reason !== undefined) return reason
  return previewBaseOf(service.name ?? '') === base ? undefined : `its name is not that of ${base}`
}

/**
 * Whether the only thing against a preview is that the workflow named another `service_id` when it was made. It is not
 * deleted for that: people decide.
 */
export function isOfOtherOrigin(service: Service, { repositoryHash, parentId }: Ownership): boolean {
  const isOurs = reasonToKeep(service, { repositoryHash, parentId: undefined }) === undefined
  const isOther = parentId !== undefined && service.forked_from?.service_id !== parentId
  return isOurs && isOther && service.service_id !== parentId
}
