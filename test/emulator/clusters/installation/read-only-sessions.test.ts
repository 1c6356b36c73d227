/** Tests read-only sessions. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Address } from '../../../../emulator/data-plane.ts'
import { newId, query, useClusters } from '../support.ts'

const open = useClusters()

const password = 'of-the-owner'
const id = newId()
let address: Address
beforeAll(async () => {
  address = await open().createService(id, password)
  await query(address, password, 'CREATE TABLE orders (id int); INSERT INTO orders VALUES (1)')
  // Here, because PostgreSQL refuses one of two grants on a table at the same moment.
  await query(address, password, 'GRANT ALL ON orders TO PUBLIC')
})

const insert = 'INSERT INTO orders VALUES (2)'
const refused = 'in a read-only transaction'
const asReader = (user: string, sql: string, database = 'tsdb') =>
  query(address, 'of-the-reader', sql, { user, database })

describe('a session is read-only', { concurrent: true }, () => {
  it.each(['true', 'on'])('of a role with the setting %s', async value => {
    const role = `reader_${value}`
    await query(
      address,
      password,
      `CREATE ROLE ${role} LOGIN PASSWORD 'of-the-reader';
       ALTER ROLE ${role} SET tsdb_admin.read_only_role = '${value}'`,
    )
    expect(await asReader(role, 'SELECT id FROM orders WHERE id > 0')).toEqual([{ id: 1 }])
    await expect(asReader(role, insert)).rejects.toThrow(refused)
  })

  it('that starts with the setting, even without it later', async () => {
    const options = '-c tsdb_admin.read_only_connection=true'
    const sql = `SET tsdb_admin.read_only_connection = off; ${insert}`
    await expect(query(address, password, sql, { options })).rejects.toThrow(refused)
  })

  it('in a database that the owner created', async () => {
    await query(address, password, 'CREATE DATABASE another')
    const config = { database: 'another', options: '-c tsdb_admin.read_only_connection=on' }
    await expect(query(address, password, 'CREATE TABLE t (id int)', config)).rejects.toThrow(refused)
  })

  it('of a role with the rights of the owner', async () => {
    await query(
      address,
      password,
      `SELECT timescale_functions.create_bare_readonly_role('auditor', 'of-the-reader');
       SELECT timescale_functions.grant_tsdbadmin_to_role('auditor')`,
    )
    expect(await asReader('auditor', 'SELECT id FROM orders WHERE id > 0')).toEqual([{ id: 1 }])
    await expect(asReader('auditor', 'DROP TABLE orders')).rejects.toThrow(refused)
  })
})

it('a session without a setting, or with it off, can write', async () => {
  const write = 'INSERT INTO orders VALUES (0) RETURNING id'
  for (const options of ['', '-c tsdb_admin.read_only_connection=false'])
    await expect(query(address, password, write, { options })).resolves.toEqual([{ id: 0 }])
})

it('only the owner grants the rights of the owner, to roles that only read', async () => {
  const grant = "SELECT timescale_functions.grant_tsdbadmin_to_role('writer')"
  await query(address, password, "CREATE ROLE writer LOGIN PASSWORD 'of-the-reader'")
  await expect(query(address, password, grant)).rejects.toThrow('role writer is not read-only')
  await expect(asReader('writer', grant)).rejects.toThrow('permission denied')
})

it('a dump contains none of it, because it belongs to an extension', async () => {
  const objects = `
    SELECT count(*)::int AS number, count(*) FILTER (WHERE deptype = 'e')::int AS of_extensions
    FROM (SELECT oid FROM pg_namespace WHERE nspname IN ('tsdb_admin', 'timescale_functions')
          UNION ALL SELECT oid FROM pg_event_trigger
          UNION ALL SELECT oid FROM pg_proc WHERE pronamespace::regnamespace::text IN ('tsdb_admin', 'timescale_functions'))
    LEFT JOIN pg_depend ON objid = oid AND deptype = 'e'`
  expect(await query(address, password, objects)).toEqual([{ number: 6, of_extensions: 6 }])
})

it('statistics count the sessions of others, transactions and bytes', async () => {
  const before = await open().readStatistics(id)
  expect(before).toMatchObject({ connections: 0 })
  expect(before.diskBytes).toBeGreaterThan(1_000_000)
  const during = await query(address, password, 'SELECT 1').then(() => open().readStatistics(id))
  expect(during.transactions).toBeGreaterThanOrEqual(before.transactions)
})
