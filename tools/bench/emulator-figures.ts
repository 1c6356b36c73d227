import { chmod, mkdtemp, readdir, readFile, readlink, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { type Clusters, openClusters } from '../../emulator/clusters/clusters.ts'
import type { Address, ForkPoint } from '../../emulator/data-plane.ts'
import { describeMachine, median, type Report, renderTable } from './report.ts'

interface Figure {
  name: string
  unit: 's' | 'MB'
  values: number[]
  limit: number
}

const rounds = 5
/** Milliseconds from one new database to the next, as on a machine with other work in between. */
const between = 3000
const idleServices = 20

/**
 * A folder in memory if there is room: ext4 makes new files several times as slowly for half a minute after many were
 * deleted, and this benchmark deletes thousands.
 */
async function chooseParent(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory && memory.bavail * memory.bsize > 2 ** 32 ? '/dev/shm' : tmpdir()
}

async function connect(address: Address, password: string): Promise<Client> {
  const ssl = { rejectUnauthorized: false }
  const client = new Client({ ...address, user: 'tsdbadmin', database: 'tsdb', password, ssl })
  await client.connect()
  return client
}

/** Seconds until a new database, whose password is its id, has answered its first query, in each round. */
async function timeNew(clusters: Clusters, make: (id: string) => Promise<Address>, pause = 0) {
  const values: number[] = []
  for (let round = 0; round < rounds; round++) {
    const id = `new${round}`
    const start = performance.now()
    const client = await connect(await make(id), id)
    await client.query('SELECT 1')
    values.push((performance.now() - start) / 1000)
    await client.end()
    await clusters.deleteService(id)
    await sleep(pause)
  }
  return values
}

async function measureCreation(clusters: Clusters): Promise<Figure[]> {
  const values = await timeNew(clusters, id => clusters.createService(id, id), between)
  return [{ name: 'a new service, until the first query is answered', unit: 's', values, limit: 0.3 }]
}

async function measureForks(clusters: Clusters): Promise<Figure[]> {
  const client = await connect(await clusters.createService('parent', 'p'), 'p')
  await client.query("CREATE TABLE big AS SELECT i, repeat('x', 450) FROM generate_series(1, 100000) AS i")
  await client.query('CREATE TABLE small (n int)')
  let isOver = false
  const write = async () => {
    for (let row = 0; !isOver; row++) await client.query('INSERT INTO small VALUES ($1)', [row])
  }
  const writing = write()
  // So that the newest snapshot holds all of the data.
  const filled = Date.now()
  while ((clusters.lastSnapshot('parent')?.getTime() ?? 0) <= filled) await sleep(20)
  const points: [limit: number, point: () => ForkPoint][] = [
    [1.2, () => ({ strategy: 'NOW' })],
    [2.5, () => ({ strategy: 'PITR', targetTime: new Date(Date.now() - 300) })],
    [1.5, () => ({ strategy: 'LAST_SNAPSHOT' })],
  ]
  const figures: Figure[] = []
  for (const [limit, point] of points) {
    const values = await timeNew(clusters, id => clusters.forkService(id, 'parent', point(), id))
    figures.push({ name: `a fork of 50 MB under writes, ${point().strategy}`, unit: 's', values, limit })
  }
  isOver = true
  await writing
  await client.end()
  await clusters.deleteService('parent')
  return figures
}

/** Megabytes of all servers below the folder; shared memory is divided among the processes that share it. */
async function readMemory(root: string): Promise<number> {
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

async function measureIdle(clusters: Clusters, root: string): Promise<Figure[]> {
  if (process.platform !== 'linux') return []
  for (let one = 0; one < idleServices; one++) await clusters.createService(`idle${one}`, 'password')
  const name = `${idleServices} idle services, memory (PSS)`
  return [{ name, unit: 'MB', values: [await readMemory(root)], limit: 300 }]
}

const round = (value: number) => (value >= 10 ? value.toFixed(0) : value.toFixed(2))

function renderFigure({ name, unit, values, limit }: Figure): string[] {
  const spread = values.length > 1 ? `${round(Math.min(...values))} to ${round(Math.max(...values))}` : ''
  return [name, `${round(median(values))} ${unit}`, spread, `${limit} ${unit}`]
}

/** Measures the databases of the emulator, in a temporary folder. Takes about a minute. */
export async function benchEmulator(): Promise<Report> {
  const root = await mkdtemp(path.join(await chooseParent(), 'bench-'))
  await chmod(root, 0o755)
  const clusters = await openClusters({ root, snapshotAfter: 100, snapshotEvery: 1000 })
  const figures: Figure[] = []
  try {
    for (const measure of [measureCreation, measureForks, measureIdle])
      figures.push(...(await measure(clusters, root)))
  } finally {
    await clusters.close()
    await rm(root, { recursive: true, force: true })
  }
  const missed = figures.filter(({ values, limit }) => median(values) > limit)
  const table = renderTable(['what', 'median', 'from, to', 'limit'], figures.map(renderFigure))
  return {
    lines: [`Measured on ${describeMachine()} (that of the measuring included).`, '', ...table],
    missed: missed.map(({ name, unit, limit }) => `${name}: more than ${limit} ${unit}`),
  }
}
