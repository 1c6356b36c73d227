/** Serves HTTP requests. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EndpointName } from '#api/endpoints'
import type { DataPlane } from '../data-plane.ts'
import { describeApi } from '../openapi/document.ts'
import type { Keys } from '../persistence/keys.ts'
import type { Effect } from '../store/effect.ts'
import type { DatabaseFacts } from '../store/handler.ts'
import { conflict, notFound, Refusal } from '../store/refusal.ts'
import { type Reply, refuse, type Store } from '../store/store.ts'
import { type ApiRequest, answer } from './answer.ts'
import { type CallerNames, checkCaller } from './caller-guard.ts'
import { askDatabases } from './databases/database-facts.ts'
import type { EffectQueue } from './databases/effect-queue.ts'
import { applyFault } from './faults/apply-fault.ts'
import { type FaultHook, isProcessed } from './faults/faults.ts'
import { jsonPayload, type Payload, send } from './payload.ts'
import { parseBody, readBody, readTarget, routeOf, type Target, toApiRequest } from './read-request.ts'
import { basePath, type Route } from './router.ts'

/** The record of a request, without secrets. */
export interface RequestRecord {
  method: string
  /** As requested, without the query. */
  path: string
  operation: EndpointName | undefined
  hasAuthorization: boolean
  /** Undefined while there is no answer, or if a fault withheld it. */
  status: number | undefined
}

/** A request that was processed, and its answer. */
export interface Answered {
  operation: EndpointName | undefined
  /** The parameters in its path. */
  path: Record<string, string>
  /** The parsed body; undefined if there is none, or if it is not JSON. */
  request: unknown
  status: number
  body: unknown
}

/** Upper limit for stored requests, because an emulator may run for weeks. No test sends more. */
const maxRequests = 10_000

/** Bytes: far more than any request of the contract needs. */
const bodyLimit = 1024 * 1024

interface ExchangeParts {
  store: Store
  keys: Keys
  callers: CallerNames
  dataPlane: DataPlane | undefined
  effects: EffectQueue | undefined
  requests: RequestRecord[]
  /** Resolves when all current changes are safe on disk. */
  save: () => Promise<void>
  faults: FaultHook
  onRequest: (request: RequestRecord) => void
  onBody: (body: string) => void
  onAnswer: (answered: Answered) => void
  onProblem: (line: string) => void
}

/** The answer if an effect fails that the answer depends on. */
function failureOf(effect: Effect): Refusal | undefined {
  const advice = 'see the log of the service'
  if (effect.kind === 'set-password') {
    return new Refusal(500, 'INTERNAL', `the password could not be set; ${advice}`)
  }
  if (effect.kind !== 'open-forwarder' || effect.purpose !== 'pooler') return undefined
  return conflict(`the connection pooler could not be started, and is not enabled; ${advice}`)
}

function reply(response: ServerResponse, { status, body, headers }: Reply): number {
  return send(response, jsonPayload(status, body, headers))
}

/** Serves HTTP requests: reads, records and answers each one, and applies faults. */
export class Exchange {
  readonly #parts: ExchangeParts

  constructor(parts: ExchangeParts) {
    this.#parts = parts
  }

  /** Never rejects. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = readTarget(request.url ?? '')
    const route = routeOf(request.method ?? '', target.path)
    const record: RequestRecord = {
      method: request.method ?? '',
      path: target.path,
      operation: route?.operation,
      hasAuthorization: request.headers.authorization !== undefined,
      status: undefined,
    }
    this.#record(record)
    try {
      record.status = await this.#respond(request, response, target, route)
    } catch (error) {
      record.status = this.#giveUp(request, response, error)
    }
    this.#parts.onRequest(record)
  }

  #record(record: RequestRecord): void {
    const { requests } = this.#parts
    requests.push(record)
    if (requests.length > maxRequests) requests.shift()
  }

  async #respond(
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
    route: Route | undefined,
  ) {
    const body = await readBody(request, bodyLimit)
    checkCaller(request.headers, this.#parts.callers)
    if (body === undefined)
      return reply(response, refuse(new Refusal(413, 'TOO_LARGE', 'the body is too large')))
    if (target.path === '/openapi.json' && request.method === 'GET') {
      return send(response, jsonPayload(200, describeApi()))
    }
    if (!target.path.startsWith(`${basePath}/`)) {
      return reply(response, refuse(notFound(`${target.path} (the API is below ${basePath})`)))
    }
    this.#parts.onBody(body)
    const apiRequest = toApiRequest(request, target, body)
    const { method, path } = apiRequest
    const fault = this.#parts.faults({ method, path, operation: route?.operation, body: parseBody(body) })
    const payload = isProcessed(fault) ? await this.#process(apiRequest, route) : undefined
    if (fault) return applyFault(response, fault, payload)
    return payload && send(response, payload)
  }

  async #process(apiRequest: ApiRequest, route: Route | undefined): Promise<Payload> {
    const { store, keys, dataPlane, onBody, onAnswer } = this.#parts
    const facts = dataPlane ? await askDatabases(dataPlane, route, apiRequest.query) : {}
    const answered = answer(store, keys, apiRequest, facts, route)
    this.#releaseUnused(facts, answered)
    const { status, body, headers } = await this.#carryOut(answered)
    // A change answered with success must survive any end of the emulator. Reads change nothing.
    if (apiRequest.method !== 'GET' && status < 300) await this.#parts.save()
    const payload = jsonPayload(status, body, headers)
    const request = parseBody(apiRequest.body)
    onAnswer({ operation: route?.operation, path: route?.path ?? {}, request, status, body })
    onBody(payload.body)
    return payload
  }

  /** Releases the address reserved for a refused call. */
  #releaseUnused({ reserved }: DatabaseFacts, { effects }: Reply): void {
    const isUsed = effects.some(effect => 'reserved' in effect && effect.reserved === reserved)
    if (reserved && !isUsed) this.#parts.dataPlane?.releaseAddress(reserved)
  }

  /** Starts the effects. Awaits those that the API's answer reports as complete. */
  async #carryOut(answered: Reply): Promise<Reply> {
    const { effects } = this.#parts
    const started = answered.effects.map(effect => ({
      failure: failureOf(effect),
      done: effects?.add(effect),
    }))
    for (const { failure, done } of started) if (failure && !(await done)) return refuse(failure)
    return answered
  }

  /**
   * Ends an exchange that was refused, that the caller left, or that hit a bug. The emulator continues in each case.
   */
  #giveUp(request: IncomingMessage, response: ServerResponse, error: unknown): number | undefined {
    if (error instanceof Refusal) return reply(response, refuse(error))
    if (request.destroyed && !request.complete) return undefined
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#parts.onProblem(`${request.method} ${request.url} failed through a bug of the emulator: ${problem}`)
    if (response.headersSent) return undefined
    return reply(response, refuse(new Refusal(500, 'INTERNAL', 'the emulator has a bug: see its stderr')))
  }
}
