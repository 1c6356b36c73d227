import { renderDuration } from '../client/duration.ts'
import { ActionError } from '../client/errors.ts'
import { LoginRefusedError } from '../postgres/login-refused.ts'
import type { Context } from './context.ts'
import { connectable, type Outcome } from './outcome.ts'
import { timed } from './parts.ts'
import { WaitLog } from './wait-log.ts'

/** The database did not accept a connection in time. */
export class UnreachableError extends ActionError {}

const pause = 500
/** Milliseconds. A password that was set just now may take a moment to hold everywhere. */
const refusalPatience = 15_000
const attemptTimeout = 10_000

/** What a failed attempt to connect means for the next one. */
class Attempts {
  #isFirst = true
  #refusedSince: number | undefined
  readonly #context: Context
  readonly #address: string
  readonly #patience: number
  readonly #log: WaitLog

  constructor(context: Context, address: string, patience: number) {
    this.#context = context
    this.#address = address
    this.#patience = patience
    this.#log = new WaitLog(context)
  }

  get elapsed(): number {
    return this.#log.elapsed
  }

  #tell(reason: string): void {
    const line = `no connection to ${this.#address} yet: ${reason}`
    if (this.#isFirst) this.#log.tell(line)
    else this.#log.remind(line)
    this.#isFirst = false
  }

  /** Throws where another attempt is of no use, or comes too late. */
  weigh(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    this.#tell(reason)
    if (!(error instanceof LoginRefusedError)) this.#refusedSince = undefined
    else this.#refusedSince ??= this.elapsed
    if (this.#refusedSince !== undefined && this.elapsed - this.#refusedSince >= this.#patience) {
      throw new UnreachableError(
        `${this.#address} refuses the login: ${reason}`,
        'check database_user and database_name, and that no other run sets another password',
        { cause: error },
      )
    }
    if (this.#context.seam.now() + pause <= this.#context.deadline) return
    throw new UnreachableError(
      `${this.#address} is READY but accepts no connection: ${reason}`,
      'check that the runner may reach the database (VPC, firewall), and sslmode',
      { cause: error },
    )
  }
}

/**
 * Waits until the database of the outcome accepts a connection: READY does not yet mean reachable. A login that is
 * refused is tried again for `patience` milliseconds.
 *
 * @throws UnreachableError when it does not by the deadline, or goes on refusing the login
 */
export async function waitForConnection(
  context: Context,
  outcome: Outcome,
  patience = refusalPatience,
): Promise<void> {
  const { seam, signal, settings, log, deadline } = context
  const endpoint = connectable(outcome)?.endpoint
  if (endpoint === undefined) return
  const { host, port } = endpoint
  const connection = { ...settings.login, host, port, password: outcome.password }
  const attempts = new Attempts(context, `${host}:${port}`, patience)
  await timed(context, `connecting to ${host}:${port}`, async () => {
    for (;;) {
      try {
        await context.probe(connection, Math.min(attemptTimeout, Math.max(1000, deadline - seam.now())))
        log.info(`connected to ${host}:${port} after ${renderDuration(attempts.elapsed)}`)
        return
      } catch (error) {
        signal.throwIfAborted()
        attempts.weigh(error)
      }
      await seam.sleep(pause, signal)
    }
  })
}
