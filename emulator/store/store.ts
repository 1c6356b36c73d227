/** The emulated service as a state machine. */
import type { Answer, EndpointParameters } from '#api/endpoint'
import { type EndpointName, type Endpoints, endpoints } from '#api/endpoints'
import type { Address } from '../data-plane.ts'
import { type Effect, pendingEffect } from './effect.ts'
import type { Caller, DatabaseFacts, Handler, HandlerContext, Project, TimeSeriesType } from './handler.ts'
import { handlers } from './handlers/handlers.ts'
import { advance } from './progress/advance.ts'
import {
  type Completion,
  recordCompletion,
  recordFailure,
  recordLoss,
  recordReturn,
} from './progress/reports.ts'
import { defaultTiming, type Timing } from './progress/timing.ts'
import type { Random } from './random-values.ts'
import { conflict, Refusal } from './refusal.ts'
import { emptyState, type PeeringFate, type State } from './state.ts'

export interface StoreOptions {
  /** Milliseconds since 1970. */
  now: () => number
  /** As Math.random. */
  random: Random
  /**
   * `real`: a data plane runs the effects and reports each with `completed` or `failed`. `invented`
   * (default): every effect counts as done at once, at an address without a listener.
   */
  databases?: 'real' | 'invented'
  project?: Project
  publicKey?: string
  timing?: Partial<Timing>
  /** The state of another store, to continue from; empty by default. */
  state?: State
  maxServices?: number
  maxDatabases?: number
  peerings?: PeeringFate
  timeSeriesType?: TimeSeriesType
}

/** The API's answer, and the effects for the data plane. */
export interface Reply<Body = unknown> {
  status: number
  body: Body
  effects: Effect[]
  /** In addition to those of every answer. */
  headers?: Record<string, string>
}

export interface ErrorBody {
  code: string
  message: string
}

/** A refusal as the API's error body. */
export function refuse({ status, code, message, headers }: Refusal): Reply<ErrorBody> {
  return { status, body: { code, message }, effects: [], headers }
}

export const defaultProject: Project = { id: 'em00000001', name: 'emulator' }

/** An address without a listener: `.invalid` never resolves (RFC 2606). */
function inventedAddressOf(id: string, what: 'databases' | 'pooler' | 'vpc'): Address {
  return { host: `${id}.${what}.invalid`, port: what === 'databases' ? 5432 : 6432 }
}

function inventedAddress(effect: Effect): Address | undefined {
  switch (effect.kind) {
    case 'create-service':
    case 'fork-service':
    case 'start-service':
      return inventedAddressOf(effect.serviceId, 'databases')
    case 'create-replica':
      return inventedAddressOf(effect.replicaSetId, 'databases')
    case 'open-forwarder':
      return inventedAddressOf(effect.targetId, effect.purpose)
    default:
      return undefined
  }
}

/**
 * The emulated service as a pure state machine: no timers, no I/O, no randomness of its own. The status of
 * each record is computed from the elapsed time, so that a simulator can drive it in virtual time.
 */
export class Store {
  readonly project: Project
  readonly #options: StoreOptions
  readonly #timing: Timing
  /** The whole state of the store; may be kept elsewhere, but not changed. */
  readonly state: State

  constructor(options: StoreOptions) {
    this.#options = options
    this.#timing = { ...defaultTiming, ...options.timing }
    this.project = options.project ?? defaultProject
    this.state = options.state ?? emptyState(options.now())
  }

  /**
   * Answers one call of the API. Never throws: a refused call returns the status and the `{code, message}` of
   * the refusal, and changes nothing.
   */
  call<Name extends EndpointName>(
    name: Name,
    params: EndpointParameters<Endpoints[Name]>,
    databases: DatabaseFacts = {},
    caller: Caller = 'key',
  ): Reply<Answer<Endpoints[Name]> | ErrorBody> {
    const effects: Effect[] = []
    const context = this.#context(effects, databases, caller)
    advance(this.state, this.#timing, context.now)
    try {
      const handler: Handler<Name> = handlers[name]
      const body = handler(context, params)
      return { status: endpoints[name].status, body, effects: this.#completeInvented(effects) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return refuse(error)
    }
  }

  /** The data plane reports that an effect is done, with the address and the statistics of the database that it opened. */
  completed(effectId: string, result: Completion = {}): void {
    recordCompletion(this.state, effectId, result, this.#options.now())
  }

  /** The data plane reports that an effect failed for good. */
  failed(effectId: string, message: string): void {
    recordFailure(this.state, effectId, message, this.#options.now())
  }

  /** The database of a service or replica set has ended by itself, or could not be restored. */
  lost(id: string, message: string): void {
    recordLoss(this.state, id, message, this.#advance())
  }

  /** The database of a service or replica set runs at this address, or has this second address. */
  found(id: string, address: Address, purpose?: 'pooler' | 'vpc'): void {
    recordReturn(this.state, id, address, purpose, this.#advance())
  }

  /** Applies the changes that have ended; returns the time. */
  #advance(): number {
    const now = this.#options.now()
    advance(this.state, this.#timing, now)
    return now
  }

  #context(effects: Effect[], databases: DatabaseFacts, caller: Caller): HandlerContext {
    const { now, random, publicKey = 'local', peerings = 'accepted' } = this.#options
    const { maxServices = Infinity, maxDatabases = Infinity, timeSeriesType = 'TIMESERIESDB' } = this.#options
    const state = this.state
    return {
      state,
      now: now(),
      random,
      timing: this.#timing,
      project: this.project,
      publicKey,
      caller,
      maxServices,
      maxDatabases,
      peerings,
      timeSeriesType,
      databases,
      addressFor: id => {
        if (this.#options.databases !== 'real') return inventedAddressOf(id, 'databases')
        if (databases.noAddress !== undefined) throw conflict(databases.noAddress)
        return databases.reserved
      },
      start(effect) {
        state.effectCount += 1
        const id = `effect-${state.effectCount}`
        state.effects.set(id, pendingEffect(effect))
        effects.push({ ...effect, id })
        return id
      },
    }
  }

  #completeInvented(effects: Effect[]): Effect[] {
    if (this.#options.databases === 'real') return effects
    for (const effect of effects) this.completed(effect.id, { address: inventedAddress(effect) })
    return []
  }
}
