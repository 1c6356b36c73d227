/** Waits until a database accepts connections. */
import { renderDuration } from '#base/duration'
import { ActionError, renderAdvised } from '#base/errors'
import { adviseOnLoopback, isRefusedByLoopback } from '#base/loopback'
import { messageOf } from '#base/unknown-values'
import type { OpenDatabase } from '#contents/open-database'
import type { Connection } from '#postgres/connection'
import { LoginRefusedError } from '#postgres/login-refused'
import type { Databases, Waiting } from '../base/context.ts'
import type { Outcome } from '../base/outcome.ts'
import { describeTarget, reasonOf, renderTarget, type Target, targetsOf, withholdAddress } from './targets.ts'
import { waitFor } from './wait-log.ts'

/** The database did not accept a connection in time. */
export class UnreachableError extends ActionError {}

/** Whether no server answers at the address. A refused login does not count, because a server answered. */
const isUnreachable = (failure: unknown) =>
  failure instanceof UnreachableError && !(failure.cause instanceof LoginRefusedError)

/** Milliseconds between two attempts. */
const attemptInterval = 500

/** Milliseconds for which a refused login is usually repeated. A new password may take a moment to work everywhere. */
const usualRefusalPatience = 15_000

/** Milliseconds for one attempt. */
const attemptTimeout = 10_000

/** Milliseconds of attempts to reach an address that may be reachable only in its VPC. */
const vpcPatience = 10_000

interface Limits {
  /** Called after the first failed attempt, but not for an address in a VPC. Throws if no later one can succeed. */
  onFirstFailure?: ((cause: unknown) => Promise<void>) | undefined
  /** Milliseconds for which a refused login is repeated. */
  refusalPatience?: number | undefined
  /** On the clock of the seam's `now`. */
  deadline: number
}

const adviceOn = (cause: unknown) =>
  isRefusedByLoopback(cause)
    ? adviseOnLoopback()
    : 'check that the runner can reach the database (VPC, firewall), and that sslmode is correct'

/** Advice after a refused login: a fork copies the logins of its parent, and the quarantine disables them. */
export function adviseOnLogin(cause: unknown, usual: string): string {
  const [, role] = /^role "(.+)" is not permitted to log in$/.exec(messageOf(cause)) ?? []
  return role === undefined
    ? usual
    : `in a preview, the quarantine disabled this login: use the preview's own database_url, or set \`keep_active: login:${role}\` and run reset-preview`
}

/**
 * Repeats `attempt` until it connects; each attempt gets its timeout in milliseconds.
 * @throws UnreachableError at the deadline, or if the login is refused repeatedly; any other ActionError at once
 */
async function connectWithRetries<Result>(
  context: Waiting,
  target: Target,
  { refusalPatience = usualRefusalPatience, deadline, onFirstFailure }: Limits,
  attempt: (timeout: number) => Promise<Result>,
): Promise<Result> {
  const { seam, signal } = context
  const place = renderTarget(target)
  const { refusalReason, status } = target
  let isFirst = true
  let refusedSince: number | undefined
  const connected = await waitFor(context, {
    what: `for a connection to ${place}`,
    interval: attemptInterval,
    until: deadline,
    check: async progress => {
      try {
        const timeout = Math.min(attemptTimeout, Math.max(1000, deadline - seam.now()))
        return { result: await context.timeline.time(`connecting to ${place}`, () => attempt(timeout)) }
      } catch (cause) {
        signal.throwIfAborted()
        if (cause instanceof ActionError) throw cause
        const reason = reasonOf(cause, target)
        const explanation = refusalReason === undefined ? '' : ` (${refusalReason})`
        const line = `no connection to ${describeTarget(target)} yet: ${reason}${explanation}`
        if (isFirst) await onFirstFailure?.(cause)
        progress.announce(deadline - seam.now())
        if (isFirst) progress.report(line)
        isFirst = false
        if (cause instanceof LoginRefusedError) refusedSince ??= progress.elapsed
        else refusedSince = undefined
        if (refusedSince !== undefined && progress.elapsed - refusedSince >= refusalPatience)
          throw new UnreachableError(
            `${describeTarget(target)} refuses the login: ${reason}`,
            adviseOnLogin(
              cause,
              'check database_user and database_name, and that no other run sets another password',
            ),
            { cause },
          )
        // The next attempt would start after the deadline.
        if (seam.now() + attemptInterval > deadline)
          throw new UnreachableError(
            `${describeTarget(target)} is ${status} but accepts no connection: ${reason}`,
            adviceOn(cause),
            { cause },
          )
        return undefined
      }
    },
  })
  if (connected === undefined) throw new Error(`${place} was abandoned without a reason`)
  return connected.result
}

/** Opens the database of a service that may be a fork without a quarantine, so no message contains its address. */
export async function openWithheld<Result>(
  context: Databases,
  { target, serviceId, password }: { target: Target; serviceId: string; password: string },
  limits: Limits,
  use: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  const { host, port } = target.address
  const connection = { ...context.settings.login, host, port, password }
  return await connectWithRetries(context, withholdAddress(target, serviceId), limits, timeout =>
    context.openContents(connection, timeout, use),
  )
}

/** How long to try to connect, and how to react if the database is unreachable. */
export interface ConnectPolicy {
  /** Milliseconds to try. Ignored if the runner must reach the database: then the deadline counts. */
  patience: number
  /** Receives the reason why the database is unreachable; may throw. Without it, the runner need not reach any database. */
  onUnreachable?: (reason: string) => Promise<void>
}

/**
 * Opens a database as `openWithheld` does. Returns undefined if it is unreachable and need not be reachable.
 * @throws UnreachableError if it must be reachable, or refuses the login; the errors of `use` and `onUnreachable`
 */
export async function openIfReachable<Result>(
  context: Databases,
  opened: { target: Target | undefined; serviceId: string; password: string },
  { patience, onUnreachable }: ConnectPolicy,
  use: (database: OpenDatabase) => Promise<Result>,
): Promise<Result | undefined> {
  const { settings, deadline, seam, signal } = context
  const { target } = opened
  if (target === undefined) {
    await onUnreachable?.('the record has no address')
    return undefined
  }
  const mustReach = settings.waitForConnection && !target.isInVpc && onUnreachable !== undefined
  const limits = mustReach
    ? { deadline }
    : { refusalPatience: patience / 2, deadline: Math.min(deadline, seam.now() + patience) }
  try {
    return await openWithheld(context, { ...opened, target }, limits, use)
  } catch (failure) {
    signal.throwIfAborted()
    const isOptional = onUnreachable === undefined && failure instanceof UnreachableError
    if (mustReach || !(isUnreachable(failure) || isOptional)) throw failure
    await onUnreachable?.(messageOf(failure))
    return undefined
  }
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
async function tryTargetInVpc(
  context: Databases,
  target: Target,
  password: string | undefined,
  refusalPatience = usualRefusalPatience,
) {
  const { seam, deadline, log } = context
  const limits = {
    refusalPatience: Math.min(refusalPatience, vpcPatience / 2),
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
 * address in a VPC is only a warning.
 * @throws UnreachableError if an address does not answer by the deadline, or refuses the login repeatedly
 */
export async function waitForConnection(
  context: Databases,
  outcome: Outcome,
  { isWithheld = false, ...limits }: Omit<Limits, 'deadline'> & { isWithheld?: boolean } = {},
): Promise<void> {
  const { deadline } = context
  const { service_id = '' } = outcome.ids
  const targets = targetsOf(outcome).map(target =>
    isWithheld ? withholdAddress(target, service_id) : target,
  )
  if (targets.length === 0)
    context.log.warning('the record has no address, so the connection was not checked', 'not checked')
  for (const target of targets) {
    if (target.isInVpc) await tryTargetInVpc(context, target, outcome.password, limits.refusalPatience)
    else await waitForTarget(context, target, outcome.password, { ...limits, deadline })
  }
}

/** Turns the failure to start a session into an error with advice. An ActionError stays as it is. */
export function explainConnection({ host, port }: Connection, cause: unknown): unknown {
  if (cause instanceof ActionError) return cause
  const isRefused = cause instanceof LoginRefusedError
  const problem = isRefused ? 'refuses the login' : 'accepts no connection'
  const advice = isRefused
    ? adviseOnLogin(cause, 'check user, password and name of the database')
    : adviceOn(cause)
  const message = `the database at ${host}:${port} ${problem}: ${messageOf(cause)}`
  return new UnreachableError(message, advice, { cause })
}
