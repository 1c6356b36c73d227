/** Runs calls that change a record, with conflicts and needless changes. */
import type { AnyRecord } from '#api/resource'
import { ApiError, messageOf, renderAdvised, type UnreadableAnswerError } from '#base/errors'
import type { ReadMalformed } from '#client/answer'
import type { Calls, Waiting, WithSettings } from './base/context.ts'
import { type Call, firstOutcome, idsOf, labelOf, resourceOf } from './base/endpoint-outcome.ts'
import type { Outcome } from './base/outcome.ts'
import { readRecord, statusOf } from './base/read-record.ts'
import { rest, retry } from './wait/wait-log.ts'

const busyPause = 3000

/** Refusals that do not concern the state of the record. */
const otherRefusals = [401, 403, 404, 408, 429]

/** Whether the state of the record may have caused the refusal. The specification does not define a status for that. */
const isRefused = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && failure.status < 500 && !otherRefusals.includes(failure.status)

/** The valid fields of malformed records stay in the list. */
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
  const isBusy = (failure: unknown) => isRefused(failure) && row.busy?.test(failure.serverMessage)
  const send = async () => {
    const problems: UnreadableAnswerError[] = []
    const readMalformed: ReadMalformed = (entry, problem) => {
      problems.push(problem)
      return [entry]
    }
    const answer = await client.callAny(name, parameters, { readMalformed })
    warnOfMalformed(context, problems)
    return answer
  }
  return await retry(context, send, {
    interval: busyPause,
    until: failure => (settings.wait && isBusy(failure) ? deadline : undefined),
    describe: failure => (isRefused(failure) ? failure.serverMessage : messageOf(failure)),
  })
}

/** A 400 concerns the state if the call has no field that could be malformed (docs/internals/api.md, "Already as requested"). */
const isOfState = ({ row: { already, body } }: Call, { status }: ApiError) =>
  status === 409 || (status === 400 && already?.call === 'refused' && body === undefined)

/** Reads the record. Ignores a failure: if it matters, the call itself fails too. */
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
  await rest(context, settings.listLag, { what })
  return await readNow(context, call)
}

const isSo = ({ row, parameters }: Call, record: AnyRecord | undefined) =>
  record !== undefined && row.already?.is(record, parameters) === true

const describeSo = (call: Call) => `${labelOf(call)} ${call.row.already?.words(call.parameters)}`

interface Change {
  outcome: Outcome
  isDone: boolean
}

/** Logs why the call changed nothing. */
function unchanged({ log }: Waiting, call: Call, record?: AnyRecord, line = describeSo(call)): Outcome {
  log.info(line)
  return { ...firstOutcome(call, undefined), record, result: record, changed: false }
}

/** During another change, the state of the record is not final. */
const isUnderWay = ({ serverMessage }: ApiError) => /\bbeing\b|again later/i.test(serverMessage)

/** After a refusal: the outcome if the record has the requested state or will have it; otherwise undefined. */
async function afterRefusal(context: Calls, call: Call, failure: unknown): Promise<Change | undefined> {
  const { already } = call.row
  if (already === undefined || !isRefused(failure)) return undefined
  // A lagging read may not show the state that the API refused, so it is read a second time.
  const reads = isOfState(call, failure) ? [readNow, readLater] : [readNow]
  for (const read of reads) {
    const record = await read(context, call)
    if (isSo(call, record) && !isUnderWay(failure))
      return { outcome: unchanged(context, call, record), isDone: true }
    if (record !== undefined && already.comes(record)) {
      const line = `${labelOf(call)} is ${statusOf(record)} because of another call`
      return { outcome: unchanged(context, call, record, line), isDone: false }
    }
  }
  return undefined
}

/** Sends a call that creates nothing. A record in the requested state is not a failure (src/api/goal.ts). */
export async function change(context: Calls & WithSettings<'wait'>, call: Call): Promise<Change> {
  const { already } = call.row
  let known = already && already.call !== 'refused' ? await readNow(context, call) : undefined
  if (already?.call === 'spared' && isSo(call, known)) {
    const later = await readLater(context, call)
    if (isSo(call, later)) return { outcome: unchanged(context, call, later), isDone: true }
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
  // Logged at once, because the following wait may fail.
  if (outcome.message) context.log.info(`${call.name}: ${outcome.message}`)
  if (!isSo(call, known)) return { outcome, isDone: false }
  context.log.info(describeSo(call))
  return { outcome: { ...outcome, changed: false }, isDone: false }
}
