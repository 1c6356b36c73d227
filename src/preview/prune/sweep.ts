/** Decides about previews and deletes them, in batches. */
import type { Service } from '#api/records'
import { ActionError, messageOf, renderAdvised } from '#base/errors'
import { Semaphore } from '#base/semaphore'
import type { Calls } from '#operations/base/context'
import type { PullRequests, WithSettings } from '../base/context.ts'
import { idsOf, type Owner, reasonToKeep } from '../base/guard.ts'
import { previewBaseOf } from '../base/name.ts'
import {
  type Decision,
  decideByStanding,
  describeSparing,
  findLabel,
  type Standing,
} from '../on-github/prune-decision.ts'
import { report } from '../on-github/report.ts'
import { atOnce, describeState, doubt, pullRequestOf, Standings } from '../on-github/subject-states.ts'
import { removePreview, waitUntilGone } from '../services/delete.ts'
import { waitingTogether } from './departures.ts'

/**
 * Each comment takes two of the 1,000 requests an hour that all jobs of a repository share, and GitHub allows at most
 * 500 comments in that time.
 */
const mostComments = 100

const kept = (service: Service, reason: string): Decision => ({
  service,
  pullRequest: pullRequestOf(service),
  verdict: 'kept',
  reason,
})

export class Sweep {
  readonly standings: Standings
  readonly #context: Calls & PullRequests & WithSettings<'dryRun' | 'wait'>
  readonly #owner: Owner
  readonly #semaphore = new Semaphore(atOnce)
  #deletions = 0
  #comments = 0

  constructor(context: Calls & PullRequests & WithSettings<'dryRun' | 'wait'>, owner: Owner) {
    this.#context = context
    this.#owner = owner
    this.standings = new Standings(context)
  }

  #decide(service: Service, standing: Standing | undefined): Decision {
    const { maxDeletions } = this.#context.settings.preview
    const pullRequest = pullRequestOf(service)
    const guarded = reasonToKeep(service, this.#owner)
    if (guarded !== undefined) return kept(service, guarded)
    if (standing === undefined) return kept(service, doubt)
    const { delete: isDeleted, reason } = decideByStanding(this.#context, service, standing)
    if (!isDeleted) return { ...kept(service, reason), standing }
    this.#deletions += 1
    return this.#deletions <= maxDeletions
      ? { service, pullRequest, standing, verdict: 'deleted', reason }
      : {
          service,
          pullRequest,
          verdict: 'skipped',
          reason: `${reason}, but max_deletions is ${maxDeletions}`,
        }
  }

  /** Why a preview is kept after all: minutes after the decision, its pull request may be open again. */
  async #reasonNow({ service, standing: before }: Decision): Promise<string | undefined> {
    let standing: Standing
    try {
      standing = await this.standings.readNow(service)
    } catch (failure) {
      return this.standings.noteFailure(`${service.name} is kept`, failure)
    }
    const { state, labels = [] } = standing
    const { keepLabels } = this.#context.settings.preview
    const spared = state === 'open' ? findLabel(labels, keepLabels) : undefined
    if (spared !== undefined) return describeSparing(spared)
    return state === before?.state ? undefined : describeState(state)
  }

  /** Works on a preview to delete. A failure becomes its verdict, and other deletions continue. */
  async #orFail(decision: Decision, act: () => Promise<Decision>): Promise<Decision> {
    if (decision.verdict !== 'deleted') return decision
    try {
      return await act()
    } catch (failure) {
      const { signal, log } = this.#context
      signal.throwIfAborted()
      log.warning(
        `${decision.service.name} is not deleted: ${renderAdvised(failure)}`,
        'a preview is not deleted',
      )
      const next = failure instanceof ActionError ? failure.next : undefined
      return { ...decision, verdict: 'failed', reason: messageOf(failure), next }
    }
  }

  async #remove(decision: Decision): Promise<Decision> {
    const reasonNow = () => this.#reasonNow(decision)
    const removal = await removePreview(this.#context, decision.service, this.#owner, reasonNow)
    if (removal.deleted) return decision
    if (removal.isDryRun) return { ...decision, verdict: 'would delete' }
    return { ...decision, verdict: 'kept', reason: removal.reason }
  }

  async #updateComment({ service, pullRequest, standing }: Decision): Promise<void> {
    this.#comments += 1
    if (standing?.state === 'missing' || this.#comments > mostComments) return
    const base = previewBaseOf(service.name ?? '') ?? ''
    await report(this.#context, { base, pullRequest }, { state: 'deleted' })
  }

  async #finish(departures: Calls, decision: Decision): Promise<Decision> {
    if (this.#context.settings.wait) await waitUntilGone(departures, idsOf(this.#owner, decision.service))
    await this.#semaphore.run(() => this.#updateComment(decision), { first: true })
    return decision
  }

  async #takeSome(previews: Service[]): Promise<Decision[]> {
    const answers = await this.standings.readSome(previews)
    const decisions = [...answers].map(([service, standing]) => this.#decide(service, standing))
    const remove = (one: Decision) => this.#semaphore.run(() => this.#orFail(one, () => this.#remove(one)))
    return await Promise.all(decisions.map(remove))
  }

  /** If GitHub leaves a doubt, the preview concerned and all later ones are kept. */
  async run(previews: Service[]): Promise<Decision[]> {
    const decisions: Decision[] = []
    while (decisions.length < previews.length) {
      const rest = previews.slice(decisions.length)
      try {
        decisions.push(...(await this.#takeSome(rest)))
      } catch (failure) {
        const which =
          decisions.length === 0 ? 'all previews' : `${rest.length} of ${previews.length} previews`
        const reason = this.standings.noteFailure(`${which} are kept`, failure)
        decisions.push(...rest.map(service => kept(service, reason)))
      }
    }
    const departures = waitingTogether(this.#context, this.#semaphore, this.#owner.projectId)
    const finish = (one: Decision) => this.#orFail(one, () => this.#finish(departures, one))
    const finished = await Promise.all(decisions.map(finish))
    if (this.#comments > mostComments)
      this.#context.log.info(`only the first ${mostComments} comments are updated: GitHub limits requests`)
    return finished
  }
}
