/** Tests an emulator with a kept folder. */
import { randomInt } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Client } from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EndpointName } from '#api/endpoints'
import {
  type Emulator,
  type EmulatorAccess,
  type EmulatorOptions,
  startEmulator,
} from '../../emulator/library.ts'
import { DataFolder, DataFolderError } from '../../emulator/persistence/data-folder.ts'
import { createRoot } from '../support/database-folder.ts'
import { ownPorts } from '../support/own-ports.ts'
import type { ProgramRun } from '../support/run-program.ts'
import { findProcesses, query, withClient } from './clusters/support.ts'
import { baseUrlIn, runCommand } from './support/command.ts'
import { eventually } from './support/eventually.ts'
import { callOverHttp } from './support/http-caller.ts'
import { replica } from './support/virtual-store.ts'

vi.setConfig({ testTimeout: 240_000 })

/** How often the emulator is killed; more by hand: KILLS=20 npx --no vitest run test/emulator/persistence.test.ts */
const kills = Number(process.env.KILLS ?? 1)

interface Service {
  service_id: string
  status: string
  endpoint?: { host: string; port: number }
  initial_password?: string
  read_replica_sets: { id: string; endpoint?: { port: number } }[]
  connection_pooler?: { endpoint: { host: string; port: number } }
}

let root: string
let data: string
const commands: ProgramRun[] = []
const emulators: Emulator[] = []

beforeEach(async () => {
  root = await createRoot()
  data = path.join(root, `it's "kept" here`)
})

afterEach(async () => {
  for (const { child } of commands.splice(0)) child.kill('SIGTERM')
  for (const emulator of emulators.splice(0)) await emulator.stop()
  await eventually(async () => expect(await findProcesses(root)).toEqual([]))
  await rm(root, { recursive: true, force: true, maxRetries: 5 })
})

/** Starts an emulator of the folder in this process. */
async function open(options: EmulatorOptions = {}) {
  const problems: string[] = []
  const onProblem = (problem: string) => problems.push(problem)
  const emulator = await startEmulator({
    data,
    ports: ownPorts,
    readyAfter: 0,
    changeAfter: 0,
    onProblem,
    ...options,
  })
  emulators.push(emulator)
  const stop = async () => {
    await emulator.stop()
    expect(problems).toEqual([])
  }
  return { keys: emulator.keys, problems, stop, ...callerOf(emulator) }
}

/** Starts the command with the folder, to be killed. */
async function start(...args: string[]) {
  const quick = ['--ready-after', '0s', '--change-after', '0s']
  const run = runCommand('--port', '0', '--ports', ownPorts.join('-'), '--data', data, ...quick, ...args)
  commands.push(run)
  const greeting = await run.until('secret_key: ')
  const [, publicKey = '', secretKey = ''] = /KEYS=([^:]+):(\S+)/.exec(greeting) ?? expect.fail(greeting)
  return { run, ...callerOf({ baseUrl: baseUrlIn(greeting), keys: { publicKey, secretKey } }) }
}

function callerOf(access: EmulatorAccess) {
  const call = async (operation: EndpointName, params: object): Promise<Service> => {
    const { status, body } = await callOverHttp(access, operation, { ...params })
    if (status >= 300) throw new Error(`${operation}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const becomes = (id: string, status: string) =>
    eventually(async () => {
      const service = await call('get-service', { service_id: id })
      expect(service.status).toBe(status)
      return service
    })
  return { call, becomes }
}

async function createReady({ call, becomes }: ReturnType<typeof callerOf>, name: string) {
  const { service_id: id, initial_password: password = '' } = await call('create-service', { name })
  const { endpoint } = await becomes(id, 'READY')
  return { id, password, address: endpoint ?? expect.fail() }
}

test('a stopped emulator is restored unchanged: rows, passwords, addresses, forks, paused services', async () => {
  // So that there is a snapshot by the time of the stop, however quick the rest is.
  const before = await open({ snapshotAfter: 0 })
  const shop = await createReady(before, 'shop')
  const paused = await createReady(before, 'paused')
  await query(shop.address, shop.password, 'CREATE TABLE orders AS SELECT 7 AS total')
  const shopId = { service_id: shop.id }
  const pausedId = { service_id: paused.id }
  await before.call('update-password', { ...shopId, password: 'another-one' })
  await before.call('enable-pooler', shopId)
  await before.call('create-replica', { ...shopId, ...replica })
  const isWhole = (service: Service) => service.connection_pooler && service.read_replica_sets[0]?.endpoint
  const whole = await eventually(async () => {
    const service = await before.call('get-service', shopId)
    expect(isWhole(service)).toBeTruthy()
    return service
  })
  await before.call('stop-service', pausedId)
  await before.becomes(paused.id, 'PAUSED')
  await before.stop()
  expect(await findProcesses(root)).toEqual([])

  const after = await open()
  // The emulator generated them for the folder. Each restart of these tests relies on them.
  expect(after.keys).toEqual(before.keys)
  expect((await stat(path.join(data, 'keys.json'))).mode & 0o777).toBe(0o600)
  expect(await after.call('get-service', shopId)).toEqual(whole)
  expect(await after.call('get-service', pausedId)).toMatchObject({ status: 'PAUSED' })
  const select = 'SELECT total FROM orders'
  const pooler = whole.connection_pooler?.endpoint ?? expect.fail()
  const reader = whole.read_replica_sets[0]?.endpoint ?? expect.fail()
  for (const address of [shop.address, pooler, { host: '127.0.0.1', ...reader }]) {
    expect(await query(address, 'another-one', select)).toEqual([{ total: 7 }])
  }
  await after.call('start-service', pausedId)
  await after.becomes(paused.id, 'READY')
  const forked = await after.call('fork-service', { ...shopId, fork_strategy: 'LAST_SNAPSHOT' })
  const { endpoint } = await after.becomes(forked.service_id, 'READY')
  await query(endpoint ?? expect.fail(), forked.initial_password ?? '', 'SELECT')
  await after.stop()
})

/** Writes one row after the other; `written` are those that the database has confirmed. */
function keepWriting(address: { host: string; port: number }, password: string, from: number) {
  const writer = { written: from, over: Promise.resolve() }
  const write = async (client: Client) => {
    for (; ; writer.written++) await client.query('INSERT INTO numbers VALUES ($1)', [writer.written])
  }
  writer.over = withClient(address, password, write).catch(() => {})
  return writer
}

async function countNumbers(address: { host: string; port: number }, password: string): Promise<number> {
  const [row] = await query<{ count: number }>(address, password, 'SELECT count(*)::int FROM numbers')
  return row?.count ?? 0
}

test(`killed during forks, ${kills} ${kills === 1 ? 'time' : 'times'}, it loses no committed row and leaves no process`, async () => {
  let emulator = await start()
  const parent = await createReady(emulator, 'parent')
  await query(parent.address, parent.password, 'CREATE TABLE numbers (n int)')
  let rows = 0
  const forks: { id: string; password: string; atLeast: number; told: Service['endpoint'] }[] = []
  for (let kill = 0; kill < kills; kill++) {
    const writer = keepWriting(parent.address, parent.password, rows)
    await eventually(() => expect(writer.written).toBeGreaterThan(rows + 20))
    const atLeast = writer.written
    const fork = await emulator.call('fork-service', { service_id: parent.id, fork_strategy: 'NOW' })
    const { service_id: id, initial_password: password = '', endpoint: told } = fork
    forks.push({ id, password, atLeast, told })
    // Each attempt stops at another point, since the number of polls of the fork varies as well.
    for (let look = randomInt(12); look > 0; look--) await emulator.call('get-service', { service_id: id })
    emulator.run.child.kill('SIGKILL')
    await writer.over

    emulator = await start()
    const { endpoint } = await emulator.call('get-service', { service_id: parent.id })
    expect(endpoint).toEqual(parent.address)
    const count = await countNumbers(parent.address, parent.password)
    // The last row may have been committed without the answer having come.
    expect(count - writer.written).toBeOneOf([0, 1])
    rows = count
    for (const { id, password, atLeast: least, told } of forks) {
      const { endpoint: forked } = await emulator.becomes(id, 'READY')
      expect(forked).toEqual(told)
      expect(await countNumbers(forked ?? expect.fail(), password)).toBeGreaterThanOrEqual(least)
    }
    expect(emulator.run.output.stderr).toBe('')
    // More of them would only cost time.
    for (const { id } of forks.splice(0, forks.length - 1))
      await emulator.call('delete-service', { service_id: id })
  }
  emulator.run.child.kill('SIGTERM')
  expect(await emulator.run.exit).toMatchObject({ code: 0, stderr: '' })
  expect(await findProcesses(root)).toEqual([])
})

test('a database that cannot be restored is named, and visible', async () => {
  const before = await open()
  const lost = await createReady(before, 'lost')
  await before.stop()
  await rm(path.join(data, 'c1', 'data'), { recursive: true })
  const after = await open()
  expect(after.problems.join()).toContain(`lost (${lost.id}) could not be restored`)
  expect(await after.call('get-service', { service_id: lost.id })).toMatchObject({ status: 'UNSTABLE' })
})

test('two emulators never share a folder', async () => {
  await open({ databases: false })
  await expect(open({ databases: false })).rejects.toThrow(
    `--data ${data}: another emulator uses it; stop that one, or choose another folder`,
  )
})

test.each([
  ['holds something else', { 'notes.txt': 'mine' }, "it holds files that are not the emulator's"],
  [
    'is of another format',
    { 'emulator.json': '{"format":99,"databases":false}' },
    '(format 99; this one writes 1)',
  ],
  ['has databases', { 'emulator.json': '{"format":1,"databases":true}' }, 'leave out --no-databases'],
  [
    'is damaged',
    { 'emulator.json': '{"format":1,"databases":false}', 'state.json': '{' },
    'state.json cannot be read',
  ],
])('a folder that %s is refused, and left as it is', async (_, files, message) => {
  await mkdir(data)
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(data, name), text)
  const refusal = await DataFolder.open(data, false).catch(error => error)
  expect(refusal).toBeInstanceOf(DataFolderError)
  expect(refusal.message).toMatch(/^--data[^\n]+$/)
  expect(refusal.message).toContain(message)
  expect((await readdir(data)).sort()).toEqual(Object.keys(files).sort())
  for (const [name, text] of Object.entries(files))
    expect(await readFile(path.join(data, name), 'utf8')).toBe(text)
})
