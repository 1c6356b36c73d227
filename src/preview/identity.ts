import type { Service } from '../api/records.ts'
import { ActionError } from '../client/errors.ts'
import type { Context, GivenParameters } from '../operations/context.ts'
import { byAge } from '../operations/intent.ts'
import { resolveProjectId } from '../operations/project.ts'
import type { Ownership } from './guard.ts'
import { hashRepository, parsePreviewName, renderPreviewName } from './name.ts'

/** Which preview a run is about. */
export interface Preview extends Ownership {
  projectId: string
  name: string
  pullRequest: number
}

/** It cannot be told which pull request or preview is meant. */
export class UnknownPreviewError extends ActionError {}

/** Statuses from which a service never comes back. */
export const isEnding = (service: Service) => service.status === 'DELETING' || service.status === 'DELETED'

/** Who owns previews here: this repository, and where given, the parent that they were forked from. */
export function ownershipOf(context: Context, given: GivenParameters): Ownership {
  const { repositoryId } = context.github.event
  if (repositoryId === '') {
    throw new UnknownPreviewError(
      'the environment does not say which repository this is: GITHUB_REPOSITORY_ID is missing',
      'run the step on a GitHub Actions runner',
    )
  }
  return {
    repositoryHash: hashRepository(repositoryId),
    parentId: given.service_id as string | undefined,
  }
}

function nameOf(context: Context, repositoryHash: string): { name: string; pullRequest: number } {
  const { previewName, namePrefix, pullRequest: given } = context.settings.preview
  if (previewName !== undefined) {
    const parsed = parsePreviewName(previewName)
    if (parsed?.repositoryHash === repositoryHash)
      return { name: previewName, pullRequest: parsed.pullRequest }
    throw new UnknownPreviewError(
      `preview_name: ${previewName} is not a preview's name of this repository`,
      `use <prefix>-pr-<number>-${repositoryHash}, or name_prefix and pull_request in its place`,
    )
  }
  const pullRequest = given ?? context.github.event.pullRequest?.number
  if (pullRequest === undefined) {
    throw new UnknownPreviewError(
      `the event ${context.github.event.name || '(none)'} has no pull request, and none is given`,
      'run the step on pull_request events, or set the input pull_request to a number',
    )
  }
  return { pullRequest, name: renderPreviewName({ prefix: namePrefix, pullRequest, repositoryHash }) }
}

/**
 * The preview of the pull request that the event or the inputs name.
 *
 * @throws UnknownPreviewError where neither does, or the name given is not of our grammar
 */
export async function identifyPreview(context: Context, given: GivenParameters): Promise<Preview> {
  const ownership = ownershipOf(context, given)
  const named = nameOf(context, ownership.repositoryHash)
  return { ...ownership, ...named, projectId: await resolveProjectId(context) }
}

/** All services that carry exactly the preview's name, the oldest first. */
export async function findPreviews(context: Context, preview: Preview): Promise<Service[]> {
  const services = await context.client.call('list-services', { project_id: preview.projectId })
  return services.filter(service => service.name === preview.name).sort(byAge('service'))
}
