/** Runs the queries of a quarantine, and reports those that the server refuses. */
import { type Answer, asRows, type Session, StatementError } from '#postgres/session'
import type { Facts } from './facts.ts'
import type { Undone } from './report.ts'

/** The quarantine of one database. */
export interface Visit {
  session: Session
  facts: Facts
  /** The failures so far, in all databases. */
  undone: Undone[]
}

/** The objects that a query finds, as the object of a sentence, and the query. */
export type Question = [about: string, sql: string]

/**
 * Runs all queries in one round trip. If the server refuses one, runs each alone. A refused query is reported and has no
 * rows.
 */
export async function askAll({ session, undone }: Visit, questions: Question[]): Promise<Answer['rows'][]> {
  try {
    return (await session.queryAll(questions.map(([, sql]) => sql).join(';\n'))).map(({ rows }) => rows)
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
  }
  const found: Answer['rows'][] = []
  for (const [what, sql] of questions) {
    const answer = await session.attempt(sql)
    const isRefused = answer instanceof StatementError
    if (isRefused) undone.push({ what, reason: answer.message, next: 'look for them by hand in the preview' })
    found.push(isRefused ? [] : answer.rows)
  }
  return found
}

export const askOne = async <Row>(visit: Visit, ...question: Question): Promise<Row[]> =>
  asRows((await askAll(visit, [question])).flat())
