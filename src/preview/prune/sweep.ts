/** The deleting part of prune: decides about previews in batches, and deletes those that are no longer needed. */
import type { Service } from '#api/records'
import { ActionError, renderAdvised } from '#base/errors'
import { Semaphore } from '#base/semaphore'
import { messageOf } from '#base/unknown-values'
import type { Calls } from '#operations/base/context'
import type { PullRequests, WithSettings } from '../base/context.ts'
import { idsOf, type Owner, reasonToKeepPreview } from '../base/guard.ts'
import { updateComment } from '../on-github/comment.ts'
import {
  type Decision,
  decide,
  describeKeepLabel,
  findLabel,
  type SubjectFacts,
} from '../on-github/prune-decision.ts'
import {
  concurrency,
  describeStateNow,
  inconclusive,
  previewOf,
  SubjectReader,
} from '../on-github/subject-states.ts'
import { deleteDatabase, waitUntilGone } from '../services/delete.ts'

/**
 * Each comment takes two of the 1,000 requests an hour that all jobs of a repository share, and GitHub allows at most
 * 500 comments in that time.
 */
const mostComments = 100

const kept = (service: Service, reason: string): Decision => ({ service, verdict: 'kept', reason })

export class Sweep {
  readonly subjects: SubjectReader
  readonly #context: Calls & PullRequests & WithSettings<'dryRun' | 'wait'>
  readonly #owner: Owner
  readonly #semaphore = new Semaphore(concurrency)
  #deletions = 0
  #comments = 0

  constructor(context: Calls & PullRequests & WithSettings<'dryRun' | 'wait'>, owner: Owner) {
    this.#context = context
    this.#owner = owner
    this.subjects = new SubjectReader(context)
  }

  #decide(service: Service, facts: SubjectFacts | undefined): Decision {
    const { maxDeletions } = this.#context.settings.preview
    const guarded = reasonToKeepPreview(service, this.#owner)
    if (guarded !== undefined) return kept(service, guarded)
    if (facts === undefined) return kept(service, inconclusive)
    const { delete: mayDelete, reason } = decide(this.#context, service, facts)
    if (!mayDelete) return { ...kept(service, reason), facts }
    this.#deletions += 1
    if (this.#deletions <= maxDeletions) return { service, facts, verdict: 'deleted', reason }
    return { service, verdict: 'skipped', reason: `${reason}, but max_deletions is ${maxDeletions}` }
  }

  /** Why a preview is kept after all: minutes after the decision, its pull request may be open again. */
  async #reasonNow({ service, facts: before }: Decision): Promise<string | undefined> {
    let facts: SubjectFacts | undefined
    try {
      facts = await this.subjects.readNow(service)
    } catch (failure) {
      return this.subjects.noteFailure(`${service.name} is kept`, failure)
    }
    if (facts === undefined) return inconclusive
    const { state, labels = [] } = facts
    const { keepLabels } = this.#context.settings.preview
    const keepLabel = state === 'open' ? findLabel(labels, keepLabels) : undefined
    if (keepLabel !== undefined) return describeKeepLabel(keepLabel)
    return state === before?.state ? undefined : describeStateNow(state)
  }

  /** Runs `act` for a preview to delete. A failure becomes the verdict, so that other deletions continue. */
  async #withVerdict(decision: Decision, act: (decision: Decision) => Promise<Decision>): Promise<Decision> {
    if (decision.verdict !== 'deleted') return decision
    try {
      return await act(decision)
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

  async #delete(decision: Decision): Promise<Decision> {
    const reasonNow = () => this.#reasonNow(decision)
    const result = await deleteDatabase(this.#context, decision.service, this.#owner, reasonNow)
    if (result.deleted) return decision
    if (result.isDryRun) return { ...decision, verdict: 'would delete' }
    return { ...decision, verdict: 'kept', reason: result.reason }
  }

  async #updateComment({ service, facts }: Decision): Promise<void> {
    this.#comments += 1
    if (facts?.state === 'missing' || this.#comments > mostComments) return
    await updateComment(this.#context, previewOf(service), { state: 'deleted' })
  }

  async #finish(decision: Decision): Promise<Decision> {
    if (this.#context.settings.wait) await waitUntilGone(this.#context, idsOf(this.#owner, decision.service))
    await this.#updateComment(decision)
    return decision
  }

  #forEach(decisions: Decision[], act: (decision: Decision) => Promise<Decision>): Promise<Decision[]> {
    return Promise.all(decisions.map(decision => this.#semaphore.run(() => this.#withVerdict(decision, act))))
  }

  async #decideAndDeleteSome(previews: Service[]): Promise<Decision[]> {
    const answers = await this.subjects.readSome(previews)
    const decisions = [...answers].map(([service, facts]) => this.#decide(service, facts))
    return await this.#forEach(decisions, decision => this.#delete(decision))
  }

  /** Decides about all previews. After a failure of GitHub, all previews without a decision are kept. */
  async run(previews: Service[]): Promise<Decision[]> {
    const decisions: Decision[] = []
    while (decisions.length < previews.length) {
      const undecided = previews.slice(decisions.length)
      try {
        decisions.push(...(await this.#decideAndDeleteSome(undecided)))
      } catch (failure) {
        const some = `${undecided.length} of ${previews.length} previews`
        const subject = decisions.length === 0 ? 'all previews' : some
        const reason = this.subjects.noteFailure(`${subject} are kept`, failure)
        decisions.push(...undecided.map(service => kept(service, reason)))
      }
    }
    // The waits follow all deletions, which the service processes at the same time.
    const finished = await this.#forEach(decisions, decision => this.#finish(decision))
    if (this.#comments > mostComments)
      this.#context.log.info(`only the first ${mostComments} comments are updated: GitHub limits requests`)
    return finished
  }
}
