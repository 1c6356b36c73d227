/** Decides whether a service is a preview that this repository may delete. */
import type { Service } from '#api/records'
import { protectingTag } from '#api/service-states'
import { ActionError } from '#base/errors'
import type { Triggered } from './context.ts'
import { describeNamed, hashRepository, parsePreviewName, previewBaseOf } from './name.ts'

/** The facts by which the guard recognizes a preview that this repository owns. */
export interface Ownership {
  repositoryHash: string
  parentId: string | undefined
  /** With `masked`: the service from which the changing masked parents are forked. The masking stamp names it. */
  maskedFrom?: string | undefined
}

/** This repository's ownership of previews, of a service or of all. @throws ActionError without the repository's id */
export function ownershipOf(context: Triggered, service_id?: string): Ownership {
  const { repositoryId, server } = context.event
  if (repositoryId === '') {
    throw new ActionError(
      'the repository is unknown: GITHUB_REPOSITORY_ID is missing',
      'run the step on a GitHub Actions runner, or give act --env GITHUB_REPOSITORY_ID=1',
    )
  }
  const repositoryHash = hashRepository(repositoryId, server)
  return context.settings.preview.masked
    ? { repositoryHash, parentId: undefined, maskedFrom: service_id }
    : { repositoryHash, parentId: service_id }
}

/** Ownership, with the project of the services. */
export type Owner = Ownership & { projectId: string }

export interface ServiceIds {
  project_id: string
  service_id: string
}

export const idsOf = (
  { projectId }: Pick<Owner, 'projectId'>,
  { service_id }: Pick<Service, 'service_id'>,
): ServiceIds => ({ project_id: projectId, service_id })

/** Why a preview must not be deleted; undefined if this repository certainly owns it. Every delete calls this first. */
export function reasonToKeepPreview(service: Service, owner: Ownership): string | undefined {
  const { repositoryHash, parentId, maskedFrom } = owner
  const name = parsePreviewName(service.name)
  if (name === undefined) return 'its name is not that of a preview'
  if (name.repositoryHash !== repositoryHash) return 'it belongs to another repository'
  if ([parentId, maskedFrom].includes(service.service_id)) return 'it is the parent'
  const tag = protectingTag(service)
  if (tag !== undefined) return `it is tagged ${tag}`
  if (parentId !== undefined && service.forked_from?.service_id !== parentId)
    return `it is no fork of ${parentId}`
  return undefined
}

/** Why a record just read is no longer the preview chosen for deletion: it belongs to another pull request now. */
export function reasonRenamed(chosen: Service, { name = '' }: Service): string | undefined {
  const isSame = name === chosen.name || previewBaseOf(name) === previewBaseOf(chosen.name)
  return isSame ? undefined : `it has been renamed${name && ` to ${name}`} meanwhile`
}

/** The first fork of a service. */
export const findFork = ({ service_id }: Service, forks: readonly Service[]) =>
  forks.find(({ forked_from }) => forked_from?.service_id === service_id)

/**
 * Why a reset must not replace an earlier database. A changed `service_id` takes effect by a reset, so the parent may
 * differ and the name decides. A service that is itself a parent is never deleted.
 */
export function reasonNotToReset(
  service: Service,
  { repositoryHash, parentId, base }: Ownership & { base: string },
  forks: readonly Service[],
): string | undefined {
  if (service.service_id === parentId) return 'it is the parent'
  const fork = findFork(service, forks)
  if (fork !== undefined) return `${describeNamed(fork)} was forked from it`
  const reason = reasonToKeepPreview(service, { repositoryHash, parentId: undefined })
  if (reason !== undefined) return reason
  return previewBaseOf(service.name) === base ? undefined : `its name is not that of ${base}`
}

/** Whether a service is a preview of this repository, but forked from another `service_id`. People must delete it. */
export function isOfOtherOrigin(service: Service, { repositoryHash, parentId }: Ownership): boolean {
  const isOwned = reasonToKeepPreview(service, { repositoryHash, parentId: undefined }) === undefined
  const isOther = parentId !== undefined && service.forked_from?.service_id !== parentId
  return isOwned && isOther && service.service_id !== parentId
}
