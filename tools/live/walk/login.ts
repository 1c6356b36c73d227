/** Logs in to the databases of a walk. */
import { randomBytes } from 'node:crypto'
import { messageOf } from '#base/unknown-values'
import { LoginRefusedError } from '#postgres/login-refused'
import { type Session, withSession } from '#postgres/session'
import type { Login, Tour } from './tour.ts'

export function newPassword({ findings }: Tour): string {
  const password = randomBytes(24).toString('hex')
  findings.hide(password, 'password')
  return password
}

/** Opens a session as the owner, for `timeout` milliseconds at most. */
export const open = <Result>(
  { signal }: Tour,
  { address: { host, port }, password }: Login,
  use: (session: Session) => Promise<Result>,
  timeout = 60_000,
): Promise<Result> =>
  withSession(
    { host, port, password, user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' },
    { timeout, signal, mostBytes: 64 * 1024 * 1024, isForUser: true },
    use,
  )

/** Checks for a database to answer, and to accept a new password: with a second between them, 2 min and 20 s. */
const patience = { answer: 120, login: 20 }

/** Logs in as soon as possible, and records the time. */
export async function reach(tour: Tour, what: string, login: Login): Promise<void> {
  const { seam, findings, signal, every } = tour
  if (!tour.withDatabases) return
  const since = seam.now()
  for (;;) {
    try {
      await open(tour, login, session => session.query('select 1'), 15_000)
      findings.times[`${what}: until the first session`] = Math.round(seam.now() - since)
      tour.hasReached = true
      return
    } catch (error) {
      signal.throwIfAborted()
      const isRefusal = error instanceof LoginRefusedError
      if (seam.now() - since > every * (isRefusal ? patience.login : patience.answer)) {
        findings.differ(`${what}: no session: ${findings.clean(messageOf(error))}`)
        tour.withDatabases = tour.hasReached
        return
      }
      // Failed logins may lock an account.
      await seam.sleep(isRefusal ? 5 * every : every, signal)
    }
  }
}
