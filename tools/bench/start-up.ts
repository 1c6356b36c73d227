import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Command, measureProcess, type Usage } from './measure-process.ts'
import { type Peer, preparePeer } from './peer.ts'
import { startStub } from './stub-service.ts'

/** One program and the medians of its runs. */
export interface StartUp {
  name: string
  median: Usage
  /** Limits of its time, as multiples of the time of another row. */
  limits?: { times: number; of: string }[] | undefined
}

export interface StartUpOptions {
  runs: number
  /** Another action, to be measured beside ours. */
  peer?: Peer | undefined
  /** Inputs of the peer, `name=value`; `{address}` stands for the stub's. */
  with?: string[] | undefined
}

const bare = 'a bare ES module: two requests by node:http'
const bareCommonJs = 'the same as CommonJS'
const empty = 'node -e 0'
const peerName = 'the peer'
const bareScript = join(import.meta.dirname, 'bare-script.cjs')
const asModule = readFileSync(bareScript, 'utf8').replace(
  /const (.*) = require\((.*)\)/g,
  'import $1 from $2',
)
const dist = resolve(import.meta.dirname, '../../dist')

function inputsOf(pairs: Record<string, string>): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(pairs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  )
}

/** Empty files for what a step writes for the runner, by the variables that name them. */
export function runnerFiles(folder: string): NodeJS.ProcessEnv {
  const names = ['GITHUB_OUTPUT', 'GITHUB_STATE', 'GITHUB_ENV', 'GITHUB_STEP_SUMMARY']
  return Object.fromEntries(
    names.map(name => {
      writeFileSync(join(folder, name), '')
      return [name, join(folder, name)]
    }),
  )
}

type Row = Command & Omit<StartUp, 'median'>

interface Scene {
  stub: { address: string; parent: string }
  folder: string
}

function rowsOf(options: StartUpOptions, { stub, folder }: Scene): Row[] {
  const environment = { PATH: process.env.PATH, ...runnerFiles(folder), GITHUB_REPOSITORY_ID: '1' }
  const { address, parent } = stub
  const usual = { base_url: address, api_key: 'public:secret-of-the-benchmark', project_id: 'project1' }
  const step = (operation: string, more: Record<string, string>): NodeJS.ProcessEnv => ({
    ...environment,
    ...inputsOf({ ...usual, operation, service_id: parent, ...more }),
  })
  const fork = step('fork-service', { wait: 'false', fork_strategy: 'NOW' })
  const given = (options.with ?? []).map(pair => pair.replace('{address}', address).split(/=(.*)/s))
  return [
    { name: empty, parameters: ['-e', '0'], environment },
    { name: bare, parameters: ['--input-type=module', '-e', asModule, 'bare', address, parent], environment },
    { name: bareCommonJs, parameters: [bareScript, address, parent], environment },
    {
      name: 'step: fork-service, `wait: false`',
      parameters: [join(dist, 'index.js')],
      environment: fork,
      limits: [
        { times: 1.55, of: bare },
        { times: 0.9, of: peerName },
      ],
    },
    {
      name: 'step: get-connection',
      parameters: [join(dist, 'index.js')],
      environment: step('get-connection', { wait_for_connection: 'false' }),
      limits: [{ times: 1.55, of: bare }],
    },
    {
      name: 'end of a job whose step created nothing',
      parameters: [join(dist, 'post.js')],
      environment: fork,
      limits: [{ times: 1.2, of: empty }],
    },
    ...(options.peer === undefined
      ? []
      : [
          {
            name: peerName,
            parameters: [preparePeer(options.peer, address, folder)],
            environment: { ...environment, ...inputsOf(Object.fromEntries(given)) },
          },
        ]),
  ]
}

/** The middle one, or the mean of the two in the middle. */
export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return ((sorted[middle] ?? Number.NaN) + (sorted[sorted.length - 1 - middle] ?? Number.NaN)) / 2
}

/** Runs all programs in rounds, so that other load on the machine affects all alike. */
export async function benchStartUp(options: StartUpOptions): Promise<StartUp[]> {
  const folder = mkdtempSync(join(tmpdir(), 'start-up-'))
  const stub = await startStub()
  try {
    const rows = rowsOf(options, { stub, folder }).map(row => ({ ...row, usages: [] as Usage[] }))
    // The first round fills the caches of the file system.
    for (let round = 0; round <= options.runs; round++) {
      for (const row of rows) {
        const usage = await measureProcess(row, folder)
        if (round > 0) row.usages.push(usage)
      }
    }
    return rows.map(({ name, limits, usages }) => ({
      name,
      limits,
      median: {
        wall: median(usages.map(({ wall }) => wall)),
        processor: median(usages.map(({ processor }) => processor)),
        memory: median(usages.map(({ memory }) => memory)),
      },
    }))
  } finally {
    await stub.stop()
    rmSync(folder, { recursive: true })
  }
}
