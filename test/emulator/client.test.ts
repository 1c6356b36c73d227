/** Tests the emulator as a library for tests. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { seed } from '../../emulator/command/seed.ts'
import { renderStatus } from '../../emulator/command/status.ts'
import { connect, type Emulator, type ReadyService, startEmulator } from '../../emulator/library.ts'
import { ownPorts } from '../support/own-ports.ts'
import { openSession, runStatements } from '../support/run-statements.ts'
import { useWorkspace } from '../support/workspace.ts'
import { eventually } from './support/eventually.ts'

const { path: root } = useWorkspace()
let emulator: Emulator
let where: string[]
/** A service for tests that need no other one. */
let shop: ReadyService

beforeAll(async () => {
  const atOnce = { readyAfter: 0, changeAfter: 0, deleteAfter: 0, snapshotAfter: 3_600_000 }
  emulator = await startEmulator({ ...atOnce, temp: root, ports: ownPorts })
  const { publicKey, secretKey } = emulator.keys
  where = ['--port', String(emulator.port), '--keys', `${publicKey}:${secretKey}`]
  shop = await emulator.createService({ name: "a shop's" })
})
afterAll(() => emulator?.stop())

async function write(name: string, sql: string): Promise<string> {
  const file = path.join(root, name)
  await writeFile(file, sql)
  return file
}

/** Queries a database by its URL alone and checks its certificate. */
const query = (connectionString: string, sql: string) => runStatements({ connectionString }, sql)

/** The names of all services besides the shop. */
async function names(): Promise<string[]> {
  const status = JSON.parse(await renderStatus([...where, '-o', 'json']))
  const all: string[] = status.services.map(({ name }: { name: string }) => name)
  return all.filter(name => name !== shop.name)
}

test('a service is filled and READY when it is returned, and so are its separate forks', async () => {
  const seeds = [
    await write('1.sql', 'CREATE TABLE orders (id int)'),
    await write('2.sql', 'INSERT INTO orders VALUES (1)'),
  ]
  const parent = await emulator.createService({ name: 'parent', seed: seeds })
  expect(new URL(parent.databaseUrl).searchParams.get('sslmode')).toBe('verify-full')
  // The client of another process that received the address and the keys.
  const { baseUrl, keys } = emulator
  const elsewhere = connect({ baseUrl, keys: { ...keys } })
  {
    await using fork = await elsewhere.fork(parent.id, { name: 'one', strategy: 'LAST_SNAPSHOT' })
    await query(fork.databaseUrl, 'INSERT INTO orders VALUES (2)')
    expect(await query(fork.databaseUrl, 'SELECT count(*)::int FROM orders')).toEqual([{ count: 2 }])
    expect(await names()).toEqual(['parent', 'one'])
  }
  await eventually(async () => expect(await names()).toEqual(['parent']))
  const second = await parent.fork()
  expect(second.name).toBe('standard-fork-parent')
  expect(await query(second.databaseUrl, 'SELECT id FROM orders')).toEqual([{ id: 1 }])
  await second.delete()
  expect((await elsewhere.find('parent')).databaseUrl).toBe(parent.databaseUrl)
  await parent.delete()
})

test('a failed seed leaves no service, and the error names the file', async () => {
  const broken = await write('broken.sql', 'CREATE TABLE t (i nonsense)')
  await expect(emulator.createService({ seed: broken })).rejects.toThrow(
    new RegExp(`^seed ${broken}: .*"nonsense" does not exist`, 's'),
  )
  await eventually(async () => expect(await names()).toEqual([]))
})

test('a seed ignores variables of libpq, which may be about another database', async () => {
  vi.stubEnv('PGSSLROOTCERT', path.join(root, 'certificate-of-a-stopped-emulator.pem'))
  vi.stubEnv('PGSSLMODE', 'verify-full')
  vi.stubEnv('PGOPTIONS', '-c default_transaction_read_only=on')
  onTestFinished(() => void vi.unstubAllEnvs())
  const file = await write('alone.sql', 'CREATE TABLE alone ()')
  await using service = await emulator.createService({ name: 'alone', seed: file })
  vi.unstubAllEnvs()
  expect(await query(service.databaseUrl, 'SELECT FROM alone')).toEqual([])
})

test("a file is searched for in the caller's folder, before a service is created", async () => {
  const missing = new RegExp(`^seed ${path.join(root, 'no.sql')}: the file cannot be read: check the path$`)
  const file = path.relative(process.cwd(), path.join(root, 'no.sql'))
  const creating = () => emulator.requests.filter(({ method }) => method === 'POST').length
  const before = creating()
  await expect(emulator.createService({ seed: file })).rejects.toThrow(missing)
  await expect(seed([...where, 'no.sql'], root)).rejects.toThrow(missing)
  expect(creating()).toBe(before)
  await write('there.sql', 'CREATE TABLE t ()')
  await expect(seed([...where, '--service', shop.id, 'there.sql', 'no.sql'], root)).rejects.toThrow(missing)
  expect(await query(shop.databaseUrl, "SELECT to_regclass('t') AS t")).toEqual([{ t: null }])
  await seed([...where, '--service', shop.id, 'there.sql'], root)
  expect(await query(shop.databaseUrl, 'SELECT FROM t')).toEqual([])
})

// A shell script stands for pg_dump: of this version none is shipped with PostgreSQL's server alone.
test.runIf(process.platform === 'linux')('a database is copied with the matching pg_dump', async () => {
  const copy = ['--name', 'copy', shop.databaseUrl]
  const bin = path.join(root, 'bin')
  await mkdir(bin)
  const dump = path.join(bin, 'pg_dump')
  const script = (version: number) => `#!/bin/sh
if [ "$1" = --version ]; then echo "pg_dump (PostgreSQL) ${version}.1"; exit; fi
echo "CREATE TABLE told (text text); COPY told FROM stdin;"; echo "$* $PGPASSWORD"; echo "\\\\."
`
  await writeFile(dump, script(19))
  await chmod(dump, 0o755)
  const again = path.join(root, 'bin-again')
  await symlink(bin, again)
  const usual = process.env.PATH
  // Each program of that name is asked for its version; some machines have one in a shell script in each of many folders.
  process.env.PATH = [bin, again, path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(
    path.delimiter,
  )
  try {
    await expect(seed([...where, ...copy])).rejects.toThrow(
      /^seed postgresql:\/\/127\.0\.0\.1:\d+\/tsdb: a database of PostgreSQL 18 needs the pg_dump of PostgreSQL 18 \([^)]*\b19\b(?!.*\b19\b).*postgresql-client-18/,
    )
    const { stdout } = await promisify(execFile)('sh', ['-c', 'command -v psql || true'])
    if (stdout.trim() === '') return
    await symlink(stdout.trim(), path.join(bin, 'psql'))
    await writeFile(dump, script(18))
    const told = await seed([...where, ...copy])
    expect(told).toMatch(
      /^service \S+ \(copy\) is filled from postgresql:\/\/127\.0\.0\.1:\d+\/tsdb, with a snapshot\n/,
    )
    const url = told.split('\n')[1] ?? ''
    const [{ text }] = (await query(url, 'SELECT text FROM told')) as [{ text: string }]
    expect(text).toContain('--no-owner')
    // The password comes last, from the environment: others on the machine can read arguments.
    expect([text.split(shop.password).length, text.endsWith(` ${shop.password}`)]).toEqual([2, true])
  } finally {
    process.env.PATH = usual
    await (await emulator.find('copy').catch(() => undefined))?.delete()
  }
})

test('the environment of a service is printed with the keys, for shells and for files', async () => {
  const file = await write('more.sql', 'CREATE TABLE more ()')
  await seed([...where, '--service', shop.id, file])
  const told = await renderStatus([...where, '-o', 'env', '--service', "a shop's"])
  const shell = await promisify(execFile)('sh', ['-c', `${told}\necho "$DATABASE_URL"`])
  expect(shell.stdout.trim()).toBe(shop.databaseUrl)
  expect(await query(shop.databaseUrl, 'SELECT FROM more')).toEqual([])
  expect(told).toContain(`PGSSLMODE=verify-full\n`)
  expect(told).not.toMatch(/^(?:BASE_URL|PROJECT_ID|PUBLIC_KEY|SECRET_KEY)=/m)
  const ofApi = await renderStatus([...where, '-o', 'env'])
  expect(ofApi).toContain(`BASE_URL=${emulator.baseUrl}\n`)
  expect(ofApi).toContain(`SECRET_KEY=${emulator.keys.secretKey}\n`)
  const [port = '', number = ''] = where
  expect(await renderStatus([port, number, '-o', 'env'])).not.toMatch(/KEY|PASSWORD/)
  await expect(renderStatus([port, number, '-o', 'env', '--service', 'x'])).rejects.toThrow(
    '--keys: expected',
  )
  await expect(seed([port, number, file])).rejects.toThrow('--keys: expected PUBLIC:SECRET')
  await expect(seed(where)).rejects.toThrow('expected files of SQL, or a postgresql:// address')
})

test('an ambiguous name is refused with the ids, and a wrong key with an instruction', async () => {
  await using one = await emulator.createService({ name: 'twice' })
  await using other = await emulator.createService({ name: 'twice' })
  const ids = `several services twice: give the id of one (${one.id}, ${other.id})`
  await expect(emulator.find('twice')).rejects.toThrow(ids)
  const wrong = ['--port', String(emulator.port), '--keys', 'local:wrong']
  await expect(renderStatus([...wrong, '-o', 'env', '--service', one.id])).rejects.toThrow(
    /^the emulator at http:\/\/127\.0\.0\.1:\d+ refused the keys: use those that it printed/,
  )
})

test('a copy of a database is separate, unknown to the API, and dropped at the end of its block', async () => {
  await query(shop.databaseUrl, 'CREATE TABLE orders AS SELECT 1 AS id')
  const before = await names()
  let url = ''
  {
    await using copy = await shop.copyDatabase()
    url = copy.databaseUrl
    await query(url, 'INSERT INTO orders VALUES (2)')
    expect(await query(url, 'SELECT id FROM orders ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }])
    expect(await query(shop.databaseUrl, 'SELECT id FROM orders')).toEqual([{ id: 1 }])
    expect(await names()).toEqual(before)
  }
  await expect(query(url, 'SELECT 1')).rejects.toThrow('does not exist')
})

test('a copy of a database waits for a session that ends, and names the one that stays', async () => {
  const session = await openSession({ connectionString: shop.databaseUrl })
  const copy = shop.copyDatabase()
  await expect(copy).rejects.toThrow('a session is open in it. Close every connection to it')
  await session.end()
  await using later = await shop.copyDatabase()
  expect(later.database).toMatch(/^tsdb_copy_[0-9a-f]{12}$/)
})
