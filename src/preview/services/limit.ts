/** Enforces `max_previews`. */
import type { Service } from '#api/records'
import { isEnding } from '#api/service-states'
import { ActionError } from '#base/errors'
import type { Calls } from '#operations/base/context'
import { byAge } from '#operations/create/intent'
import type { PullRequests } from '../base/context.ts'
import { reportGitHubFailure } from '../base/github-failure.ts'
import type { Preview } from '../base/identity.ts'
import { listNamed } from '../base/list-services.ts'
import { parsePreviewName, previewBaseOf } from '../base/name.ts'
import { renderStored } from '../base/size.ts'
import { decide } from '../on-github/prune-decision.ts'
import { pullRequestOf, SubjectReader } from '../on-github/subject-states.ts'

/** The number of previews that the error names. */
const mostNamed = 5

/** One database of each other preview of the repository with any prefix, oldest first. */
async function findOthers(context: Calls, preview: Preview): Promise<Service[]> {
  const services = await listNamed(context, preview.projectId, name => previewBaseOf(name) !== undefined)
  const others = new Map<string, Service>()
  for (const service of services.filter(service => !isEnding(service)).sort(byAge('service'))) {
    const base = previewBaseOf(service.name ?? '')
    const isOwned = parsePreviewName(service.name ?? '')?.repositoryHash === preview.repositoryHash
    if (base !== undefined && isOwned && base !== preview.base && !others.has(base)) others.set(base, service)
  }
  return [...others.values()]
}

/** Finds previews that prune would delete, as many as the error names. */
async function findPrunable(context: Calls & PullRequests, others: Service[]): Promise<Service[]> {
  const subjects = new SubjectReader(context)
  const prunable: Service[] = []
  let rest = others.filter(service => pullRequestOf(service) !== undefined)
  while (rest.length > 0 && prunable.length < mostNamed) {
    const answers = await subjects.readSome(rest)
    rest = rest.slice(answers.size)
    for (const [service, facts] of answers)
      if (facts && decide(context, service, facts).delete) prunable.push(service)
  }
  return prunable
}

const renderServices = (services: Service[]) =>
  services
    .slice(0, mostNamed)
    .map(({ name, service_id, created }) => `${name} (${service_id}${created ? `, of ${created}` : ''})`)
    .join(', ')

async function renderAdvice(context: Calls & PullRequests, others: Service[]): Promise<string> {
  let prunable: Service[] = []
  try {
    prunable = await findPrunable(context, others)
  } catch (failure) {
    reportGitHubFailure(context, 'it is unknown which pull requests are closed', failure)
  }
  if (prunable.length > 0)
    return `run prune-previews, which deletes ${renderServices(prunable)}; then run this step again`
  return `close a pull request: the oldest previews are ${renderServices(others)}`
}

/**
 * Refuses a new preview beyond `max_previews`. Concurrent runs may not see each other's new previews.
 * @throws ActionError naming those that prune would delete
 */
export async function assertBelowLimit(context: Calls & PullRequests, preview: Preview): Promise<void> {
  const { maxPreviews } = context.settings.preview
  if (maxPreviews === undefined) return
  const others = await findOthers(context, preview)
  if (others.length < maxPreviews) return
  const stored = renderStored(...others)
  const storing = stored === undefined ? '' : `, which store ${stored}`
  throw new ActionError(
    `max_previews is ${maxPreviews}, and this repository has ${others.length} other preview${others.length === 1 ? '' : 's'}${storing}: ${preview.base} is not created`,
    await renderAdvice(context, others),
  )
}
