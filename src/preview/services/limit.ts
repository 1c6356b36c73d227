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
import { decideByStanding } from '../on-github/prune-decision.ts'
import { pullRequestOf, Standings } from '../on-github/subject-states.ts'

const named = 5

/** One database of each other preview of the repository with any prefix, oldest first. */
async function findOthers(context: Calls, preview: Preview): Promise<Service[]> {
  const services = await listNamed(context, preview.projectId, name => previewBaseOf(name) !== undefined)
  const others = new Map<string, Service>()
  for (const service of services.filter(found => !isEnding(found)).sort(byAge('service'))) {
    const base = previewBaseOf(service.name ?? '')
    const isOwned = parsePreviewName(service.name ?? '')?.repositoryHash === preview.repositoryHash
    if (base !== undefined && isOwned && base !== preview.base && !others.has(base)) others.set(base, service)
  }
  return [...others.values()]
}

async function findPrunable(context: Calls & PullRequests, others: Service[]): Promise<Service[]> {
  const standings = new Standings(context)
  const prunable: Service[] = []
  let rest = others.filter(service => pullRequestOf(service) !== undefined)
  while (rest.length > 0 && prunable.length < named) {
    const answers = await standings.readSome(rest)
    rest = rest.slice(answers.size)
    for (const [service, standing] of answers)
      if (standing && decideByStanding(context, service, standing).delete) prunable.push(service)
  }
  return prunable
}

const list = (services: Service[]) =>
  services
    .slice(0, named)
    .map(({ name, service_id, created }) => `${name} (${service_id}${created ? `, of ${created}` : ''})`)
    .join(', ')

async function adviseOn(context: Calls & PullRequests, others: Service[]): Promise<string> {
  let prunable: Service[] = []
  try {
    prunable = await findPrunable(context, others)
  } catch (failure) {
    reportGitHubFailure(context, 'it is unknown which pull requests are closed', failure)
  }
  if (prunable.length > 0)
    return `run prune-previews, which deletes ${list(prunable)}; then run this step again`
  return `close a pull request: the oldest previews are ${list(others)}`
}

/**
 * Refuses a new preview beyond `max_previews`. Concurrent runs may not see each other's new previews.
 * @throws ActionError naming those that prune would delete
 */
export async function assertRoom(context: Calls & PullRequests, preview: Preview): Promise<void> {
  const { maxPreviews } = context.settings.preview
  if (maxPreviews === undefined) return
  const others = await findOthers(context, preview)
  if (others.length < maxPreviews) return
  const stored = renderStored(...others)
  const storing = stored === undefined ? '' : `, which store ${stored}`
  throw new ActionError(
    `max_previews is ${maxPreviews}, and this repository has ${others.length} other preview${others.length === 1 ? '' : 's'}${storing}: ${preview.base} is not created`,
    await adviseOn(context, others),
  )
}
