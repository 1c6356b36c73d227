/** Tests when the only database of a service with content gets a masking stamp. */
import { beforeAll, describe, expect, it } from 'vitest'
import { maskAndStamp } from '#contents/masking/masking'
import { assertOthersAreEmpty } from '#contents/masking/other-databases'
import { readMaskingStamp } from '#contents/notes/masking-stamp'
import { createService, type Outputs, runAsSuperuser, runSql } from '../../support/fork.ts'
import { useWorkbench } from '../../support/workbench.ts'
import { opener, reusing } from './support/database.ts'

const bench = useWorkbench()
let service: Outputs
beforeAll(async () => {
  service = await createService(bench)
  await runSql(service, "CREATE TABLE people (email text); INSERT INTO people VALUES ('canary@example.com')")
  await runAsSuperuser(service, 'ALTER SYSTEM SET max_prepared_transactions = 2')
  const service_id = service.service_id as string
  await bench.runSuccessfully({ operation: 'stop-service', service_id })
  await bench.runSuccessfully({ operation: 'start-service', service_id, wait_for_connection: 'true' })
})

const mask = (rules: string) =>
  reusing(opener(service), open =>
    maskAndStamp(open, {
      ...{ source: 'production', at: 5, run: 'https://example.com/run', onProgress: () => {} },
      rules: { name: 'masking.yml', path: 'masking.yml', text: rules },
    }),
  )

const note = (id: number, kind: string, text: string) =>
  `SELECT lo_from_bytea(${id}, '${text}'); COMMENT ON LARGE OBJECT ${id} IS 'managed-database-action: ${kind}'`

const notes = () =>
  runSql(service, "SELECT description FROM pg_description WHERE description ~ '^managed-database-action'")

describe('the masking stamp', () => {
  it('deletes the notes and the masking stamp of the parent before it masks', async () => {
    const mark = { source: 'production', at: 1, run: '', file: '', catalog: '' }
    await runSql(
      service,
      `${note(71, 'masked', JSON.stringify(mark))}; ${note(72, 'migrations', 'canary@example.com')}`,
    )
    await expect(mask('public.people: { name: name }')).rejects.toThrow('has no column name')
    expect(await notes()).toEqual([])
    expect(await opener(service)(readMaskingStamp)).toBeUndefined()
  })

  it('writes no masking stamp if the search finds an original', async () => {
    await expect(mask('public.people: { email: { sql: "lower(email)" } }')).rejects.toThrow('original')
    expect(await notes()).toEqual([])
  })

  it.each(['{}', '{"source": "production", "at": "5"}', 'no JSON'])(
    'does not accept %s as a masking stamp',
    async text => {
      await runSql(service, note(73, 'masked', text))
      expect(await opener(service)(readMaskingStamp)).toBeUndefined()
      await runSql(service, 'SELECT lo_unlink(73)')
    },
  )

  it('writes a masking stamp if the search finds no original', async () => {
    await mask('public.people: { email: email }')
    expect(await opener(service)(readMaskingStamp)).toMatchObject({ source: 'production', at: 5 })
    expect(await notes()).toHaveLength(1)
  })
})

/** The reason why a service cannot be masked; undefined if it can. */
const reason = () =>
  assertOthersAreEmpty(opener(service)).then(
    () => undefined,
    error => (error as Error).message,
  )

const inOther = (sql: string) => runSql(service, sql, { database: 'other' })

describe('the check of other databases', () => {
  it('accepts databases without objects that could contain a value', async () => {
    await runSql(service, 'CREATE DATABASE other')
    await inOther(
      'CREATE EXTENSION timescaledb; CREATE VIEW one AS SELECT 1; CREATE TEMP TABLE brief (n int)',
    )
    await runAsSuperuser(service, 'CREATE TABLE of_the_service (n int)', 'other')
    expect(await reason()).toBeUndefined()
  })

  it.each([
    ['a table', 'CREATE TABLE copy (line text)', 'DROP TABLE copy'],
    ['a matview', 'CREATE MATERIALIZED VIEW copy AS SELECT 1 AS n', 'DROP MATERIALIZED VIEW copy'],
    ['a large object', "SELECT lo_from_bytea(4711, 'canary')", 'SELECT lo_unlink(4711)'],
  ])('names another database that has %s', async (_, fill, empty) => {
    await inOther(fill)
    expect(await reason()).toBe(
      'the database other of the service also contains tables or large objects, and only one is masked',
    )
    await inOther(empty)
    expect(await reason()).toBeUndefined()
  })

  it.each([
    ['takes no login', 'ALTER DATABASE other CONNECTION LIMIT 0', 'ALTER DATABASE other CONNECTION LIMIT 9'],
    [
      'accepts only the login of another role',
      'CREATE ROLE app; GRANT app TO tsdbadmin; REVOKE CONNECT ON DATABASE other FROM public; ALTER DATABASE other OWNER TO app; REVOKE app FROM tsdbadmin',
      'GRANT app TO tsdbadmin; ALTER DATABASE other OWNER TO tsdbadmin',
    ],
  ])('names another database that %s', async (_, shut, open) => {
    await runSql(service, shut)
    expect(await reason()).toBe('the database other of the service cannot be opened, and only one is masked')
    await runSql(service, open)
    expect(await reason()).toBeUndefined()
  })

  it('precedes masking', async () => {
    await inOther('CREATE TABLE copy (line text)')
    await expect(mask('public.people: { email: keep }')).rejects.toThrow(/^the database other of the service/)
    await inOther('DROP TABLE copy')
  })

  it('rolls back prepared transactions', async () => {
    await runSql(
      service,
      "BEGIN; INSERT INTO people VALUES ('canary'); PREPARE TRANSACTION 'of tonight''s import'",
    )
    expect(await reason()).toBeUndefined()
    expect(await runSql(service, 'SELECT gid FROM pg_prepared_xacts')).toEqual([])
  })

  it('names a prepared transaction that it cannot roll back', async () => {
    await runAsSuperuser(service, "BEGIN; INSERT INTO people VALUES ('canary'); PREPARE TRANSACTION 'theirs'")
    expect(await reason()).toMatch(/^the prepared transaction theirs cannot be rolled back in the copy/)
  })
})
