/** Finds and deletes duplicates: further records that a superfluous request created. */
import { type AnyRecord, describeRecord, resources } from '#api/resource'
import { renderAdvised } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import type { Calls, Waiting, WithSettings } from '../base/context.ts'
import { idOf, withId } from '../base/read-record.ts'
import type { Creation } from '../create/create-once.ts'
import { describePlan, findCandidates } from '../create/intent.ts'
import { logAndPause } from '../wait/wait-log.ts'
import { reasonToKeep, requestDeletion } from './request-deletion.ts'

/** Waits until a request with a lost answer can no longer create a record. @returns false at the deadline */
export async function waitOutLostRequest(context: Waiting, duplicateUntil: number | undefined) {
  const { seam, deadline } = context
  const left = (duplicateUntil ?? 0) - seam.now()
  if (left <= 0) return true
  const patience = Math.max(0, Math.min(left, deadline - seam.now()))
  await logAndPause(context, patience, {
    what: 'for a second record',
    why: 'the request with the lost answer may still create one',
  })
  return patience === left
}

async function findDuplicates(context: Calls, { intent, record }: Creation): Promise<AnyRecord[]> {
  const warn = (failure: unknown) =>
    context.log.warning(
      `${describePlan(intent)} may have been created twice, and the list is unreadable: ${renderAdvised(failure)}`,
      'possible duplicate',
    )
  try {
    const candidates = await findCandidates(context.client, intent, {}, warn)
    return candidates.filter(candidate => idOf(intent.resource, candidate) !== idOf(intent.resource, record))
  } catch (failure) {
    context.signal.throwIfAborted()
    warn(failure)
    return []
  }
}

async function deleteDuplicate(context: Calls, { intent, record }: Creation, duplicate: AnyRecord) {
  const { resource, ids, isUniqueName } = intent
  const duplicateIds = withId(ids, resource, duplicate)
  const label = describeRecord(resource, duplicateIds)
  const reason = isUniqueName ? reasonToKeep(duplicate, intent) : "it may be another job's"
  if (reason !== undefined) {
    context.log.warning(`${label} has the same name and is kept: ${reason}`, 'possible duplicate')
    return
  }
  try {
    context.log.info(`${label} is a duplicate of ${idOf(resource, record)}: deleting it`)
    await requestDeletion(context, resource, duplicateIds)
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.warning(
      `${label} is a duplicate that could not be deleted; delete it by hand: ${renderAdvised(failure)}`,
      'created twice',
    )
  }
}

/** Warns of further records of one request, which a proxy may have repeated. With `cleanup: always`, the post step deletes them. */
export async function reportRepeats(context: Calls & WithSettings<'cleanup'>, { intent, record }: Creation) {
  const { log, signal, settings, client } = context
  const { resource, isUniqueName } = intent
  if (!isUniqueName || settings.cleanup === 'always') return
  try {
    const own = idOf(resource, record)
    const candidates = await findCandidates(client, intent)
    const ids = candidates.map(candidate => idOf(resource, candidate)).filter(id => id !== own)
    if (ids.length === 0) return
    log.warning(
      `one request created ${describePlan(intent)} more than once: besides ${own} there is ${ids.join(', ')}, which costs money too — delete it with ${resources[resource].delete}, unless the post step does so`,
      'created twice',
    )
  } catch (failure) {
    signal.throwIfAborted()
    log.info(`${describePlan(intent)} was not checked for a duplicate: ${messageOf(failure)}`)
  }
}

/**
 * Deletes the second record of a creating call with a lost answer. With an exact name it may be another
 * job's: then it is kept, with a warning. A failed deletion is a warning too, because the step succeeded.
 */
export async function deleteDuplicates(
  context: Calls & WithSettings<'cleanup' | 'wait'>,
  creation: Creation,
): Promise<void> {
  if (creation.duplicateUntil === undefined) return await reportRepeats(context, creation)
  const isOver = context.settings.wait && (await waitOutLostRequest(context, creation.duplicateUntil))
  for (const duplicate of await findDuplicates(context, creation))
    await deleteDuplicate(context, creation, duplicate)
  if (!isOver)
    context.log.warning(
      `the request with the lost answer may still create a second ${describePlan(creation.intent)}: search for it with the list operation in two minutes`,
      'possible duplicate',
    )
}
