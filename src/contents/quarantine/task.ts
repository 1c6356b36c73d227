/** Runs the statements of a quarantine with the rights that they need, and terminates the sessions of disabled objects. */
import { type Session, StatementError } from '#postgres/session'
import { type DatabaseQuarantine, runQuery } from './database.ts'
import type { Kind } from './keep-active.ts'
import type { Item } from './report.ts'

/** A task that the server refused. */
export interface Refusal {
  target: Target
  code: string
  reason: string
}

/** An object to disable, with the statements for it. */
export interface Target extends Item {
  kind: Kind
  names: string[]
  isActive: boolean
  /** The role whose rights are needed, unless it is the current one. */
  owner: string
  /** Statements before and after the task, which grant and revoke these rights. */
  grantRights: string[]
  revokeRights: string[]
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
  statements: [...target.grantRights, ...statements, ...target.revokeRights],
})

/** Runs all tasks in one transaction. If the server refuses one, runs each task alone. Returns the refused ones. */
export async function runTasks(session: Session, tasks: readonly Task[]): Promise<Refusal[]> {
  const [first, ...others] = tasks
  if (first === undefined) return []
  const answer = await session.attempt(tasks.flatMap(({ statements }) => statements).join(';\n'))
  if (!(answer instanceof StatementError)) return []
  if (others.length === 0) return [{ target: first.target, code: answer.code, reason: answer.message }]
  const refusals: Refusal[] = []
  for (const task of tasks) refusals.push(...(await runTasks(session, [task])))
  return refusals
}

const sessionsOf = ({ sessions }: Target) => `pid <> pg_backend_pid() and ${sessions}`

/** Milliseconds to wait for a session to end. */
const terminationTimeout = 2000

/** The objects that have open sessions. */
async function findWithSessions(
  quarantine: DatabaseQuarantine,
  targets: readonly Target[],
): Promise<Target[]> {
  const selects = targets.map(
    (target, index) => `select ${index} as index from open where ${sessionsOf(target)}`,
  )
  const sql = `with open as materialized (select * from pg_stat_activity) ${selects.join(' union ')}`
  const rows = await runQuery<{ index: number }>(quarantine, 'sessions that are still open', sql)
  return targets.filter((_, index) => rows.some(row => row.index === index))
}

/** Terminates the sessions of disabled logins and running jobs. Reports the failures. */
export async function terminateSessions(
  quarantine: DatabaseQuarantine,
  disabled: readonly Target[],
): Promise<void> {
  const targets = disabled.filter(({ sessions }) => sessions)
  const open = targets.length > 0 ? await findWithSessions(quarantine, targets) : []
  if (open.length === 0) return
  const terminate = (target: Target) =>
    `select pg_terminate_backend(pid, ${terminationTimeout}) from pg_stat_activity where ${sessionsOf(target)}`
  const tasks = open.map(target => withRights(target, [terminate(target)]))
  const refusals = await runTasks(quarantine.session, tasks)
  for (const stillOpen of await findWithSessions(quarantine, open)) {
    const reason = refusals.find(({ target }) => target.id === stillOpen.id)?.reason
    quarantine.failures.push({
      item: toItem(stillOpen),
      what: `the open session of ${stillOpen.kind} ${stillOpen.name}`,
      reason: reason ?? `it did not end within ${terminationTimeout / 1000} s`,
      next: 'restart the preview (stop-service, start-service), which ends all sessions',
    })
  }
}
