// Waits until a database accepts connections.

import { renderDuration } from '#base/duration'
import { ActionError, messageOf, renderAdvised } from '#base/errors'
import type { Connection } from '#postgres/connection'
import { LoginRefusedError } from '#postgres/login-refused'
import type { Databases, Waiting } from '../base/context.ts'
import type { Outcome } from '../base/outcome.ts'
import { describeTarget, reasonOf, renderTarget, type Target, targetsOf, withhold } from './targets.ts'
import { type WaitLog, waitFor } from './wait-log.ts'

/** The database did not accept a connection in time. */
export class UnreachableError extends ActionError {}

/** Whether no server answers at the address. A refused login does not count, because a server answered. */
export const isUnreachable = (failure: unknown) =>
  failure instanceof UnreachableError && !(failure.cause instanceof LoginRefusedError)

const pause = 500
/** Milliseconds. A new password may take a moment to work everywhere. */
const refusalPatience = 15_000
const attemptTimeout = 10_000

/** Milliseconds of attempts to reach an address that may be reachable only in its VPC. */
const vpcPatience = 10_000

interface Limits {
  /** Milliseconds for which a refused login is repeated. */
  patience: number
  /** On the clock of the seam's `now`. */
  deadline: number
}

/** Decides after a failed attempt to connect whether another one follows. */
class Attempts {
  #isFirst = true
  #refusedSince: number | undefined
  readonly #context: Waiting
  readonly #target: Target
  readonly #limits: Limits
  readonly #log: WaitLog

  constructor(context: Waiting, target: Target, limits: Limits, log: WaitLog) {
    this.#context = context
    this.#target = target
    this.#limits = limits
    this.#log = log
  }

  get elapsed(): number {
    return this.#log.elapsed
  }

  #logFailure(reason: string): void {
    const { excuse } = this.#target
    const line = `no connection to ${describeTarget(this.#target)} yet: ${reason}${excuse ? ` (${excuse})` : ''}`
    this.#log.name(this.#limits.deadline - this.#context.seam.now())
    if (this.#isFirst) this.#log.report(line)
    else this.#log.remind(line)
    this.#isFirst = false
  }

  /** Throws if another attempt is useless or would start too late. */
  weigh(error: unknown): void {
    const reason = reasonOf(error, this.#target)
    this.#logFailure(reason)
    if (!(error instanceof LoginRefusedError)) this.#refusedSince = undefined
    else this.#refusedSince ??= this.elapsed
    if (this.#refusedSince !== undefined && this.elapsed - this.#refusedSince >= this.#limits.patience) {
      throw new UnreachableError(
        `${describeTarget(this.#target)} refuses the login: ${reason}`,
        'check database_user and database_name, and that no other run sets another password',
        { cause: error },
      )
    }
    if (this.#context.seam.now() + pause <= this.#limits.deadline) return
    throw new UnreachableError(
      `${describeTarget(this.#target)} is ${this.#target.status} but accepts no connection: ${reason}`,
      'check that the runner can reach the database (VPC, firewall), and that sslmode is correct',
      { cause: error },
    )
  }
}

/**
 * Repeats `attempt` until it connects; each attempt gets its timeout in milliseconds.
 * @throws UnreachableError at the deadline, or if the login is refused repeatedly; any other ActionError at once
 */
export async function connectWithRetries<Result>(
  context: Waiting,
  target: Target,
  limits: Limits,
  attempt: (timeout: number) => Promise<Result>,
): Promise<Result> {
  const { seam, signal } = context
  const place = renderTarget(target)
  let attempts: Attempts | undefined
  const done = await waitFor(context, {
    what: `for a connection to ${place}`,
    interval: pause,
    until: limits.deadline,
    check: async progress => {
      attempts ??= new Attempts(context, target, limits, progress)
      try {
        const timeout = Math.min(attemptTimeout, Math.max(1000, limits.deadline - seam.now()))
        return { result: await context.timeline.time(`connecting to ${place}`, () => attempt(timeout)) }
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof ActionError) throw error
        // Throws if the time left is too short for another attempt.
        attempts.weigh(error)
        return undefined
      }
    },
  })
  if (done === undefined) throw new Error(`${place} was abandoned without a reason`)
  return done.result
}

async function waitForTarget(
  context: Databases,
  target: Target,
  password: string | undefined,
  limits: Limits,
): Promise<void> {
  const { seam, settings, log } = context
  const { host, port } = target.address
  const start = seam.now()
  const connection = { ...settings.login, host, port, password }
  await connectWithRetries(context, target, limits, timeout => context.probe(connection, timeout))
  log.info(`connected to ${describeTarget(target)} after ${renderDuration(seam.now() - start)}`)
}

/** Tries an address in a VPC only briefly, since this runner may be outside of that VPC. */
async function tryInVpc(
  context: Databases,
  target: Target,
  password: string | undefined,
  patience: number,
): Promise<void> {
  const { seam, deadline, log } = context
  const limits = {
    patience: Math.min(patience, vpcPatience / 2),
    deadline: Math.min(deadline, seam.now() + vpcPatience),
  }
  try {
    await waitForTarget(context, target, password, limits)
  } catch (failure) {
    if (!isUnreachable(failure)) throw failure
    log.warning(
      `connection not checked, because this runner may be outside of the VPC: ${renderAdvised(failure)}`,
      'not checked',
    )
  }
}

/**
 * Waits until every address in the outputs accepts a connection: READY does not mean reachable. An unreachable
 * address in a VPC is only a warning. `patience`: milliseconds for which a refused login is repeated.
 * @throws UnreachableError if an address does not answer by the deadline, or refuses the login repeatedly
 */
export async function waitForConnection(
  context: Databases,
  outcome: Outcome,
  {
    patience = refusalPatience,
    isWithheld = false,
  }: { patience?: number | undefined; isWithheld?: boolean } = {},
): Promise<void> {
  const { deadline } = context
  const { service_id = '' } = outcome.ids
  const targets = targetsOf(outcome).map(target => (isWithheld ? withhold(target, service_id) : target))
  if (targets.length === 0)
    context.log.warning('the record has no address, so the connection was not checked', 'not checked')
  for (const target of targets) {
    if (target.isInVpc) await tryInVpc(context, target, outcome.password, patience)
    else await waitForTarget(context, target, outcome.password, { patience, deadline })
  }
}

/** The error of a session that did not start: the database may disappear after a wait, or the step did not wait. */
export function explainConnection({ host, port }: Connection, error: unknown): unknown {
  if (error instanceof ActionError) return error
  const message = messageOf(error)
  if (error instanceof LoginRefusedError)
    return new UnreachableError(
      `the database at ${host}:${port} refuses the login: ${message}`,
      'check user, password and name of the database',
      { cause: error },
    )
  return new UnreachableError(
    `the database at ${host}:${port} accepts no connection: ${message}`,
    'check that the runner can reach the database (VPC, firewall), and that sslmode is correct',
    { cause: error },
  )
}
