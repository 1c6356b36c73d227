/** Tests the effects of requests on databases. */
import { afterEach, expect, test } from 'vitest'
import {
  type Address,
  type DataPlane,
  type HaReplicas,
  NoPortError,
  type Sizes,
} from '../../../../emulator/data-plane.ts'
import type { EmulatorOptions } from '../../../../emulator/http/server.ts'
import { eventually } from '../../support/eventually.ts'
import { callOverHttp } from '../../support/http-caller.ts'
import { start, stopAll } from '../../support/running.ts'

afterEach(stopAll)

const address: Address = { host: '127.0.0.1', port: 5433 }

/** Databases that only record their calls; `does` replaces some of them. */
class NotedDatabases implements DataPlane {
  readonly poolers = 'PgBouncer'
  readonly about = ['PostgreSQL 18', 'a stand-in']
  readonly certificate = { pem: '-----BEGIN', file: '/server.crt' }
  readonly restored = new Map()
  readonly asked: string[] = []
  released = 0
  readonly #does: (what: string) => Promise<void>

  constructor(does: (what: string) => Promise<void> = async () => {}) {
    this.#does = does
  }

  async #note(...words: string[]): Promise<void> {
    this.asked.push(words.join(' '))
    await this.#does(words[0] ?? '')
  }
  #open = (...words: string[]) => this.#note(...words).then(() => address)

  reserveAddress = async () => ({ ...address })
  releaseAddress = () => void this.released++
  createService = () => this.#open('create')
  forkService = (_id: string, _parent: string, point: { strategy: string }) =>
    this.#open('fork', point.strategy)
  startService = () => this.#open('start')
  stopService = () => this.#note('stop')
  resizeService = (_: string, { memoryGbs }: Sizes) => this.#open('resize', String(memoryGbs))
  setPassword = (_: string, password: string) => this.#note('password', password)
  deleteService = () => this.#note('delete')
  createReplicaSet = () => this.#open('create-replica')
  resizeReplicaSet = (_: string, { memoryGbs }: Sizes) => this.#open('resize-replica', String(memoryGbs))
  setStandbys = (_: string, { replicaCount }: HaReplicas) => this.#note('standbys', String(replicaCount))
  deleteReplicaSet = () => this.#note('delete-replica')
  openForwarder = (_: string, purpose: string) => this.#open('open', purpose)
  closeForwarder = (_: string, purpose: string) => this.#note('close', purpose)
  lastSnapshot = () => new Date()
  readLogs = async () => [{ timestamp: new Date(0), severity: 'LOG', message: 'database line' }]
  takeSnapshot = async () => {}
  readStatistics = async () => ({ connections: 1, transactions: 10, diskBytes: 1000 })
  describe = () => undefined
  watch = () => {}
  close = () => this.#note('close-all')
}

const atOnce = { readyAfter: 0, changeAfter: 0, deleteAfter: 0 } satisfies EmulatorOptions

async function withDatabases(does?: (what: string) => Promise<void>) {
  const dataPlane = new NotedDatabases(does)
  const problems: string[] = []
  const emulator = await start({ ...atOnce, dataPlane, onProblem: line => problems.push(line) })
  const create = async () =>
    (await callOverHttp(emulator, 'create-service', { name: 'shop' })).body.service_id as string
  const status = async (service_id: string) =>
    (await callOverHttp(emulator, 'get-service', { service_id })).body.status
  const becomes = (service_id: string, wanted: string | undefined) =>
    eventually(async () => expect(await status(service_id)).toBe(wanted))
  return { emulator, dataPlane, asked: dataPlane.asked, problems, create, becomes }
}

test('a service is refused if no port is left, and only if the call has no other mistake', async () => {
  const { emulator, dataPlane, asked } = await withDatabases()
  dataPlane.reserveAddress = () => Promise.reject(new NoPortError('no port from 1 to 2 is free: delete some'))
  expect(await callOverHttp(emulator, 'create-service', { name: 'shop' })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', message: 'no port from 1 to 2 is free: delete some' },
  })
  expect((await callOverHttp(emulator, 'create-service', { name: 'shop', region_code: 'moon' })).status).toBe(
    400,
  )
  expect(asked).toEqual([])
  expect((await callOverHttp(emulator, 'list-services', {})).body).toEqual([])
})

test('200 simultaneous services: as many as the limit are created, the others refused', async () => {
  const dataPlane = new NotedDatabases()
  const emulator = await start({ ...atOnce, dataPlane, maxServices: 50 })
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => callOverHttp(emulator, 'create-service', { name: 'shop' })),
  )
  const refused = answers.filter(({ status }) => status !== 202)
  expect(refused).toHaveLength(150)
  for (const { status, body } of refused) {
    expect(status).toBe(409)
    expect(body).toEqual({
      code: 'CONFLICT',
      message:
        'limit reached: the project has 50 services, and may have 50; delete some, or start the emulator with a ' +
        'higher --max-services',
    })
  }
  await eventually(async () => {
    const { body } = await callOverHttp(emulator, 'list-services', {})
    expect(body.filter(({ status }: { status: string }) => status === 'READY')).toHaveLength(50)
  })
  expect(dataPlane.asked).toHaveLength(50)
  // The ports that were promised to the others are free again.
  expect(dataPlane.released).toBe(150)
})

test('the life of a service reaches the databases in order', async () => {
  const { emulator, asked, create, becomes } = await withDatabases()
  const service_id = await create()
  await becomes(service_id, 'READY')
  await callOverHttp(emulator, 'update-password', { service_id, password: 'new' })
  await callOverHttp(emulator, 'enable-pooler', { service_id })
  await callOverHttp(emulator, 'fork-service', { service_id, fork_strategy: 'LAST_SNAPSHOT' })
  await callOverHttp(emulator, 'resize-service', { service_id, cpu_millis: '1000', memory_gbs: '4' })
  await becomes(service_id, 'READY')
  await callOverHttp(emulator, 'set-ha', { service_id, replica_count: 2 })
  await becomes(service_id, 'READY')
  await callOverHttp(emulator, 'stop-service', { service_id })
  await becomes(service_id, 'PAUSED')
  await callOverHttp(emulator, 'start-service', { service_id })
  await becomes(service_id, 'READY')
  await callOverHttp(emulator, 'delete-service', { service_id })
  await eventually(async () =>
    expect((await callOverHttp(emulator, 'get-service', { service_id })).status).toBe(404),
  )
  expect(asked).toEqual([
    ...['create', 'password new', 'open pooler', 'fork LAST_SNAPSHOT'],
    ...['resize 4', 'standbys 2', 'stop', 'start', 'close pooler', 'delete'],
  ])
  await emulator.stop()
  expect(asked.at(-1)).toBe('close-all')
})

test('the overview describes the databases and poolers', async () => {
  const { emulator } = await withDatabases()
  const overview = await fetch(new URL('/emulator/overview', emulator.baseUrl))
  expect(await overview.json()).toMatchObject({
    poolers: 'PgBouncer',
    about: ['PostgreSQL 18', 'a stand-in'],
  })
  const certificate = await fetch(new URL('/emulator/ca.pem', emulator.baseUrl))
  expect(await certificate.text()).toBe('-----BEGIN')
})

test("the databases' own log lines appear with the events of the service", async () => {
  const { emulator, create, becomes } = await withDatabases()
  const service_id = await create()
  await becomes(service_id, 'READY')
  const { body } = await callOverHttp(emulator, 'get-service-logs', { service_id })
  expect(body.entries.at(-1)).toMatchObject({ message: 'database line' })
  expect(body.entries[0].message).toContain('READY')
})

test('a failure makes the service UNSTABLE and is reported, never thrown', async () => {
  const { problems, create, becomes } = await withDatabases(async what => {
    if (what === 'create') throw new Error('the disk is full')
  })
  const service_id = await create()
  await becomes(service_id, 'UNSTABLE')
  expect(problems).toEqual([`create-service of service ${service_id} failed: the disk is full`])
})

test('a failed password change is a 500, and the service stays READY', async () => {
  const { emulator, create, becomes } = await withDatabases(async what => {
    if (what === 'password') throw new Error('not this one')
  })
  const service_id = await create()
  await becomes(service_id, 'READY')
  const answer = await callOverHttp(emulator, 'update-password', { service_id, password: 'new' })
  expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
  await becomes(service_id, 'READY')
})

test('effects wait only for those of the same service, and none starts after the emulator stops', async () => {
  const finish: (() => void)[] = []
  const { emulator, asked, create } = await withDatabases(what =>
    what === 'create' ? new Promise(resolve => finish.push(resolve)) : Promise.resolve(),
  )
  const service_id = await create()
  await create()
  await callOverHttp(emulator, 'delete-service', { service_id })
  expect(asked).toEqual(['create', 'create'])
  const stopped = emulator.stop()
  for (const resolve of finish) resolve()
  await stopped
  expect(asked).toEqual(['create', 'create', 'close-all'])
})

test('a creation is answered with the reserved address; a refused one releases it', async () => {
  const { emulator, dataPlane } = await withDatabases()
  const { body } = await callOverHttp(emulator, 'create-service', { name: 'shop' })
  expect([body.endpoint, dataPlane.released]).toEqual([address, 0])
  expect((await callOverHttp(emulator, 'create-service', { name: '' })).status).toBe(400)
  expect(dataPlane.released).toBe(1)
})
