import type { GivenParameters } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import type { DatabaseContext } from './context.ts'

type Run = (given: GivenParameters, context: DatabaseContext) => Promise<Outcome>

// One file of the bundle for all operations on a database. What one of them needs alone is loaded from here, so that what
// they share is in this file and nowhere else.
export { runSql } from './run-sql.ts'

export const schemaDiff: Run = async (given, context) =>
  await (await import('./schema-diff.ts')).schemaDiff(given, context)

export const rehearseMigration: Run = async (given, context) =>
  await (await import('./rehearse-migration.ts')).rehearseMigration(given, context)
