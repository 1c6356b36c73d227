/** Reads which services this repository owns. */
import { ActionError } from '#base/errors'
import type { Triggered } from './context.ts'
import type { Ownership } from './guard.ts'
import { hashRepository } from './name.ts'
import type { PreviewParameters } from './parameters.ts'

/** @throws ActionError without the id of the repository */
export function ownershipOf(context: Triggered, given: PreviewParameters): Ownership {
  const { repositoryId, server } = context.event
  if (repositoryId === '') {
    throw new ActionError(
      'the repository is unknown: GITHUB_REPOSITORY_ID is missing',
      'run the step on a GitHub Actions runner, or give act --env GITHUB_REPOSITORY_ID=1',
    )
  }
  const { service_id } = given
  const repositoryHash = hashRepository(repositoryId, server)
  return context.settings.preview.masked
    ? { repositoryHash, parentId: undefined, maskedFrom: service_id }
    : { repositoryHash, parentId: service_id }
}
