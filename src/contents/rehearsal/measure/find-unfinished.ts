/** Finds the constraints and indexes that a migration left unfinished. */
import { StatementError } from '#postgres/session'
import type { Comparison, Finding } from './find-losses.ts'

/** Time limit for counting the rows that violate a constraint, in milliseconds. */
const longestCount = 10_000

/** The constraints or indexes that the migration left unfinished. `detail` is the table. */
export const findUnfinished =
  (kind: 'constraints' | 'indexes') =>
  async ({ session, before, after }: Comparison): Promise<Finding[]> => {
    const findings: Finding[] = []
    for (const [id, { name, table, countQuery }] of after[kind]) {
      if (before[kind].has(id)) continue
      await session.query(`set statement_timeout = ${longestCount}`)
      const answer = countQuery && (await session.attempt(countQuery))
      await session.query('reset statement_timeout')
      // A count that times out or is refused is unknown.
      const count = !answer || answer instanceof StatementError ? undefined : Number(answer.rows[0]?.count)
      findings.push({ object: name, detail: after.relations.get(table)?.name ?? 'a table', count })
    }
    return findings
  }
