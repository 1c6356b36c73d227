import { chmod, mkdtemp, readdir, readFile, readlink, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { type Clusters, openClusters } from '../../emulator/clusters/clusters.ts'
import type { Address, ForkPoint } from '../../emulator/data-plane.ts'

/** A figure of the emulator: what was measured, how often, and its limit. */
export interface Figure {
  name: string
  unit: string
  values: number[]
  limit: number | undefined
  /** The lower limit, if more is better. */
  least?: number
}

const rounds = 5
/** Milliseconds from one new service to the next, as on a machine with other work in between. */
const between = 3000
const idleServices = 20
const manyServices = 50

/** Measures the databases of the emulator, in a temporary folder. Takes about a minute. */
export async function measureEmulator(): Promise<Figure[]> {
  const root = await mkdtemp(path.join(await chooseParent(), 'bench-'))
  await chmod(root, 0o755)
  const clusters = await openClusters({ root, snapshotAfter: 100, snapshotEvery: 1000 })
  try {
    return [
      await measureCreation(clusters, 'a new service, until the first query is answered', between),
      await measureCreation(clusters, 'the same, right after the one before', 0),
      ...(await measureForks(clusters)),
      ...(await measureMany(clusters, root)),
    ]
  } finally {
    await clusters.close()
    await rm(root, { recursive: true, force: true })
  }
}

/**
 * A folder in memory if there is room: ext4 makes new files several times as slowly for half a minute after many were
 * deleted, and this benchmark deletes thousands.
 */
async function chooseParent(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory && memory.bavail * memory.bsize > 2 ** 32 ? '/dev/shm' : tmpdir()
}

async function measureCreation(clusters: Clusters, name: string, pause: number): Promise<Figure> {
  const values: number[] = []
  for (let round = 0; round < rounds; round++) {
    const id = `new${round}`
    values.push(await seconds(async () => ask(await clusters.createService(id, id), id, 'SELECT 1')))
    await clusters.deleteService(id)
    await sleep(pause)
  }
  return { name, unit: 's', values, limit: pause > 0 ? 0.3 : undefined }
}

async function measureForks(clusters: Clusters): Promise<Figure[]> {
  const address = await clusters.createService('parent', 'p')
  await ask(
    address,
    'p',
    "CREATE TABLE big AS SELECT i, repeat('x', 450) AS x FROM generate_series(1, 100000) AS i",
  )
  await ask(address, 'p', 'CREATE TABLE small (n int)')
  const writer = keepWriting(address)
  // So that the newest snapshot holds all of the data.
  const filled = Date.now()
  while ((clusters.lastSnapshot('parent')?.getTime() ?? 0) <= filled) await sleep(20)
  const limits = { NOW: 1.2, PITR: 2.5, LAST_SNAPSHOT: 1.5 }
  const figures: Figure[] = []
  for (const strategy of ['NOW', 'PITR', 'LAST_SNAPSHOT'] as const) {
    const values: number[] = []
    for (let round = 0; round < rounds; round++) {
      const id = `${strategy}${round}`
      const point: ForkPoint =
        strategy === 'PITR' ? { strategy, targetTime: new Date(Date.now() - 300) } : { strategy }
      values.push(
        await seconds(async () => ask(await clusters.forkService(id, 'parent', point, id), id, 'SELECT 1')),
      )
      await clusters.deleteService(id)
    }
    figures.push({
      name: `a fork of 50 MB under writes, ${strategy}`,
      unit: 's',
      values,
      limit: limits[strategy],
    })
  }
  await writer.stop()
  await clusters.deleteService('parent')
  return figures
}

async function measureMany(clusters: Clusters, root: string): Promise<Figure[]> {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `many${index}`)
  const all = await seconds(() => Promise.all(names(manyServices).map(id => clusters.createService(id, id))))
  for (const id of names(manyServices).slice(idleServices)) await clusters.deleteService(id)
  const memory = await readMemory(root)
  return [
    {
      name: `${manyServices} services asked for at once, until the last is there`,
      unit: 's',
      values: [all],
      limit: undefined,
    },
    ...(memory === undefined
      ? []
      : [{ name: `${idleServices} idle services, memory (PSS)`, unit: 'MB', values: [memory], limit: 300 }]),
  ]
}

async function seconds(job: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await job()
  return (performance.now() - start) / 1000
}

async function ask(address: Address, password: string, sql: string): Promise<void> {
  const client = newClient(address, password)
  await client.connect()
  await client.query(sql)
  await client.end()
}

function keepWriting(address: Address) {
  let isOver = false
  const write = async () => {
    const client = newClient(address, 'p')
    await client.connect()
    for (let row = 0; !isOver; row++) await client.query('INSERT INTO small VALUES ($1)', [row])
    await client.end()
  }
  const over = write()
  return {
    stop: () => {
      isOver = true
      return over
    },
  }
}

function newClient(address: Address, password: string): Client {
  const ssl = { rejectUnauthorized: false }
  return new Client({ ...address, user: 'tsdbadmin', database: 'tsdb', password, ssl })
}

/**
 * Megabytes of all servers below the folder; shared memory is divided among the processes that share it. Linux only.
 */
async function readMemory(root: string): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  let kilobytes = 0
  for (const pid of (await readdir('/proc')).filter(name => /^\d+$/.test(name))) {
    // A server and its child processes have its data folder as working directory.
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    if (!folder?.startsWith(root)) continue
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
  }
  return kilobytes / 1024
}
