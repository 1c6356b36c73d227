/** Runs the statements of a quarantine with the rights that they need, in as few round trips as possible. */
import type { Session } from '#postgres/session'
import type { Kind } from './keep-active.ts'
import type { Item } from './report.ts'

/** Statements that take effect together or not at all. */
export interface Task<Subject> {
  subject: Subject
  statements: string[]
}

export interface Refusal<Subject> {
  subject: Subject
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

/** Wraps the statements in grants and revokes. They run in one transaction, so no right remains after a failure. */
export const withRights = <Subject extends Target>(
  subject: Subject,
  statements: string[],
): Task<Subject> => ({
  subject,
  statements: [...subject.borrow, ...statements, ...subject.giveBack],
})

/**
 * Runs all tasks in one transaction and one round trip. If the server refuses one, runs each task alone. Returns the
 * refused ones.
 */
export async function carryOut<Subject>(
  session: Session,
  tasks: readonly Task<Subject>[],
): Promise<Refusal<Subject>[]> {
  if (tasks.length === 0) return []
  const answer = await session.attempt(tasks.flatMap(({ statements }) => statements).join(';\n'))
  if (!(answer instanceof Error)) return []
  const [first, ...others] = tasks
  if (first && others.length === 0)
    return [{ subject: first.subject, code: answer.code, reason: answer.message }]
  const refusals: Refusal<Subject>[] = []
  for (const task of tasks) refusals.push(...(await carryOut(session, [task])))
  return refusals
}
