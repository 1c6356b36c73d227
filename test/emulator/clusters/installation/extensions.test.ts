/** Tests the offered extensions. */
import { beforeAll, expect, test } from 'vitest'
import { renderControl } from '../../../../emulator/clusters/installation/extensions.ts'
import type { Address } from '../../../../emulator/data-plane.ts'
import { newId, query, useClusters } from '../support.ts'

const plane = useClusters({ snapshotAfter: 60_000, extensions: false })

const id = newId()
let address: Address
const ask = (sql: string) => query(address, 'p', sql)
beforeAll(async () => {
  address = await plane().createService(id, 'p')
})

test('the owner, who is not a superuser, can create all offered extensions', async () => {
  const sql = `DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT v.name FROM pg_available_extension_versions v JOIN pg_available_extensions e
      ON e.name = v.name AND default_version = version WHERE trusted AND v.name !~ 'pl(perl|tcl|python)' ORDER BY 1
    LOOP EXECUTE format('CREATE EXTENSION IF NOT EXISTS %I CASCADE', name); END LOOP;
  END $$`
  await query(address, 'p', 'CREATE DATABASE everything')
  await query(address, 'p', sql, { database: 'everything' })
  const [row] = await query<{ names: string[] }>(
    address,
    'p',
    'SELECT array_agg(extname::text ORDER BY extname) AS names FROM pg_extension',
    { database: 'everything' },
  )
  const wanted = [
    ...['amcheck', 'bloom', 'btree_gist', 'citext', 'dblink', 'earthdistance', 'hstore', 'moddatetime'],
  ]
  wanted.push('pg_buffercache', 'pg_prewarm', 'pg_stat_statements', 'pg_trgm', 'pgcrypto', 'pgstattuple')
  wanted.push('postgres_fdw', 'uuid-ossp', 'xml2')
  expect(row?.names).toEqual(expect.arrayContaining(wanted))
})

test.each(['file_fdw', 'plpython3u', 'plperlu', 'pageinspect', 'pg_surgery'])(
  '%s, which gives access to files or memory, cannot be created',
  async name => {
    await expect(ask(`CREATE EXTENSION ${name}`)).rejects.toThrow(
      `permission denied to create extension "${name}"`,
    )
  },
)

test('pg_stat_statements counts statements, and can be reset', async () => {
  await ask('CREATE EXTENSION pg_stat_statements')
  await ask('SELECT 1 AS counted')
  const counted = "SELECT calls::int FROM pg_stat_statements WHERE query = 'SELECT $1 AS counted'"
  expect(await ask(counted)).toEqual([{ calls: 1 }])
  await ask('SELECT pg_stat_statements_reset()')
  expect(await ask(counted)).toEqual([])
})

test('postgres_fdw and dblink reach another service by its password, and none without one', async () => {
  const other = await plane().createService(newId(), 'q')
  await query(other, 'q', 'CREATE TABLE far AS SELECT 7 AS i')
  const { host, port } = other
  await ask(`CREATE EXTENSION postgres_fdw;
    CREATE SERVER other FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '${host}', port '${port}', dbname 'tsdb');
    CREATE USER MAPPING FOR tsdbadmin SERVER other OPTIONS (user 'tsdbadmin', password 'q');
    CREATE FOREIGN TABLE far (i int) SERVER other`)
  expect(await ask('SELECT i FROM far')).toEqual([{ i: 7 }])
  await ask('CREATE EXTENSION dblink')
  const place = `host=${host} port=${port} dbname=tsdb user=tsdbadmin password=q`
  expect(await ask(`SELECT * FROM dblink('${place}', 'SELECT i FROM far') AS t (i int)`)).toEqual([{ i: 7 }])

  // The superuser of a service is let in without a password, at a socket that its server can reach.
  const [{ folder = '' } = {}] = await query<{ folder: string }>(
    address,
    'p',
    "SELECT current_setting('unix_socket_directories') AS folder",
  )
  const asSuperuser = `host=${folder.replaceAll('"', '')} port=${address.port} user=postgres dbname=tsdb`
  await expect(ask(`SELECT dblink_connect('${asSuperuser}')`)).rejects.toThrow('password')
  await expect(ask(`SELECT dblink_connect('${asSuperuser} password=p')`)).rejects.toThrow('password')
  await expect(ask(`SELECT dblink_connect_u('${asSuperuser}')`)).rejects.toThrow('permission denied')
})

test('amcheck checks an index of the owner', async () => {
  await ask('CREATE EXTENSION amcheck; CREATE TABLE t (i int PRIMARY KEY)')
  expect(await ask("SELECT bt_index_check('t_pkey')")).toHaveLength(1)
})

test.each([
  ['linux', `/it's a \\folder`, `/it''s a \\\\folder`],
  ['win32', 'C:\\new', 'C:/new'],
] as const)('on %s the folder %s is %s in a control file', (platform, folder, written) => {
  const control = "default_version = '1'\n"
  expect(renderControl(control, folder, platform)).toBe(
    `${control}trusted = true\ndirectory = '${written}'\n`,
  )
})
