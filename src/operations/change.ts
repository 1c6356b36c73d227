/** Changes a record: waits while the record is busy, and recognizes a record that has the requested state already. */
import { validFields } from '#api/list-items'
import type { AnyRecord } from '#api/resource'
import { ApiError, renderAdvised, type UnreadableAnswerError } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import type { ReadMalformed } from '#client/answer'
import type { Calls, Waiting, WithSettings } from './base/context.ts'
import { type Call, idsOf, labelOf, outcomeOfAnswer, resourceOf } from './base/endpoint-outcome.ts'
import type { Outcome } from './base/outcome.ts'
import { readRecord, statusOf } from './base/read-record.ts'
import { logAndPause, retry } from './wait/wait-log.ts'

const busyPause = 3000

/** Statuses of refusals that never concern the state of the record. */
const unrelatedRefusals = [401, 403, 404, 408, 429]

/** Whether the state of the record may have caused the refusal. The specification does not define a status for that. */
const mayConcernState = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && failure.status < 500 && !unrelatedRefusals.includes(failure.status)

function warnOfMalformed({ log }: Waiting, problems: UnreadableAnswerError[]): void {
  const [first] = problems
  if (first === undefined) return
  const records = problems.length === 1 ? 'a record' : `${problems.length} records`
  log.warning(
    `${records} of the list ${problems.length === 1 ? 'is' : 'are'} malformed, so the outputs contain only the valid fields: ${renderAdvised(first)}`,
    'malformed record',
  )
}

/** Sends the call, and repeats it up to the deadline while the server reports that the record is busy. */
async function sendWhenFree(context: Calls & WithSettings<'wait'>, { name, row, parameters }: Call) {
  const { client, settings, deadline } = context
  const isBusy = (failure: unknown) => mayConcernState(failure) && row.busy?.test(failure.serverMessage)
  const send = async () => {
    const problems: UnreadableAnswerError[] = []
    const readMalformed: ReadMalformed = (entry, problem) => {
      problems.push(problem)
      return [validFields(row.response, entry)]
    }
    const answer = await client.callAny(name, parameters, { readMalformed })
    warnOfMalformed(context, problems)
    return answer
  }
  return await retry(context, send, {
    interval: busyPause,
    until: failure => (settings.wait && isBusy(failure) ? deadline : undefined),
    describe: failure => (mayConcernState(failure) ? failure.serverMessage : messageOf(failure)),
  })
}

/** Whether a refusal certainly concerns the state. A 400 does if the call has no field that could be malformed (docs/internals/api.md, "Already as requested"). */
const isAboutState = ({ row: { already, body } }: Call, { status }: ApiError) =>
  status === 409 || (status === 400 && already?.call === 'refused' && body === undefined)

/** Reads the record; undefined after a failure. If the failure matters, the call itself fails too. */
async function readNow(context: Calls, call: Call): Promise<AnyRecord | undefined> {
  const resource = resourceOf(call.row)
  if (resource === undefined) return undefined
  try {
    return await readRecord(context.client, resource, idsOf(call))
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.debug(`reading the record first: ${messageOf(failure)}`)
    return undefined
  }
}

/** Reads the record once reads show all earlier changes. Undefined if the deadline is too close. */
async function readLater(context: Calls, call: Call): Promise<AnyRecord | undefined> {
  const { seam, settings, deadline } = context
  if (seam.now() + settings.listLag > deadline) return undefined
  const what = `for reads of ${labelOf(call)} to show every earlier change`
  await logAndPause(context, settings.listLag, { what })
  return await readNow(context, call)
}

const isAsRequested = ({ row, parameters }: Call, record: AnyRecord | undefined) =>
  record !== undefined && row.already?.is(record, parameters) === true

const describeAsRequested = (call: Call) => `${labelOf(call)} ${call.row.already?.describe(call.parameters)}`

interface Change {
  outcome: Outcome
  /** The record has the requested state, so no wait follows. */
  isDone: boolean
}

/** Logs why the call changed nothing, and returns its outcome. */
function reportUnchanged({ log }: Waiting, call: Call, record?: AnyRecord, line = describeAsRequested(call)) {
  log.info(line)
  return { ...outcomeOfAnswer(call, undefined), record, result: record, changed: false }
}

/** Whether the API refused the call because of another change: then the state of the record is not final. */
const isUnderWay = ({ serverMessage }: ApiError) => /\bbeing\b|again later/i.test(serverMessage)

/** After a refusal: the outcome if the record has the requested state or will have it; otherwise undefined. */
async function afterRefusal(context: Calls, call: Call, failure: unknown): Promise<Change | undefined> {
  const { already } = call.row
  if (already === undefined || !mayConcernState(failure)) return undefined
  // A lagging read may not show the state that the API refused, so it is read a second time.
  const reads = isAboutState(call, failure) ? [readNow, readLater] : [readNow]
  for (const read of reads) {
    const record = await read(context, call)
    if (isAsRequested(call, record) && !isUnderWay(failure))
      return { outcome: reportUnchanged(context, call, record), isDone: true }
    if (record !== undefined && already.isComing(record)) {
      const line = `${labelOf(call)} is ${statusOf(record)} because of another call`
      return { outcome: reportUnchanged(context, call, record, line), isDone: false }
    }
  }
  return undefined
}

/** Sends a call that creates nothing. A record in the requested state is not a failure (src/api/goal.ts). */
export async function changeRecord(context: Calls & WithSettings<'wait'>, call: Call): Promise<Change> {
  const { already } = call.row
  let before = already && already.call !== 'refused' ? await readNow(context, call) : undefined
  if (already?.call === 'spared' && isAsRequested(call, before)) {
    const later = await readLater(context, call)
    if (isAsRequested(call, later)) return { outcome: reportUnchanged(context, call, later), isDone: true }
    before = later ?? before
  }
  let answer: unknown
  try {
    answer = await sendWhenFree(context, call)
  } catch (failure) {
    const change = await afterRefusal(context, call, failure)
    if (change) return change
    throw failure
  }
  const outcome = outcomeOfAnswer(call, answer)
  // Logged at once, because the following wait may fail.
  if (outcome.message) context.log.info(`${call.name}: ${outcome.message}`)
  if (!isAsRequested(call, before)) return { outcome, isDone: false }
  context.log.info(describeAsRequested(call))
  return { outcome: { ...outcome, changed: false }, isDone: false }
}
