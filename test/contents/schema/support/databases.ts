/** Creates databases for tests, reads their schemas and compares them. */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { expect } from 'vitest'
import { compareSchemas } from '#contents/schema/compare-schemas'
import { readSchema } from '#contents/schema/read-schema'
import type { Schema, SchemaDiff } from '#contents/schema/schema'
import { withSession } from '#postgres/session'
import { connectionOf, type Outputs } from '../../../support/fork.ts'
import { addDatabase } from '../../../support/shared-server.ts'

const never = new AbortController().signal

export function schemaOf(outputs: Outputs, options: { grants?: boolean } = {}): Promise<Schema> {
  return withSession(
    connectionOf(outputs),
    { timeout: 300_000, signal: never, mostBytes: 256 * 1024 * 1024 },
    session => readSchema(session, { grants: false, ...options }),
  )
}

let databases = 0

export const createDatabase = (service: Outputs): Promise<Outputs> =>
  addDatabase(service, `schema_${++databases}`, 'template template0')

/** Runs `use` in a transaction that is rolled back. `use` can change a database and read its schema as the owner. */
export async function inTransaction<Result>(
  client: pg.Client,
  use: (read: (options?: { grants: boolean }) => Promise<Schema>) => Promise<Result>,
): Promise<Result> {
  const query = async (text: string) => {
    // The reader's own transaction would not see uncommitted changes.
    const ours = /^begin/.test(text)
      ? 'savepoint reading; set local session authorization tsdbadmin'
      : text.replace(/^rollback$/, 'rollback to reading')
    // PostgreSQL parses and plans the long query of the objects for ten times as long as it runs.
    const name = text.startsWith('with ') ? createHash('sha1').update(text).digest('hex') : ''
    const { rows, command } = [await client.query({ text: ours, name })].flat().at(-1) ?? expect.fail(text)
    return { rows, rowCount: rows.length, columns: [], command }
  }
  await client.query('begin')
  try {
    return await use((options = { grants: false }) => readSchema({ query, attempt: query }, options))
  } finally {
    await client.query('rollback')
  }
}

/** The diff after statements of the superuser. */
export const diffOf = (superuser: pg.Client, before: Schema, sql: string): Promise<SchemaDiff> =>
  inTransaction(superuser, async read => {
    await superuser.query(sql)
    return compareSchemas(before, await read(before))
  })
