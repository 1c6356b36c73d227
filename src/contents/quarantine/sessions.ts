/** Terminates the sessions of disabled logins and jobs. */
import type { Session } from '#postgres/session'
import { askAll } from './ask.ts'
import type { Undone } from './report.ts'
import { carryOut, type Target, withRights } from './task.ts'

const conditionOf = ({ sessions }: Target) => `pid <> pg_backend_pid() and ${sessions}`

/** Milliseconds to wait for a session to end. */
const patience = 2000

async function withSessions(session: Session, ended: readonly Target[], undone: Undone[]): Promise<Target[]> {
  const selects = ended.map(
    (target, index) => `select ${index} as index from open where ${conditionOf(target)}`,
  )
  const sql = `with open as materialized (select * from pg_stat_activity) ${selects.join(' union ')}`
  const [rows = []] = await askAll(session, [{ about: 'sessions that are still open', sql }], undone)
  const indexes = new Set(rows.map(({ index }) => index))
  return ended.filter((_, index) => indexes.has(index))
}

/** Terminates the sessions of disabled logins and running jobs. Returns the failures. */
export async function endSessions(session: Session, ended: readonly Target[]): Promise<Undone[]> {
  const undone: Undone[] = []
  const targets = ended.filter(({ sessions }) => sessions)
  if (targets.length === 0) return undone
  const open = await withSessions(session, targets, undone)
  if (open.length === 0) return undone
  const end = (target: Target) =>
    `select pg_terminate_backend(pid, ${patience}) from pg_stat_activity where ${conditionOf(target)}`
  const refusals = await carryOut(
    session,
    open.map(target => withRights(target, [end(target)])),
  )
  for (const { id, kind, name, database } of await withSessions(session, open, undone)) {
    const reason = refusals.find(({ target }) => target.id === id)?.reason
    undone.push({
      item: { id, kind, name, database },
      what: `the open session of ${kind} ${name}`,
      reason: reason ?? `it did not end within ${patience / 1000} s`,
      next: 'restart the preview (stop-service, start-service), which ends all sessions',
    })
  }
  return undone
}
