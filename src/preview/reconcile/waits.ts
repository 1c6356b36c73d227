/** The steps of a reconciliation that wait: for lists, for a status, for a deletion, for another run. */
import type { Service } from '#api/records'
import { isEnding } from '#api/service-states'
import { renderDuration } from '#base/duration'
import { isApiError } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import { isTemporary } from '#client/retry'
import { readShown } from '#operations/base/read-record'
import { waitOutLostRequest } from '#operations/cleanup/duplicates'
import { longestReadLag } from '#operations/wait/settled'
import { WaitError } from '#operations/wait/wait-error'
import { pauseAfterLine, waitFor } from '#operations/wait/wait-log'
import { PreviewError } from '../base/preview-error.ts'
import { isYoung, mayNameParentLate } from '../base/services.ts'
import { readReasonAgainst } from '../on-github/reason-for-none.ts'
import { isGoneOrEndingAfterLag, waitUntilGone } from '../services/delete.ts'
import { ensureReady, readUntilParent } from '../services/ready.ts'
import type { Run } from './run.ts'

/** Milliseconds between two reads of the list. */
const listInterval = 2000

/** While another run creates the preview: milliseconds between two lists, and between two reads of the pull request. */
const intervals = { list: 3000, pullRequest: 30_000 }

/** Waits for the end of a deletion: to finish it, or to create a new database afterwards. */
export async function waitUntilDeleted(run: Run, id: string): Promise<void> {
  const { context, observer, preview, desired, deleted } = run
  const { wait, dryRun } = context.settings
  if (desired.databases === 'none') {
    if (wait && !dryRun) await waitUntilGone(context, run.idsOf(id))
    deleted.refused.push(id)
  } else {
    // A reset has logged its own deletion.
    if (!observer.knowledgeOf(id).isReplaced)
      context.log.info(`service ${id} (${preview.base}) is being deleted; a new one is created after that`)
    await waitUntilGone(context, run.idsOf(id), isYoung(context, observer.record(id)))
  }
  observer.noteGone(id)
}

/** Waits until a database is READY. If it fails, another run may have deleted the database: then the list decides. */
export async function waitUntilReady(run: Run, id: string): Promise<void> {
  const { context, observer } = run
  const service = observer.record(id)
  const isKnownToExist = !observer.isCreatedHere(id) || observer.isCreatedListed
  try {
    // Reads may miss a new service.
    const isNew = observer.isCreatedHere(id) || isYoung(context, service)
    observer.knowledgeOf(id).ready = await ensureReady(context, run.idsOf(id), service, {
      isNew,
      isKnownToExist,
    })
    observer.hasWaited = true
  } catch (failure) {
    if (!(failure instanceof WaitError || isApiError(failure, 404))) throw failure
    await observer.readList()
    // A lagging list may still show a service that is gone by its status or a 404.
    const isGone = isApiError(failure, 404) || (failure instanceof WaitError && failure.isGone)
    if (!isGone && observer.alive.some(found => found.id === id)) throw failure
    run.noteLost(id)
  }
}

/** Waits until the record of a READY service names its parent, which a new one may do late. */
export async function waitForParent({ context, observer, idsOf }: Run, id: string): Promise<void> {
  const known = observer.knowledgeOf(id)
  const service = observer.record(id)
  known.ready = mayNameParentLate(context, service)
    ? await readUntilParent(context, idsOf(id), service)
    : service
  known.isParentRead = true
}

/** Reads the list until it shows this run's own database; false if the deadline comes first. */
async function waitUntilListed({ context, observer }: Run, { service_id }: Service): Promise<boolean> {
  const { seam, settings, deadline } = context
  if (observer.isCreatedListed) return true
  const isListed = await waitFor(context, {
    what: `for service ${service_id} to appear in the list`,
    why: 'then older ones appear, too',
    interval: Math.min(listInterval, settings.listLag),
    // By then, every list must show it.
    until: Math.min(deadline, seam.now() + longestReadLag),
    check: async () => {
      await observer.readList()
      return observer.isCreatedListed || observer.isCreatedOverdue || undefined
    },
  })
  return isListed ?? false
}

/** Waits until every list shows each older database, so all runs keep the same one; at most until the deadline. */
export async function waitForCompleteLists(run: Run, id: string): Promise<void> {
  const { context, observer, preview, desired } = run
  const { seam, deadline, log } = context
  if (!(await waitOutLostRequest(context, observer.creation?.duplicateUntil)))
    log.warning(
      'the request whose answer was lost may still create a duplicate; the next run deletes it',
      'possible duplicate',
    )
  // Without this, every connecting job would wait if the server dates no records.
  const unknownAge = desired.onlyConnects ? context.settings.listLag : 0
  const moment = observer.completeFrom(observer.record(id), unknownAge)
  const end = Math.min(moment, deadline)
  const left = end - seam.now()
  if (left > 0)
    await pauseAfterLine(context, {
      line: `waiting ${renderDuration(left)}, checking for duplicates of ${preview.base}: the API may list a new service only later`,
      name: 'checking for duplicates',
      milliseconds: left,
    })
  const { created } = observer
  const isInTime = end >= moment && (!created || (await waitUntilListed(run, created)))
  if (!isInTime)
    log.warning(
      `wait_timeout ended before the check for a duplicate of ${preview.base}; the next run or prune deletes a duplicate`,
      'possible duplicate',
    )
  observer.knowledgeOf(id).areListsComplete = true
  const hasWaited = left > 0
  if (desired.onlyConnects && hasWaited) observer.hasWaited = true
  // A run that has set a password or waited reads a new list for its decision.
  if (!desired.onlyConnects || hasWaited) observer.outdateList()
}

/**
 * Reads the oldest database by its id. If another run has deleted it, a younger one takes its place. If the list
 * contradicts a 404, the next step reads the list again.
 */
export async function readKept(run: Run, id: string): Promise<void> {
  const { context, observer } = run
  const record = await readShown(context.client, 'service', run.idsOf(id))
  if (record !== undefined && !isEnding(record)) return
  if (record === undefined && observer.isListed(id)) observer.noteInterruption()
  else run.noteLost(id)
}

/** Waits for the database of the run that deleted this run's own, as a reset does. @throws PreviewError if none follows */
export async function waitForSuccessor(run: Run): Promise<void> {
  const { context, observer, preview } = run
  const id = observer.creation?.record.service_id ?? ''
  // Lists alone do not prove the deletion.
  const isDeleted = observer.created === undefined || (await isGoneOrEndingAfterLag(context, run.idsOf(id)))
  if (isDeleted) {
    context.log.info(
      `service ${id}, which this run created, was deleted by another run: waiting up to ${renderDuration(longestReadLag)} for the database that the other run may create in its place`,
    )
    const isNew = isYoung(context, observer.creation?.record ?? { service_id: id })
    await waitUntilGone(context, run.idsOf(id), isNew)
    observer.noteGone(id)
    const isFollowed = await waitFor(context, {
      what: `for a database of ${preview.base} to appear in the list`,
      why: 'another run may be creating one',
      interval: listInterval,
      until: Math.min(context.deadline, context.seam.now() + longestReadLag),
      check: async () => {
        await observer.readList()
        return observer.alive.length > 0 || undefined
      },
    })
    if (isFollowed) return observer.noteInterruption()
  }
  throw new PreviewError(
    `the preview ${preview.base} (service ${id}) was deleted while it was being created`,
    'run the step again if the pull request is still open',
  )
}

function noPreviewError({ preview, observer }: Run, after = ''): PreviewError {
  const { base, pullRequest } = preview
  const missing = `there is no preview ${base}${after}`
  const others = [...observer.otherPrefixes].sort().join(', ')
  const subject = pullRequest === undefined ? 'the merge queue entry' : `pull request ${pullRequest}`
  return others === ''
    ? new PreviewError(
        missing,
        'run create-preview (or preview) for it, in the same project, with the same name_prefix and pull request',
      )
    : new PreviewError(
        `${missing}; ${subject} has previews with name_prefix ${others}`,
        'set name_prefix to that of the preview',
      )
}

/** Whether the list shows the preview. A temporary failure counts as no. */
async function hasPreview(run: Run): Promise<boolean> {
  const { signal, log } = run.context
  try {
    await run.observer.readList()
    return run.observer.alive.length > 0
  } catch (failure) {
    signal.throwIfAborted()
    if (!isTemporary(failure)) throw failure
    log.debug(`searching for the preview: ${messageOf(failure)}`)
    return false
  }
}

/**
 * Waits until another run has created the preview, and checks on GitHub at intervals whether it is still needed.
 * @throws PreviewError if none exists by the deadline, or at once if the step does not wait
 */
export async function waitForCreation(run: Run): Promise<void> {
  const { context, observer, preview, desired } = run
  const { seam, deadline } = context
  if (desired.isHurried) throw noPreviewError(run)
  const start = seam.now()
  let lastCheck = start
  const result = await waitFor(context, {
    what: `for the preview ${preview.base} to be created`,
    why: 'there is none yet, and this step does not create it',
    interval: intervals.list,
    until: deadline,
    startsLater: true,
    check: async progress => {
      if (await hasPreview(run)) {
        progress.report(`service ${observer.alive[0]?.id} is the preview ${preview.base}`)
        return { refusal: undefined }
      }
      if (seam.now() - lastCheck < intervals.pullRequest) return undefined
      lastCheck = seam.now()
      const refusal = await readReasonAgainst(context, preview)
      return refusal === undefined ? undefined : { refusal }
    },
  })
  if (result === undefined) throw noPreviewError(run, ` after ${renderDuration(seam.now() - start)}`)
  if (result.refusal !== undefined) return run.refuse(result.refusal)
  observer.hasWaited = true
}
