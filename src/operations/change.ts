import type { Endpoint } from '../api/endpoint.ts'
import { type EndpointName, endpoints } from '../api/endpoints.ts'
import { renderDuration } from '../base/duration.ts'
import { ApiError } from '../base/errors.ts'
import { callAny } from '../client/client.ts'
import type { Context, GivenParameters } from './context.ts'
import { firstOutcome, idsOf, labelOf, resourceOf } from './endpoint-outcome.ts'
import { OddEntries } from './odd-entries.ts'
import type { Outcome } from './outcome.ts'
import { readRecord, statusOf } from './read-record.ts'
import { rest, restAfter } from './wait-log.ts'

const busyPause = 3000

/** Sends the call. While the server says that the record is busy, sends it again, up to the deadline. */
async function sendWhenFree(
  context: Context,
  name: EndpointName,
  parameters: GivenParameters,
): Promise<unknown> {
  const { busy }: Endpoint = endpoints[name]
  const { client, seam, settings, deadline } = context
  for (;;) {
    try {
      const odd = new OddEntries()
      const answer = await callAny(client)(name, parameters, { readOdd: odd.keep })
      odd.warn(context)
      return answer
    } catch (failure) {
      const passes = isRefused(failure) && busy?.test(failure.serverMessage)
      if (!passes || !settings.wait || seam.now() + busyPause > deadline) throw failure
      const line = `${failure.serverMessage}; trying again in ${renderDuration(busyPause)}`
      await restAfter(context, { line, name: 'waiting to try again', milliseconds: busyPause })
    }
  }
}

/** The result of a call. `isDone`: there is nothing left to wait for. */
interface Change {
  outcome: Outcome
  isDone: boolean
}

/** One call to be made, with everything needed to make it. */
interface Call {
  name: EndpointName
  row: Endpoint
  parameters: GivenParameters
  context: Context
}

/** Reads the record. A failure is ignored here: if it matters, the call itself will fail too. */
async function look({ row, parameters, context }: Call): Promise<unknown> {
  const resource = resourceOf(row)
  if (resource === undefined) return undefined
  try {
    return await readRecord(context.client, resource, idsOf(row, parameters))
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.debug(`looking first: ${(failure as Error).message}`)
    return undefined
  }
}

/** Waits until reads must show all earlier writes, then reads the record; undefined when there is no time for that. */
async function lookLater(call: Call): Promise<unknown> {
  const { seam, settings, deadline } = call.context
  if (seam.now() + settings.listLag > deadline) return undefined
  await rest(call.context, settings.listLag, {
    what: `for reads of ${labelOf(call.row, call.parameters)} to show every earlier change`,
  })
  return await look(call)
}

const isSo = ({ row, parameters }: Call, record: unknown) =>
  record !== undefined && row.already?.is(record, parameters as never) === true

/** The outcome when the record already is as the call asks: nothing was changed. */
function needless(call: Call, record: unknown): Change {
  const { name, row, parameters, context } = call
  context.log.info(`${labelOf(row, parameters)} ${row.already?.words(parameters as never)}`)
  const outcome = firstOutcome(name, row, parameters, undefined)
  return { outcome: { ...outcome, record, result: record, changed: false }, isDone: true }
}

/** Statuses of a refusal that is not about the state of the record. */
const otherRefusals = [401, 403, 404, 408, 429]

/**
 * The call may have been refused because of the state of the record: no specification says with which status. While a
 * change is under way, that state is not final.
 */
const isRefused = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && failure.status < 500 && !otherRefusals.includes(failure.status)
const isUnderWay = (failure: unknown) => /\bbeing\b|again later/i.test((failure as ApiError).serverMessage)

/** After a refusal: the outcome if the record already is as asked, or is about to be; else undefined. */
async function afterRefusal(call: Call, failure: unknown): Promise<Change | undefined> {
  const { name, row, parameters, context } = call
  if (row.already === undefined || !isRefused(failure)) return undefined
  // A 409 is about the state, and a lagging read may not show it yet: worth a second look.
  const looks = (failure as ApiError).status === 409 ? [look, lookLater] : [look]
  for (const lookNow of looks) {
    const record = await lookNow(call)
    if (isSo(call, record) && !isUnderWay(failure)) return needless(call, record)
    if (record !== undefined && row.already.comes?.(record)) {
      context.log.info(`${labelOf(row, parameters)} is ${statusOf(record)}: another call asked for the same`)
      const outcome = firstOutcome(name, row, parameters, undefined)
      return { outcome: { ...outcome, record, result: record, changed: false }, isDone: false }
    }
  }
  return undefined
}

/** Sends a call that creates nothing. If the record already is as asked, that is no failure (src/api/already.ts). */
export async function change(
  name: EndpointName,
  row: Endpoint,
  parameters: GivenParameters,
  context: Context,
): Promise<Change> {
  const call = { name, row, parameters, context }
  const { already } = row
  let known = already && already.call !== 'refused' ? await look(call) : undefined
  if (already?.call === 'spared' && isSo(call, known)) {
    const later = await lookLater(call)
    if (isSo(call, later)) return needless(call, later)
    known = later ?? known
  }
  let answer: unknown
  try {
    answer = await sendWhenFree(context, name, parameters)
  } catch (failure) {
    const change = await afterRefusal(call, failure)
    if (change) return change
    throw failure
  }
  const outcome = firstOutcome(name, row, parameters, answer)
  // Said at once: the wait that follows may fail.
  if (outcome.message) context.log.info(`${name}: ${outcome.message}`)
  if (!isSo(call, known)) return { outcome, isDone: false }
  context.log.info(`${labelOf(row, parameters)} ${already?.words(parameters as never)}`)
  return { outcome: { ...outcome, changed: false }, isDone: false }
}
