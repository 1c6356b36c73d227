/** Measures the start-up of a step. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { renderTable } from '../reference/documents.ts'
import { stepEnvironment, withStepFolder } from '../runner/run-step.ts'
import { describeMachine, median, type Report, times } from './report.ts'
import { parent, startStub } from './stub.ts'

interface StartUpOptions {
  runs: number
  /** The main file of another action, to be measured beside this one. */
  peer?: string | undefined
  /** The address of the API, if it is built into the peer. */
  'peer-address'?: string | undefined
  /** Inputs of the peer, `name=value`; `{address}` is replaced by the stub's address. */
  with?: string[] | undefined
}

/** A program for Node.js: its arguments, its inputs as an action, and its maximum time as multiples of another one's. */
interface Row {
  name: string
  parameters: string[]
  inputs?: Record<string, string>
  limits?: Record<string, number>
}

/** The usage of a process: milliseconds of the clock and of all processors together, and peak bytes of memory. */
interface Usage {
  wall: number
  processor: number
  memory: number
}

/** A program with the medians of its runs. */
type Measured = Row & Usage

const bareScript = join(import.meta.dirname, 'bare-script.cjs')
const asModule = readFileSync(bareScript, 'utf8').replace(/const (.*) = require\((.*)\)/, 'import $1 from $2')
const dist = resolve(import.meta.dirname, '../../dist')

/** The peer's file. If the address is built in, this is a copy with the stub's address: the checkout stays unchanged. */
function preparePeer(peer: string, address: string | undefined, stub: string, folder: string): string {
  const path = resolve(peer)
  if (address === undefined) return path
  const code = readFileSync(path, 'utf8')
  if (!code.includes(address)) throw new Error(`${peer} does not hold the address ${address}`)
  const copy = join(folder, basename(path))
  writeFileSync(copy, code.replaceAll(address, stub))
  // It defines whether the file is an ES module.
  const description = findPackageJSON(pathToFileURL(path))
  if (description !== undefined) copyFileSync(description, join(folder, 'package.json'))
  return copy
}

function listPrograms(options: StartUpOptions, address: string, folder: string): Row[] {
  const access = { base_url: address, api_key: 'public:secret-of-the-benchmark', project_id: 'project1' }
  const usual = { ...access, service_id: parent }
  const fork = { ...usual, operation: 'fork-service', wait: 'false', fork_strategy: 'NOW' }
  const connection = { ...usual, operation: 'get-connection', wait_for_connection: 'false' }
  const [step, end] = [[join(dist, 'index.js')], [join(dist, 'post.js')]]
  const { peer, 'peer-address': peerAddress, with: pairs = [] } = options
  const given = pairs.map(pair => pair.replace('{address}', address).split(/=(.*)/s))
  const rows: Row[] = [
    { name: 'empty', parameters: ['-e', '0'] },
    { name: 'bare', parameters: ['--input-type=module', '-e', asModule, 'bare', address, parent] },
    { name: 'bare, as CommonJS', parameters: [bareScript, address, parent] },
    {
      ...{ name: 'step: fork-service, `wait: false`', parameters: step, inputs: fork },
      limits: { bare: 1.55, 'the peer': 0.9 },
    },
    { name: 'step: get-connection', parameters: step, inputs: connection, limits: { bare: 1.55 } },
    {
      ...{ name: 'end of a job whose step created nothing', parameters: end, inputs: fork },
      limits: { empty: 1.2 },
    },
  ]
  if (peer === undefined) return rows
  const file = preparePeer(peer, peerAddress, address, folder)
  return [...rows, { name: 'the peer', parameters: [file], inputs: Object.fromEntries(given) }]
}

const reporter = join(import.meta.dirname, 'report-usage.cjs')

/**
 * Runs a program to its end. Reporting its usage takes about a millisecond, the same for each.
 * @throws Error when it fails
 */
const measureProcess = ({ parameters, inputs = {} }: Row): Promise<Usage> =>
  withStepFolder(async folder => {
    const file = join(folder, 'usage.json')
    const start = performance.now()
    const child = spawn(process.execPath, ['--require', reporter, ...parameters], {
      env: { ...stepEnvironment({ inputs }, folder), GITHUB_REPOSITORY_ID: '1', USAGE_FILE: file },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await once(child, 'close')
    const wall = performance.now() - start
    if (code !== 0)
      throw new Error(`${parameters.join(' ')} exited with ${code}:\n${(await output).join('')}`)
    const { processor, maxRSS } = JSON.parse(readFileSync(file, 'utf8'))
    return { wall, processor, memory: maxRSS * 1024 }
  })

/** The limits of a row that refer to measured rows, with the time of each. */
const limitsOf = ({ limits = {} }: Measured, all: Measured[]) =>
  all.flatMap(({ name, wall }) => {
    const factor = limits[name]
    return factor === undefined ? [] : [{ of: `${factor} × ${name}`, most: factor * wall }]
  })

/** The machine, and a table. */
function render(all: Measured[], runs: number): string {
  const [empty = Number.NaN, bare = Number.NaN] = all.map(({ wall }) => wall)
  const rows = all.map(row => {
    const { name, wall, processor, memory } = row
    const limit = limitsOf(row, all).map(({ of }) => of)
    const ratios = [times(wall, empty), times(wall, bare)]
    const mebibytes = (memory / 1024 ** 2).toFixed(0)
    return [name, wall.toFixed(0), processor.toFixed(0), ...ratios, limit.join(', '), mebibytes]
  })
  const head = ['program', 'ms', 'ms of processor', 'to empty', 'to bare', 'limit', 'MiB at most']
  return `Measured on ${describeMachine()}; medians of ${runs} runs.\n\n${renderTable(head, rows, true)}`
}

/** Runs all programs in rounds, so that other load on the machine affects all equally. */
export async function benchStartUp(options: StartUpOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'start-up-'))
  await using stub = await startStub()
  try {
    const rows = listPrograms(options, stub.address, folder).map(row => ({ row, usages: [] as Usage[] }))
    // The first round fills the caches of the file system.
    for (let round = 0; round <= options.runs; round++)
      for (const { row, usages } of rows) {
        const usage = await measureProcess(row)
        if (round > 0) usages.push(usage)
      }
    const all = rows.map(({ row, usages }) => {
      const of = (what: keyof Usage) => median(usages.map(usage => usage[what]))
      return { ...row, wall: of('wall'), processor: of('processor'), memory: of('memory') }
    })
    const missed = all.flatMap(row =>
      limitsOf(row, all).flatMap(({ of, most }) =>
        row.wall > most ? [`${row.name} takes more than ${of}`] : [],
      ),
    )
    return { text: render(all, options.runs), missed }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
