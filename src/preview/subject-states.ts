import type { Service } from '../api/records.ts'
import { renderAdvised } from '../client/errors.ts'
import { runEach } from '../client/gate.ts'
import type { PreviewContext } from './context.ts'
import type { PullRequest } from './github.ts'
import { parsePreviewName, queueEntryOf } from './name.ts'
import type { SubjectState } from './prune-decision.ts'

/** The most concurrent requests to the API, and to GitHub. */
export const atOnce = 12

/** The state of a pull request or merge queue entry, at some moment. */
export interface Standing {
  state: SubjectState
  /** When a pull request was closed, milliseconds since 1970 by GitHub's clock. */
  closedAt?: number | undefined
  /** Of a pull request: its labels, and when it was last updated, by the same clock. */
  labels?: string[]
  updatedAt?: number | undefined
}

export const pullRequestOf = (service: Service) => parsePreviewName(service.name ?? '')?.pullRequest
const queueEntry = (service: Service) => parsePreviewName(service.name ?? '')?.queueEntry

async function readPullRequests(
  context: PreviewContext,
  previews: Service[],
): Promise<Map<number, PullRequest>> {
  const open = await context.github.listOpenPullRequests()
  const numbers = new Set(previews.flatMap(service => pullRequestOf(service) ?? []))
  const states = new Map<number, PullRequest>()
  // A pull request that is not in the list is read by itself: a list may be incomplete without saying so.
  await runEach(numbers, atOnce, async number => {
    states.set(number, open.get(number) ?? (await context.github.readPullRequest(number)))
  })
  return states
}

async function readQueue({ github }: PreviewContext): Promise<Set<string>> {
  return new Set([...(await github.listQueueHeads())].map(queueEntryOf))
}

/** The commits in the merge queue, read only if a preview belongs to it; undefined if GitHub does not say. */
async function tryToReadQueue(
  context: PreviewContext,
  previews: Service[],
): Promise<Set<string> | undefined> {
  if (!previews.some(service => queueEntry(service) !== undefined)) return new Set()
  try {
    return await readQueue(context)
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.warning(
      `the previews of the merge queue are kept: GitHub's answer is not conclusive: ${renderAdvised(failure)}`,
      'GitHub cannot be asked',
    )
    return undefined
  }
}

/**
 * Asks GitHub for the state of each preview's pull request or merge queue entry. If GitHub does not say what is in the
 * queue, its previews have no state.
 *
 * @throws if there is any doubt about a pull request: then nothing at all may be deleted
 */
export async function readStandings(
  context: PreviewContext,
  previews: Service[],
): Promise<Map<Service, Standing | undefined>> {
  const pullRequests = await readPullRequests(context, previews)
  const queue = await tryToReadQueue(context, previews)
  const standingOf = (service: Service): Standing | undefined => {
    const number = pullRequestOf(service)
    if (number !== undefined) return pullRequests.get(number)
    return queue && { state: queue.has(queueEntry(service) ?? '') ? 'queued' : 'left' }
  }
  return new Map(previews.map(service => [service, standingOf(service)]))
}

/** The state of one preview's pull request or merge queue entry, at this moment. */
export async function readStanding(context: PreviewContext, service: Service): Promise<Standing> {
  const pullRequest = pullRequestOf(service)
  if (pullRequest === undefined)
    return { state: (await readQueue(context)).has(queueEntry(service) ?? '') ? 'queued' : 'left' }
  return await context.github.readPullRequest(pullRequest)
}

/** The new state, as a reason to keep the preview. */
export const describeState = (state: SubjectState) =>
  state === 'queued' ? 'its entry is in the merge queue now' : `its pull request is ${state} now`
