/** Loads operations on a database on demand. The import of `runSql` puts their shared code into one bundle file. */
import type { GivenParameters } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import type { DatabaseContext } from './context.ts'

type Run = (given: GivenParameters, context: DatabaseContext) => Promise<Outcome>

export { runSql } from './run-sql.ts'

export const schemaDiff: Run = async (given, context) =>
  await (await import('./schema-diff.ts')).schemaDiff(given, context)

export const rehearseMigration: Run = async (given, context) =>
  await (await import('./rehearse-migration.ts')).rehearseMigration(given, context)
