import type { Endpoint } from '../api/endpoint.ts'
import { type EndpointName, endpoints } from '../api/endpoints.ts'
import { callAny } from '../client/client.ts'
import { renderDuration } from '../client/duration.ts'
import { ApiError } from '../client/errors.ts'
import type { Context, GivenParameters } from './context.ts'
import { firstOutcome, idsOf, labelOf, resourceOf } from './endpoint-outcome.ts'
import type { Outcome } from './outcome.ts'
import { readRecord, statusOf } from './read-record.ts'

const busyPause = 3000

/** Sends the call, and sends it again while the server says that it is busy with the record, up to the deadline. */
async function sendWhenFree(
  context: Context,
  name: EndpointName,
  parameters: GivenParameters,
): Promise<unknown> {
  const { busy }: Endpoint = endpoints[name]
  const { client, seam, signal, log, settings, deadline } = context
  for (;;) {
    try {
      return await callAny(client)(name, parameters)
    } catch (failure) {
      const passes =
        failure instanceof ApiError && failure.status === 409 && busy?.test(failure.serverMessage)
      if (!passes || !settings.wait || seam.now() + busyPause > deadline) throw failure
      log.info(`${failure.serverMessage}; trying again in ${renderDuration(busyPause)}`)
    }
    await seam.sleep(busyPause, signal)
  }
}

/** What a call came to; `isDone` where there is nothing left to wait for. */
interface Change {
  outcome: Outcome
  isDone: boolean
}

/** One call, and what is known of the record that it is about. */
interface Call {
  name: EndpointName
  row: Endpoint
  parameters: GivenParameters
  context: Context
}

/** The record now. A look that fails says nothing: the call itself will tell. */
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

/** A look after reads have caught up with all changes of before; undefined where there is no time for it. */
async function lookLater(call: Call): Promise<unknown> {
  const { seam, settings, signal, deadline } = call.context
  if (seam.now() + settings.listLag > deadline) return undefined
  await seam.sleep(settings.listLag, signal)
  return await look(call)
}

const isSo = ({ row, parameters }: Call, record: unknown) =>
  record !== undefined && row.already?.is(record, parameters as never) === true

/** The record has it already. */
function needless(call: Call, record: unknown): Change {
  const { name, row, parameters, context } = call
  context.log.info(`${labelOf(row, parameters)} ${row.already?.words(parameters as never)}`)
  const outcome = firstOutcome(name, row, parameters, undefined)
  return { outcome: { ...outcome, record, result: record, changed: false }, isDone: true }
}

/** Turned down for the state that the record is in. A change under way says nothing of how it will be. */
const isRefused = (failure: unknown) =>
  failure instanceof ApiError && [400, 409, 422].includes(failure.status)
const isUnderWay = (failure: unknown) => /\bbeing\b|again later/i.test((failure as ApiError).serverMessage)

/** After a refusal: what it comes to where the record has already, or is about to have, what was asked for. */
async function afterRefusal(call: Call, failure: unknown): Promise<Change | undefined> {
  const { name, row, parameters, context } = call
  if (row.already === undefined || !isRefused(failure)) return undefined
  // Only a conflict is about the state, which an old record may not show.
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

/** Sends a call that creates nothing; what is so already is no failure, and no change (src/api/already.ts). */
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
  if (!isSo(call, known)) return { outcome, isDone: false }
  context.log.info(`${labelOf(row, parameters)} ${already?.words(parameters as never)}`)
  return { outcome: { ...outcome, changed: false }, isDone: false }
}
