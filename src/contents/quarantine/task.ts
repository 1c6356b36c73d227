/** Runs the statements of a quarantine with the rights that they need, and terminates the sessions of disabled objects. */
import { type Session, StatementError } from '#postgres/session'
import { askOne, type Visit } from './ask.ts'
import type { Kind } from './keep-active.ts'
import type { Item } from './report.ts'

export interface Refusal {
  target: Target
  code: string
  reason: string
}

export interface Target extends Item {
  kind: Kind
  names: string[]
  isActive: boolean
  /** The role whose rights are needed, unless it is the current one. */
  owner: string
  /** Statements before and after the task, which grant and revoke these rights. */
  borrow: string[]
  giveBack: string[]
  statements: string[]
  /** A condition on pg_stat_activity: the sessions of the object. */
  sessions: string | undefined
}

export const toItem = ({ id, kind, name, database }: Target): Item => ({ id, kind, name, database })

/** Statements for an object that take effect together or not at all. */
interface Task {
  target: Target
  statements: string[]
}

/** Wraps the statements in grants and revokes. They run in one transaction, so no right remains after a failure. */
export const withRights = (target: Target, statements = target.statements): Task => ({
  target,
  statements: [...target.borrow, ...statements, ...target.giveBack],
})

/**
 * Runs all tasks in one transaction and one round trip. If the server refuses one, runs each task alone. Returns the
 * refused ones.
 */
export async function carryOut(session: Session, tasks: readonly Task[]): Promise<Refusal[]> {
  const [first, ...others] = tasks
  if (first === undefined) return []
  const answer = await session.attempt(tasks.flatMap(({ statements }) => statements).join(';\n'))
  if (!(answer instanceof StatementError)) return []
  if (others.length === 0) return [{ target: first.target, code: answer.code, reason: answer.message }]
  const refusals: Refusal[] = []
  for (const task of tasks) refusals.push(...(await carryOut(session, [task])))
  return refusals
}

const conditionOf = ({ sessions }: Target) => `pid <> pg_backend_pid() and ${sessions}`

/** Milliseconds to wait for a session to end. */
const patience = 2000

/** Those objects that have open sessions. */
async function withSessions(visit: Visit, ended: readonly Target[]): Promise<Target[]> {
  const selects = ended.map(
    (target, index) => `select ${index} as index from open where ${conditionOf(target)}`,
  )
  const sql = `with open as materialized (select * from pg_stat_activity) ${selects.join(' union ')}`
  const rows = await askOne<{ index: number }>(visit, 'sessions that are still open', sql)
  return ended.filter((_, index) => rows.some(row => row.index === index))
}

/** Terminates the sessions of disabled logins and running jobs. Reports the failures. */
export async function endSessions(visit: Visit, ended: readonly Target[]): Promise<void> {
  const targets = ended.filter(({ sessions }) => sessions)
  const open = targets.length > 0 ? await withSessions(visit, targets) : []
  if (open.length === 0) return
  const end = (target: Target) =>
    `select pg_terminate_backend(pid, ${patience}) from pg_stat_activity where ${conditionOf(target)}`
  const tasks = open.map(target => withRights(target, [end(target)]))
  const refusals = await carryOut(visit.session, tasks)
  for (const left of await withSessions(visit, open)) {
    const reason = refusals.find(({ target }) => target.id === left.id)?.reason
    visit.undone.push({
      item: toItem(left),
      what: `the open session of ${left.kind} ${left.name}`,
      reason: reason ?? `it did not end within ${patience / 1000} s`,
      next: 'restart the preview (stop-service, start-service), which ends all sessions',
    })
  }
}
