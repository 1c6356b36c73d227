import { renderDuration } from '../client/duration.ts'
import { ActionError } from '../client/errors.ts'
import type { Context } from './context.ts'
import { connectable, type Outcome } from './outcome.ts'

/** The database did not accept a connection in time. */
export class UnreachableError extends ActionError {}

const pause = 500
const heartbeat = 30_000
const attemptTimeout = 10_000

/**
 * Waits until the database of the outcome accepts a connection: READY does not yet mean reachable (API.md).
 *
 * @throws UnreachableError when it does not by the deadline, a moment of the seam's `now`
 */
export async function waitForConnection(context: Context, outcome: Outcome, deadline: number): Promise<void> {
  const { seam, signal, settings, log } = context
  const address = connectable(outcome)?.endpoint
  if (address === undefined) return
  const connection = { ...settings.login, host: address.host, port: address.port, password: outcome.password }
  const start = seam.now()
  let lastLine = Number.NEGATIVE_INFINITY
  for (;;) {
    signal.throwIfAborted()
    try {
      await context.probe(connection, Math.min(attemptTimeout, Math.max(1000, deadline - seam.now())))
      log.info(`connected to ${address.host}:${address.port} after ${renderDuration(seam.now() - start)}`)
      return
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (seam.now() - lastLine >= heartbeat) {
        lastLine = seam.now()
        log.info(
          `[${renderDuration(seam.now() - start)}] no connection to ${address.host}:${address.port} yet: ${reason}`,
        )
      }
      if (seam.now() + pause > deadline) {
        throw new UnreachableError(
          `${address.host}:${address.port} is READY but accepts no connection: ${reason}`,
          'check that the runner may reach the database (VPC, firewall), and database_user, database_name and sslmode',
          { cause: error },
        )
      }
    }
    await seam.sleep(pause, signal)
  }
}
