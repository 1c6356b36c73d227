import type pg from 'pg'
import { expect } from 'vitest'
import { compareSchemas } from '#contents/schema/compare-schemas'
import { readSchema } from '#contents/schema/read-schema'
import type { Schema, SchemaDiff } from '#contents/schema/schema'
import { withSession } from '#postgres/session'
import { connectionOf, type Outputs, runAsSuperuser } from '../../../support/fork.ts'

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

/** A new, empty database of a service. */
export async function makeDatabase(service: Outputs): Promise<Outputs> {
  const database = `schema_${++databases}`
  await runAsSuperuser(
    service,
    `CREATE DATABASE ${database} OWNER ${service.user} TEMPLATE template0 STRATEGY file_copy`,
    'postgres',
  )
  return { ...service, database }
}

/** Lets `use` change a database and read its schema as the owner does, in a transaction that is rolled back. */
export async function inTransaction<Result>(
  client: pg.Client,
  use: (read: (options?: { grants: boolean }) => Promise<Schema>) => Promise<Result>,
): Promise<Result> {
  const queryAll = async (text: string) => {
    // A transaction of the reader's own would not show what ours has changed.
    const ours = /^begin/.test(text)
      ? 'savepoint reading; set local session authorization tsdbadmin'
      : text.replace(/^rollback$/, 'rollback to reading')
    const results = [await client.query(ours)].flat()
    return results.map(({ rows, command }) => ({ rows, rowCount: rows.length, columns: [], command }))
  }
  const query = async (text: string) => (await queryAll(text)).at(-1) ?? expect.fail(text)
  await client.query('begin')
  try {
    return await use((options = { grants: false }) =>
      readSchema({ query, attempt: query, queryAll }, options),
    )
  } finally {
    await client.query('rollback')
  }
}

/** What statements change, run by the superuser. */
export const diffOf = (superuser: pg.Client, before: Schema, sql: string): Promise<SchemaDiff> =>
  inTransaction(superuser, async read => {
    await superuser.query(sql)
    return compareSchemas(before, await read(before))
  })
