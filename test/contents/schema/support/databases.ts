import { compareSchemas } from '../../../../src/contents/schema/compare-schemas.ts'
import { readSchema } from '../../../../src/contents/schema/read-schema.ts'
import type { Schema, SchemaDiff } from '../../../../src/contents/schema/schema.ts'
import { withSession } from '../../../../src/postgres/session.ts'
import { connectionOf, type Outputs, run, runAsSuperuser } from '../../quarantine/support/fork.ts'

const never = new AbortController().signal

/** Reads the schema of a database of a bench, as its owner. */
export function schemaOf(outputs: Outputs, options: { grants?: boolean } = {}): Promise<Schema> {
  return withSession(
    connectionOf(outputs),
    { timeout: 300_000, signal: never, mostBytes: 256 * 1024 * 1024 },
    session => readSchema(session, { grants: false, ...options }),
  )
}

let databases = 0

/** A new database of a service: empty, or a copy of another one, in which all objects have the ids that they have there. */
export async function makeDatabase(service: Outputs, template = 'template0'): Promise<Outputs> {
  const database = `schema_${++databases}`
  await runAsSuperuser(
    service,
    `CREATE DATABASE ${database} OWNER ${service.user} TEMPLATE ${template} STRATEGY file_copy`,
    'postgres',
  )
  return { ...service, database }
}

/** What statements change in a copy of a database, run by the superuser. */
export async function diffOf(base: Outputs, before: Schema, sql: string): Promise<SchemaDiff> {
  const copy = await makeDatabase(base, base.database)
  try {
    await runAsSuperuser(copy, sql, copy.database)
    return compareSchemas(before, await schemaOf(copy, before))
  } finally {
    await run(base, `DROP DATABASE ${copy.database} WITH (FORCE)`, { database: 'postgres' }).catch(() =>
      runAsSuperuser(base, `DROP DATABASE ${copy.database} WITH (FORCE)`, 'postgres'),
    )
  }
}
