/** Replaces psql in workflows. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'

/**
 * As much of psql as the examples use: a connection URL, or the PG… variables, and statements by `-c` or `-f`. Prints
 * the rows as tab-separated lines; the exit code is 1 after an SQL error and 2 without a connection, as psql's.
 */
async function psql(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      command: { type: 'string', short: 'c', multiple: true },
      file: { type: 'string', short: 'f' },
      variable: { type: 'string', short: 'v' },
      quiet: { type: 'boolean', short: 'q' },
      'no-psqlrc': { type: 'boolean', short: 'X' },
      pset: { type: 'string', short: 'P', multiple: true },
    },
    allowPositionals: true,
  })
  const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE, PGSSLMODE } = process.env
  const credentials = `${encodeURIComponent(PGUSER ?? '')}:${encodeURIComponent(PGPASSWORD ?? '')}`
  const url =
    positionals[0] ?? `postgresql://${credentials}@${PGHOST}:${PGPORT}/${PGDATABASE}?sslmode=${PGSSLMODE}`
  // pg reads `sslmode=require` as libpq's verify-full; the emulator's certificate is its own.
  const client = new pg.Client({
    connectionString: `${url}&uselibpqcompat=true`,
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (failure) {
    process.stderr.write(`psql: error: ${(failure as Error).message}\n`)
    return 2
  }
  try {
    if (values.file !== undefined) await client.query(readFileSync(values.file, 'utf8'))
    for (const command of values.command ?? []) {
      const { rows } = await client.query({ text: command, rowMode: 'array' })
      for (const row of rows) process.stdout.write(`${row.join('\t')}\n`)
    }
    return 0
  } catch (failure) {
    process.stderr.write(`ERROR:  ${(failure as Error).message}\n`)
    return 1
  } finally {
    await client.end()
  }
}

process.exitCode = await psql()
