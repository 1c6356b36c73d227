/** Tests which contents of other databases prevent masking. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assertOthersAreEmpty } from '#contents/masking/other-databases'
import { makeService, type Outputs, run, runAsSuperuser } from '../../support/fork.ts'
import { openWorkbench, type Workbench } from '../../support/workbench.ts'
import { opener } from './support/database.ts'

let bench: Workbench
let service: Outputs
beforeAll(async () => {
  bench = await openWorkbench()
  service = await makeService(bench)
  await run(service, 'CREATE TABLE people (email text)')
  await runAsSuperuser(service, 'ALTER SYSTEM SET max_prepared_transactions = 2')
  const service_id = service.service_id as string
  await bench.done({ operation: 'stop-service', service_id })
  await bench.done({ operation: 'start-service', service_id, wait_for_connection: 'true' })
})
afterAll(() => bench.stop())

/** The reason why a service cannot be masked; undefined if it can. */
const reason = () =>
  assertOthersAreEmpty(opener(service)).then(
    () => undefined,
    error => (error as Error).message,
  )

const inOther = (sql: string) => run(service, sql, { database: 'other' })

it('accepts databases without objects that could contain a value', async () => {
  await run(service, 'CREATE DATABASE other')
  await inOther('CREATE EXTENSION timescaledb; CREATE VIEW one AS SELECT 1; CREATE TEMP TABLE brief (n int)')
  await runAsSuperuser(service, 'CREATE TABLE of_the_service (n int)', 'other')
  expect(await reason()).toBeUndefined()
})

it.each([
  ['a table', 'CREATE TABLE copy (line text)', 'DROP TABLE copy'],
  ['a materialized view', 'CREATE MATERIALIZED VIEW copy AS SELECT 1 AS line', 'DROP MATERIALIZED VIEW copy'],
  ['a large object', "SELECT lo_from_bytea(4711, 'canary')", 'SELECT lo_unlink(4711)'],
])('names another database that has %s', async (_, fill, empty) => {
  await inOther(fill)
  expect(await reason()).toBe(
    'the database other of the service holds tables or large objects as well, and only one is masked',
  )
  await inOther(empty)
  expect(await reason()).toBeUndefined()
})

it.each([
  [
    'nobody can log in to',
    'ALTER DATABASE other CONNECTION LIMIT 0',
    'ALTER DATABASE other CONNECTION LIMIT 9',
  ],
  [
    'only another role can log in to',
    'CREATE ROLE app; GRANT app TO tsdbadmin; REVOKE CONNECT ON DATABASE other FROM public; ALTER DATABASE other OWNER TO app; REVOKE app FROM tsdbadmin',
    'GRANT app TO tsdbadmin; ALTER DATABASE other OWNER TO tsdbadmin',
  ],
])('names another database that %s', async (_, shut, open) => {
  await run(service, shut)
  expect(await reason()).toBe('the database other of the service cannot be opened, and only one is masked')
  await run(service, open)
  expect(await reason()).toBeUndefined()
})

it('rolls back prepared transactions', async () => {
  await run(
    service,
    "BEGIN; INSERT INTO people VALUES ('canary'); PREPARE TRANSACTION 'of tonight''s import'",
  )
  expect(await reason()).toBeUndefined()
  expect(await run(service, 'SELECT gid FROM pg_prepared_xacts')).toEqual([])
})

it('names a prepared transaction that it cannot roll back', async () => {
  await runAsSuperuser(service, "BEGIN; INSERT INTO people VALUES ('canary'); PREPARE TRANSACTION 'theirs'")
  expect(await reason()).toMatch(/^the prepared transaction theirs cannot be rolled back in the copy/)
})
