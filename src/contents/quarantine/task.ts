import type { Session } from '#postgres/session'
import type { Kind } from './keep-active.ts'
import type { Item } from './report.ts'

/** Statements that belong together: all of them take effect, or none. */
export interface Task<Subject> {
  subject: Subject
  statements: string[]
}

/** What the server said of a task that it refused. */
export interface Refusal<Subject> {
  subject: Subject
  code: string
  reason: string
}

/** An object with what it takes to end it. */
export interface Target extends Item {
  kind: Kind
  names: string[]
  isActive: boolean
  /** The role whose rights it takes, where that is another one than ours. */
  owner: string
  /** What to run before and after, to have these rights meanwhile. */
  borrow: string[]
  giveBack: string[]
  statements: string[]
  /** A condition on pg_stat_activity: the sessions that the object has open. */
  sessions: string | undefined
}

/** The statements with the rights that they need. In one transaction, so no failure leaves a right behind. */
export const withRights = <Subject extends Target>(
  subject: Subject,
  statements: string[],
): Task<Subject> => ({
  subject,
  statements: [...subject.borrow, ...statements, ...subject.giveBack],
})

/**
 * Runs all tasks at once, in one transaction: a round trip, after which they all hold. If one of them is refused, each is
 * run by itself. Gives the refused ones.
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
