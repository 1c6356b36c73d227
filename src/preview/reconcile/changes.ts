/** The steps of a reconciliation that change services: create, delete, set the password. */
import { isApiError } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import { reportGitHubFailure } from '../base/github-failure.ts'
import { describeNamed } from '../base/name.ts'
import { notOwnedError, PreviewError } from '../base/preview-error.ts'
import { mayNameParentLate } from '../base/services.ts'
import { updateComment } from '../on-github/comment.ts'
import { readReasonAgainst } from '../on-github/reason-for-none.ts'
import { matchesPatterns } from '../prepare/migrations.ts'
import { quarantineIfNeeded } from '../prepare/preparation.ts'
import { assertBelowLimit, createDatabase, type ForkStrategy, withParent } from '../services/create.ts'
import { deleteDatabase, waitUntilGone } from '../services/delete.ts'
import { setDerivedPassword } from '../services/login.ts'
import type { Run } from './run.ts'

/** Checks `paths`. Without an answer from GitHub, and for a merge queue entry, the database is created. */
export async function checkChangedFiles({ context, observer, preview, desired }: Run): Promise<void> {
  const { paths } = context.settings.preview
  const { pullRequest } = preview
  observer.need = 'given'
  if (desired.replaces || paths === undefined || pullRequest === undefined) return
  try {
    const files = await context.github.readChangedFiles(pullRequest)
    const reason = `pull request ${pullRequest} changes no file that matches paths (${paths.join(' ')})`
    if (!files.some(matchesPatterns(paths))) observer.need = { reason }
  } catch (failure) {
    reportGitHubFailure(context, 'it is unknown which files changed, so paths does not apply', failure)
  }
}

/** Milliseconds for which a list is current. Later, the kept database may be gone. */
const freshness = 10_000

export async function checkPullRequest(run: Run): Promise<void> {
  const reason = await readReasonAgainst(run.context, run.preview, run.reasonByEvent)
  run.reasonByEvent = undefined
  if (reason !== undefined) run.refuse(reason)
}

export async function create(run: Run): Promise<void> {
  const { context, observer, preview } = run
  const { given = {} } = run.inputs
  const parent = await withParent(context, preview)
  // A replacement does not raise the number of previews.
  if (run.deleted.replaced.length === 0 && !observer.isRecreated) await assertBelowLimit(context, preview)
  run.isCreating = true
  await updateComment(context, preview, {
    state: 'creating',
    data: parent.parentId === undefined ? 'empty' : 'unknown',
    parentId: parent.parentId,
  })
  // A snapshot of a masked copy may be older than the masking.
  const parameters = preview.maskedFrom === undefined ? given : { ...given, fork_strategy: 'NOW' as const }
  run.parent = parent
  const onStrategy = (strategy: ForkStrategy) => {
    run.strategy = strategy
  }
  const { pullRequest } = preview
  const about = { operation: 'create-preview', pullRequest, onStrategy, maxRequests: observer.requestsLeft }
  observer.noteCreated(await createDatabase(context, parent, parameters, about))
}

/** Deletes a database that a concurrent run may have created. If the list is old by then, a new list decides. */
export async function deleteDuplicate(run: Run, id: string): Promise<void> {
  const { context, observer, preview } = run
  const service = observer.record(id)
  const end = observer.listedAt + freshness
  const isOld = () => context.seam.now() > end
  context.log.info(`service ${id} is a duplicate of the preview ${preview.base}: deleting it`)
  const reasonNow = async () => (isOld() ? 'the list that showed it is old by now' : undefined)
  const result = await deleteDatabase(context, service, run.ownerOf(id), reasonNow)
  if (result.deleted) observer.noteGone(id)
  else if (isOld()) observer.noteInterruption()
  else throw notOwnedError(service, preview, result.reason)
}

/** Deletes a database of a preview that must not exist, unless the guard or `reasonToStay` forbids it. */
export async function deleteRefused(run: Run, id: string): Promise<void> {
  const { context, observer } = run
  const service = observer.record(id)
  const result = await deleteDatabase(context, service, run.ownerOf(id), run.inputs.reasonToStay)
  if (result.deleted) {
    if (context.settings.wait) await waitUntilGone(context, run.idsOf(id))
    run.deleted.refused.push(id)
    observer.noteGone(id)
    return
  }
  const { reason, keptBy } = result
  if (keptBy === 'dry run') run.planned.push(describeNamed(service))
  else run.kept.push({ id, reason, isGuarded: keptBy === 'guard' })
  observer.knowledgeOf(id).reasonKept = reason
}

/** Deletes this run's unmasked database, and recreates it once: the parent may have changed during the fork. */
export async function deleteUnmasked(run: Run, id: string): Promise<void> {
  const { context, observer } = run
  const { failure } = observer.knowledgeOf(id)
  const { deleted } = await deleteDatabase(context, observer.record(id), run.ownerOf(id))
  if (!deleted || observer.isRecreated || observer.requestsLeft === 0) throw failure
  const reason = messageOf(failure)
  context.log.warning(`${reason}; it is deleted and recreated once`, 'recreated')
  observer.isRecreated = true
  observer.creation = undefined
  observer.noteGone(id)
}

/** Sets the derived password. Unlike reads, writes do not lag: a 404 means gone, a 409 means changing. */
export async function setPassword(run: Run, id: string): Promise<void> {
  const { context, observer } = run
  const service = observer.record(id)
  try {
    const { password, isNew } = await context.timeline.time('setting the password', () =>
      setDerivedPassword(context, run.idsOf(id), service, observer.isCreatedHere(id)),
    )
    const known = observer.knowledgeOf(id)
    known.password = password
    known.isPasswordNew = isNew
  } catch (failure) {
    if (!isApiError(failure, 404, 409)) throw failure
    context.log.debug(messageOf(failure))
    if (isApiError(failure, 404)) return run.noteLost(id)
    observer.knowledgeOf(id).ready = undefined
    observer.noteInterruption()
  }
}

export async function quarantine(run: Run, id: string): Promise<void> {
  const { context, observer } = run
  const known = observer.knowledgeOf(id)
  const isParentPending = observer.mayLackParent(id) && mayNameParentLate(context, observer.record(id))
  const isKnown = await quarantineIfNeeded(context, run.preparationTaskOf(id), isParentPending)
  if (isKnown) known.isQuarantined = true
  else known.isQuarantineUnknown = true
}

/** @throws PreviewError about a service with the name of the preview that only people may use or delete */
export function refuseNotOwned({ observer, preview }: Run, id: string): never {
  const service = observer.record(id)
  const reason = observer.reasonAgainst(service)
  if (reason !== undefined) throw notOwnedError(service, preview, reason)
  throw new PreviewError(
    `the preview ${preview.base} (service ${id}) is a fork of ${preview.maskedFrom} itself: with masked: true it is not published`,
    'run `operation: reset-preview` to recreate it from a masked copy',
  )
}
