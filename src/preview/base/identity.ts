/** Identifies the preview of a run, and finds its services. */
import type { Service } from '#api/records'
import { isEnding } from '#api/service-states'
import { ActionError } from '#base/errors'
import type { Calls } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import { resolveProjectId } from '#operations/base/read-record'
import { byAge } from '#operations/create/intent'
import type { Triggered, WithSettings } from './context.ts'
import { pullRequestOfRun } from './event-work.ts'
import { idsOf, type Owner, ownershipOf } from './guard.ts'
import {
  type PreviewBase,
  type PreviewSubject,
  parseGivenName,
  parsePreviewBase,
  parsePreviewName,
  previewBaseOf,
  queueEntryOf,
  renderPreviewBase,
  usualPrefix,
} from './name.ts'
import type { PreviewParameters } from './parameters.ts'
import { listNamed } from './services.ts'

export interface Preview extends Owner {
  /** The name without its random part, which all its services share. */
  base: string
  /** Undefined for a merge queue entry. */
  pullRequest: number | undefined
  /** The name of a masked parent that was just found. */
  parentName?: string | undefined
}

function readGivenName(name: string, repositoryHash: string): PreviewBase {
  const parts = parseGivenName(name)
  if (parts?.repositoryHash === repositoryHash) return parts
  throw new ActionError(
    `preview_name: ${name} is not the name of a preview of this repository, whose names are like ${usualPrefix}-pr-7-${repositoryHash}`,
    'remove preview_name, and set pull_request (and name_prefix) instead',
  )
}

function subjectOf(context: Triggered): PreviewSubject {
  const { name, mergeGroup } = context.event
  const number = pullRequestOfRun(context)
  if (context.settings.preview.pullRequest === undefined && mergeGroup)
    return { queueEntry: queueEntryOf(mergeGroup.headSha) }
  if (number !== undefined) return { pullRequest: number }
  throw new ActionError(
    `the event ${name || '(none)'} has no pull request, and none is given`,
    'run the step on pull_request events, or set the input pull_request to a number',
  )
}

/** The name of the preview, from the event and the inputs only. @throws ActionError as `identifyPreview` */
export function namePreview(context: Triggered): Pick<Preview, 'base' | 'pullRequest'> {
  const { repositoryHash } = ownershipOf(context)
  const { previewName, namePrefix: prefix = usualPrefix } = context.settings.preview
  const parts: PreviewBase =
    previewName === undefined
      ? { prefix, repositoryHash, ...subjectOf(context) }
      : readGivenName(previewName, repositoryHash)
  return { base: renderPreviewBase(parts), pullRequest: parts.pullRequest }
}

/** The preview in the event or the inputs. @throws ActionError if neither names one, or a given name is malformed */
export async function identifyPreview(
  context: Calls & Triggered & WithSettings<'projectId'>,
  given: PreviewParameters,
): Promise<Preview> {
  return {
    ...ownershipOf(context, given.service_id),
    ...namePreview(context),
    projectId: await resolveProjectId(context),
  }
}

/** The prefix in the name of another preview of the same pull request; undefined for all other names. */
function otherPrefixOf(name: string, { base }: Preview): string | undefined {
  const end = base.slice(parsePreviewBase(base)?.prefix.length)
  const other = name.includes(end) ? previewBaseOf(name) : undefined
  return other?.endsWith(end) && other !== base ? other.slice(0, -end.length) : undefined
}

/** The services of the preview, oldest first. Adds other prefixes with the same pull request to `otherPrefixes`. */
export async function findPreviews(
  context: Calls,
  preview: Preview,
  otherPrefixes: Set<string>,
): Promise<Service[]> {
  const services = await listNamed(context, preview.projectId, name => {
    const other = otherPrefixOf(name, preview)
    if (other !== undefined) otherPrefixes.add(other)
    return name.startsWith(preview.base)
  })
  return services.filter(service => previewBaseOf(service.name) === preview.base).sort(byAge('service'))
}

/** The previews of this repository, oldest first, without those being deleted. */
export async function listPreviews(
  context: Calls,
  { projectId, repositoryHash }: Pick<Owner, 'projectId' | 'repositoryHash'>,
): Promise<Service[]> {
  const isOwned = (name?: string) => parsePreviewName(name)?.repositoryHash === repositoryHash
  const services = await listNamed(context, projectId, isOwned)
  return services.filter(service => isOwned(service.name) && !isEnding(service)).sort(byAge('service'))
}

export type PreviewOutcome = Outcome & { record?: Service | undefined }

export const outcomeOf = (
  preview: Pick<Preview, 'projectId' | 'pullRequest'>,
  service: Service | undefined,
  operation = 'create-preview',
): PreviewOutcome => ({
  operation,
  resource: 'service',
  ids: service === undefined ? { project_id: preview.projectId } : idsOf(preview, service),
  record: service,
  result: service,
  pullRequest: preview.pullRequest,
})
