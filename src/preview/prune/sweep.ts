/** The deleting part of prune: decides about previews in batches, and deletes those that are no longer needed. */
import type { Service } from '#api/records'
import { ActionError, renderAdvised } from '#base/errors'
import { Semaphore } from '#base/semaphore'
import { messageOf } from '#base/unknown-values'
import type { Calls } from '#operations/base/context'
import type { PullRequests, WithSettings } from '../base/context.ts'
import { idsOf, type Owner, reasonToKeepPreview } from '../base/guard.ts'
import { updateComment } from '../on-github/comment.ts'
import { type Decision, decide, reasonByLabel, type SubjectFacts } from '../on-github/prune-decision.ts'
import { concurrency, inconclusive, previewOf, type SubjectReader } from '../on-github/subject-states.ts'
import { deleteDatabase, waitUntilGone } from '../services/delete.ts'

/** A comment takes two of a repository's 1,000 requests an hour, in which GitHub allows at most 500 comments. */
const mostComments = 100

type Act = (decision: Decision) => Promise<Decision>

const kept = (service: Service, reason: string): Decision => ({ service, verdict: 'kept', reason })

/** Decides about all previews, and deletes those not needed. If GitHub fails, keeps all that are still undecided. */
export async function sweep(
  context: Calls & PullRequests & WithSettings<'dryRun' | 'wait'>,
  owner: Owner,
  subjects: SubjectReader,
  previews: Service[],
): Promise<Decision[]> {
  const { settings, signal, log } = context
  const { maxDeletions } = settings.preview
  const semaphore = new Semaphore(concurrency)
  let deletions = 0
  let comments = 0

  function decideOne(service: Service, facts: SubjectFacts | undefined): Decision {
    const guarded = reasonToKeepPreview(service, owner)
    if (guarded !== undefined) return kept(service, guarded)
    if (facts === undefined) return kept(service, inconclusive)
    const { delete: mayDelete, reason } = decide(context, service, facts)
    if (!mayDelete) return { ...kept(service, reason), facts }
    deletions += 1
    if (deletions <= maxDeletions) return { service, facts, verdict: 'deleted', reason }
    return { service, verdict: 'skipped', reason: `${reason}, but max_deletions is ${maxDeletions}` }
  }

  /** Why a preview is kept after all: minutes after the decision, its pull request may be open again. */
  async function reasonNow({ service, facts: before }: Decision): Promise<string | undefined> {
    let facts: SubjectFacts | undefined
    try {
      facts = await subjects.readNow(service)
    } catch (failure) {
      return subjects.noteFailure(`${service.name} is kept`, failure)
    }
    if (facts === undefined) return inconclusive
    const { state } = facts
    const labeled = state === 'open' ? reasonByLabel(context, facts) : undefined
    if (labeled !== undefined) return labeled
    if (state === before?.state) return undefined
    return state === 'queued' ? 'its entry is in the merge queue now' : `its pull request is ${state} now`
  }

  async function deleteOne(decision: Decision): Promise<Decision> {
    const result = await deleteDatabase(context, decision.service, owner, () => reasonNow(decision))
    if (result.deleted) return decision
    if (result.keptBy === 'dry run') return { ...decision, verdict: 'would delete' }
    return { ...decision, verdict: 'kept', reason: result.reason }
  }

  async function finish(decision: Decision): Promise<Decision> {
    const { service, facts } = decision
    if (settings.wait) await waitUntilGone(context, idsOf(owner, service))
    comments += 1
    if (facts?.state !== 'missing' && comments <= mostComments)
      await updateComment(context, previewOf(service), { state: 'deleted' })
    return decision
  }

  /** Runs `act` for a preview to delete. A failure becomes the verdict, so that other deletions continue. */
  async function withVerdict(decision: Decision, act: Act): Promise<Decision> {
    if (decision.verdict !== 'deleted') return decision
    try {
      return await act(decision)
    } catch (failure) {
      signal.throwIfAborted()
      const problem = `${decision.service.name} is not deleted: ${renderAdvised(failure)}`
      log.warning(problem, 'a preview is not deleted')
      const next = failure instanceof ActionError ? failure.next : undefined
      return { ...decision, verdict: 'failed', reason: messageOf(failure), next }
    }
  }

  const forEach = (decisions: Decision[], act: Act) =>
    Promise.all(decisions.map(decision => semaphore.run(() => withVerdict(decision, act))))

  const decisions: Decision[] = []
  while (decisions.length < previews.length) {
    const undecided = previews.slice(decisions.length)
    try {
      const answers = await subjects.readSome(undecided)
      const decided = [...answers].map(([service, facts]) => decideOne(service, facts))
      decisions.push(...(await forEach(decided, deleteOne)))
    } catch (failure) {
      const some = `${undecided.length} of ${previews.length} previews`
      const subject = decisions.length === 0 ? 'all previews' : some
      const reason = subjects.noteFailure(`${subject} are kept`, failure)
      decisions.push(...undecided.map(service => kept(service, reason)))
    }
  }
  // The waits follow all deletions, which the service processes at the same time.
  const finished = await forEach(decisions, finish)
  if (comments > mostComments)
    log.info(`only the first ${mostComments} comments are updated: GitHub limits requests`)
  return finished
}
