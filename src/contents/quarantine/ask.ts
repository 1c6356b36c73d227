/** Runs the queries of a quarantine in one round trip, and reports those that the server refuses. */
import { type Answer, asRows, type Session, StatementError } from '#postgres/session'
import type { Undone } from './report.ts'

export interface Question {
  /** The objects that the query finds, as the object of a sentence. */
  about: string
  sql: string
}

type Rows = Answer['rows']

/** Runs all queries at once. If the server refuses one, runs each alone. A refused query is reported and has no rows. */
export async function askAll(
  session: Session,
  questions: readonly Question[],
  undone: Undone[],
): Promise<Rows[]> {
  try {
    return (await session.queryAll(questions.map(({ sql }) => sql).join(';\n'))).map(({ rows }) => rows)
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
  }
  const found: Rows[] = []
  for (const { about, sql } of questions) {
    const answer = await session.attempt(sql)
    const isRefused = answer instanceof StatementError
    if (isRefused)
      undone.push({ what: about, reason: answer.message, next: 'look for them by hand in the preview' })
    found.push(isRefused ? [] : answer.rows)
  }
  return found
}

export const askOne = async <Row>(session: Session, question: Question, undone: Undone[]): Promise<Row[]> =>
  asRows((await askAll(session, [question], undone)).flat())
