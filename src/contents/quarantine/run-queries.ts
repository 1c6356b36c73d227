/** Runs the queries of a quarantine, and reports those that the server refuses. */
import { type Answer, asRows, type Session, StatementError } from '#postgres/session'
import type { Facts } from './facts.ts'
import type { QuarantineFailure } from './report.ts'

/** The quarantine of one database, in an open session. */
export interface DatabaseQuarantine {
  session: Session
  facts: Facts
  /** The failures so far, in all databases. */
  failures: QuarantineFailure[]
}

/** A query, and the name of its objects in a report: `the logins`. */
export type Query = [objects: string, sql: string]

/**
 * Runs all queries in one round trip. If the server refuses one, runs each alone. A refused query is reported and has no
 * rows.
 */
export async function runQueries(
  { session, failures }: DatabaseQuarantine,
  queries: Query[],
): Promise<Answer['rows'][]> {
  try {
    const answers = await session.queryAll(queries.map(([, sql]) => sql).join(';\n'))
    return answers.map(({ rows }) => rows)
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
  }
  const results: Answer['rows'][] = []
  for (const [what, sql] of queries) {
    const answer = await session.attempt(sql)
    if (answer instanceof StatementError) {
      failures.push({ what, reason: answer.message, next: 'search for them by hand in the preview' })
      results.push([])
    } else results.push(answer.rows)
  }
  return results
}

export const runQuery = async <Row>(
  quarantine: DatabaseQuarantine,
  objects: string,
  sql: string,
): Promise<Row[]> => asRows((await runQueries(quarantine, [[objects, sql]])).flat())
