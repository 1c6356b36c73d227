/** Starts clusters and queries them in tests. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Client, ClientConfig, QueryResultRow } from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Clusters } from '../../../emulator/clusters/clusters.ts'
import { type ClustersOptions, openClusters } from '../../../emulator/clusters/open-clusters.ts'
import type { Address } from '../../../emulator/data-plane.ts'
import { createRoot } from '../../support/database-folder.ts'
import { ownPorts } from '../../support/own-ports.ts'
import { openSession } from '../../support/run-statements.ts'

/** Opens a data plane for the tests of a file. Closing it must leave neither a process nor a file. */
export function useClusters(options: ClustersOptions = {}): () => Clusters {
  let root = ''
  let plane: Clusters | undefined
  beforeAll(async () => {
    root = options.root ?? (await createRoot())
    plane = await openClusters({ ports: ownPorts, ...options, root })
  })
  afterAll(async () => {
    await plane?.close()
    const left = { files: await readdir(root), processes: await findProcesses(root) }
    await rm(root, { recursive: true, force: true })
    expect(left).toEqual({ files: [], processes: [] })
  })
  return () => {
    if (!plane) throw new Error('The data plane is not open.')
    return plane
  }
}

let ids = 0
/** An id that no other test has. */
export function newId(): string {
  ids++
  return `s${ids}`
}

/** Queries as the service's user, over TLS by default. */
export async function query<Row extends QueryResultRow>(
  address: Address,
  password: string,
  sql: string,
  config: ClientConfig = {},
): Promise<Row[]> {
  return withClient(address, password, async client => (await client.query<Row>(sql)).rows, config)
}

/** Connects as the service's user for the time of `job`. */
export async function withClient<T>(
  address: Address,
  password: string,
  job: (client: Client) => Promise<T>,
  config: ClientConfig = {},
): Promise<T> {
  const client = await openSession({
    ...{ ...address, user: 'tsdbadmin', database: 'tsdb', password, ssl: { rejectUnauthorized: false } },
    ...config,
  })
  try {
    return await job(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** The listener at the port: PostgreSQL, no server, or a server that closes the connection at once. */
export async function knock(address: Address): Promise<'open' | 'refused' | 'closed'> {
  const socket = connect(address)
  try {
    return await new Promise(resolve => {
      // PostgreSQL waits for the client to speak first; SSLRequest asks it for one byte.
      socket.once('connect', () => socket.write(Buffer.from('0000000804d2162f', 'hex')))
      socket.once('data', () => resolve('open'))
      socket.once('error', () => resolve('refused'))
      socket.once('close', () => resolve('closed'))
    })
  } finally {
    socket.destroy()
  }
}

/** The ids and command lines of running processes that name the folder. */
export async function findProcesses(folder: string): Promise<string[]> {
  const all = existsSync('/proc/self/cmdline') ? readProcesses() : await askForProcesses()
  return all.filter(line => line.includes(folder))
}

/** On Linux, this takes a tenth of the time of starting `ps`. An ended process or a zombie has no command line. */
function readProcesses(): string[] {
  return readdirSync('/proc').flatMap(id => {
    try {
      return /^\d+$/.test(id)
        ? [`${id} ${readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')}`]
        : []
    } catch {
      return []
    }
  })
}

async function askForProcesses(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,stat=,args='])
  return stdout.split('\n').filter(line => !/^\s*\d+\s+Z/.test(line))
}

/** The process of the server that runs in the folder of a cluster. */
export async function readServerPid(folder: string): Promise<number> {
  return Number((await readFile(path.join(folder, 'data/postmaster.pid'), 'utf8')).split('\n')[0])
}

/** Kills the server in the folder of a cluster, which cannot react. Returns the process. */
export async function killServer(folder: string): Promise<number> {
  const pid = await readServerPid(folder)
  process.kill(pid, 'SIGKILL')
  return pid
}
