/** Finds the constraints and indexes that a migration left unfinished. */
import { type Session, StatementError } from '#postgres/session'
import type { Catalog, Unfinished } from './catalog.ts'
import type { Comparison, Finding } from './find-losses.ts'

/** Time limit for counting the rows that violate a constraint, in milliseconds. */
const longestCount = 10_000

const added = (before: Map<number, Unfinished>, after: Map<number, Unfinished>) =>
  [...after].flatMap(([id, one]) => (before.has(id) ? [] : [one]))

const tableNameOf = ({ relations }: Catalog, { table }: Unfinished) => relations.get(table)?.name ?? 'a table'

/** The number of rows that violate a constraint. Undefined if the count times out or is refused. */
async function countViolating(session: Session, { count: sql }: Unfinished): Promise<number | undefined> {
  if (typeof sql !== 'string') return undefined
  await session.query(`set statement_timeout = ${longestCount}`)
  const answer = await session.attempt(sql)
  await session.query('reset statement_timeout')
  return answer instanceof StatementError ? undefined : Number(answer.rows[0]?.count)
}

/** Constraints that the migration left NOT VALID. `detail` is the table. */
export async function findConstraints({ session, before, after }: Comparison): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const one of added(before.constraints, after.constraints)) {
    const count = await countViolating(session, one)
    findings.push({ object: one.name, detail: tableNameOf(after, one), count })
  }
  return findings
}

/** Indexes that the migration left invalid. `detail` is the table. */
export const findIndexes = ({ before, after }: Comparison): Finding[] =>
  added(before.indexes, after.indexes).map(one => ({ object: one.name, detail: tableNameOf(after, one) }))
