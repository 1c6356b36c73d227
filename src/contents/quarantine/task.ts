/** Runs the statements of a quarantine with the rights that they need, in as few round trips as possible. */
import { type Session, StatementError } from '#postgres/session'
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
