import type { AnyRecord } from '#api/resource'
import { ApiError, messageOf } from '#base/errors'
import { callAny } from '#client/client'
import type { Calls, Waiting, WithSettings } from './base/context.ts'
import { type Call, firstOutcome, idsOf, labelOf, resourceOf } from './base/endpoint-outcome.ts'
import type { Outcome } from './base/outcome.ts'
import { readRecord, statusOf } from './base/read-record.ts'
import { MalformedRecords } from './malformed-records.ts'
import { retry } from './wait/retry.ts'
import { rest } from './wait/wait-log.ts'

const busyPause = 3000

/** Statuses of a refusal that is not about the state of the record. */
const otherRefusals = [401, 403, 404, 408, 429]

/** The call may have been refused because of the state of the record: no specification says with which status. */
const isRefused = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && failure.status < 500 && !otherRefusals.includes(failure.status)

/** Sends the call. While the server says that the record is busy, sends it again, up to the deadline. */
async function sendWhenFree(
  context: Calls & WithSettings<'wait'>,
  { name, row, parameters }: Call,
): Promise<unknown> {
  const { client, settings, deadline } = context
  const isBusy = (failure: unknown) => isRefused(failure) && row.busy?.test(failure.serverMessage)
  const send = async () => {
    const malformed = new MalformedRecords()
    const answer = await callAny(client)(name, parameters, { readMalformed: malformed.keep })
    malformed.warn(context)
    return answer
  }
  return await retry(context, send, {
    interval: busyPause,
    until: failure => (settings.wait && isBusy(failure) ? deadline : undefined),
    describe: failure => (isRefused(failure) ? failure.serverMessage : messageOf(failure)),
  })
}

/** A 409 always is; a 400 where the call holds nothing that could be malformed (docs/internals/api.md, "What is so already"). */
const isOfState = ({ row: { already, body } }: Call, { status }: ApiError) =>
  status === 409 || (status === 400 && already?.call === 'refused' && body === undefined)

/** The result of a call. `isDone`: there is nothing left to wait for. */
interface Change {
  outcome: Outcome
  isDone: boolean
}

/** Reads the record. A failure is ignored here: if it matters, the call itself will fail too. */
async function look(context: Calls, call: Call): Promise<AnyRecord | undefined> {
  const resource = resourceOf(call.row)
  if (resource === undefined) return undefined
  try {
    return await readRecord(context.client, resource, idsOf(call))
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.debug(`looking first: ${messageOf(failure)}`)
    return undefined
  }
}

/** Waits until reads must show all earlier writes, then reads the record; undefined when there is no time for that. */
async function lookLater(context: Calls, call: Call): Promise<AnyRecord | undefined> {
  const { seam, settings, deadline } = context
  if (seam.now() + settings.listLag > deadline) return undefined
  await rest(context, settings.listLag, {
    what: `for reads of ${labelOf(call)} to show every earlier change`,
  })
  return await look(context, call)
}

const isSo = ({ row, parameters }: Call, record: AnyRecord | undefined) =>
  record !== undefined && row.already?.is(record, parameters) === true

/** `service s1 is already …`. */
const describeSo = (call: Call) => `${labelOf(call)} ${call.row.already?.words(call.parameters)}`

/** The outcome when the record already is as the call asks: nothing was changed. */
function needless(context: Waiting, call: Call, record: AnyRecord | undefined): Change {
  context.log.info(describeSo(call))
  const outcome = firstOutcome(call, undefined)
  return { outcome: { ...outcome, record, result: record, changed: false }, isDone: true }
}

/** While a change is under way, the state of the record is not final. */
const isUnderWay = ({ serverMessage }: ApiError) => /\bbeing\b|again later/i.test(serverMessage)

/** After a refusal: the outcome if the record already is as asked, or is about to be; else undefined. */
async function afterRefusal(context: Calls, call: Call, failure: unknown): Promise<Change | undefined> {
  const { already } = call.row
  if (already === undefined || !isRefused(failure)) return undefined
  // A refusal of the state, which a lagging read may not show yet: worth a second look.
  const looks = isOfState(call, failure) ? [look, lookLater] : [look]
  for (const lookNow of looks) {
    const record = await lookNow(context, call)
    if (isSo(call, record) && !isUnderWay(failure)) return needless(context, call, record)
    if (record !== undefined && already.comes?.(record)) {
      context.log.info(`${labelOf(call)} is ${statusOf(record)}: another call asked for the same`)
      const outcome = firstOutcome(call, undefined)
      return { outcome: { ...outcome, record, result: record, changed: false }, isDone: false }
    }
  }
  return undefined
}

/** Sends a call that creates nothing. If the record already is as asked, that is no failure (src/api/already.ts). */
export async function change(context: Calls & WithSettings<'wait'>, call: Call): Promise<Change> {
  const { already } = call.row
  let known = already && already.call !== 'refused' ? await look(context, call) : undefined
  if (already?.call === 'spared' && isSo(call, known)) {
    const later = await lookLater(context, call)
    if (isSo(call, later)) return needless(context, call, later)
    known = later ?? known
  }
  let answer: unknown
  try {
    answer = await sendWhenFree(context, call)
  } catch (failure) {
    const change = await afterRefusal(context, call, failure)
    if (change) return change
    throw failure
  }
  const outcome = firstOutcome(call, answer)
  // Said at once: the wait that follows may fail.
  if (outcome.message) context.log.info(`${call.name}: ${outcome.message}`)
  if (!isSo(call, known)) return { outcome, isDone: false }
  context.log.info(describeSo(call))
  return { outcome: { ...outcome, changed: false }, isDone: false }
}
