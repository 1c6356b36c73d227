// Measures many previews and services.

import { join, resolve } from 'node:path'
import { type Command, measureProcess, type Usage } from './measure-process.ts'
import { mebibytes, median, type Report, renderTable, times } from './report.ts'
import { parent, startStub } from './stub.ts'

/** A sweep of this number of stale previews, with its requests of each kind. */
interface Sweep extends Usage {
  previews: number
  requests: Map<string, number>
}

/** The cost of finding one preview among many services, and that of a bare script to receive and parse their list. */
interface Finding {
  /** Milliseconds for each list, of a step and of the script. */
  look: number
  bare: number
  /** Peak bytes of the step. */
  memory: number
}

interface Scale {
  sweeps: Sweep[]
  /** Milliseconds per preview if previews are pruned one after the other. */
  oneByOne: number
  /** In addition to the cost in a project with one service. */
  finding: Finding
  /** Peak bytes of a step that waits for a service, and of a bare script that does. */
  waiting: { step: number; bare: number }
}

const index = resolve(import.meta.dirname, '../../dist/index.js')
const latency = 50
const services = 10_000

/** A step whose API and GitHub are both at the address. */
const stepAt = (address: string, inputs: Record<string, string>): Command => ({
  parameters: [index],
  inputs: {
    ...{ base_url: address, api_key: 'public:secret-of-the-benchmark', project_id: 'project1' },
    ...{ service_id: parent, github_token: 'a-token', ...inputs },
  },
  environment: { GITHUB_REPOSITORY: 'octo/shop', GITHUB_API_URL: address, GITHUB_EVENT_NAME: 'schedule' },
})

const bareAt = (address: string): Command => ({
  parameters: [join(import.meta.dirname, 'bare-read.cjs'), address],
})

async function sweep(previews: number): Promise<Sweep> {
  const stub = await startStub({ previews, latency, closed: true })
  try {
    const inputs = { operation: 'prune-previews', max_deletions: String(previews + 1) }
    const usage = await measureProcess(stepAt(stub.address, inputs))
    if (stub.left() > 0) throw new Error(`${stub.left()} of ${previews} previews are left`)
    return { ...usage, previews, requests: stub.counts }
  } finally {
    await stub.stop()
  }
}

/** The cost of finding the first of `previews`, and that of a bare script for the same list. */
async function find(previews: number, runs: number): Promise<Finding> {
  const stub = await startStub({ previews })
  const inputs = { operation: 'create-preview', fork_strategy: 'NOW', pull_request: '1', comment: 'false' }
  const step = stepAt(stub.address, { ...inputs, wait_for_connection: 'false' })
  const bare = bareAt(`${stub.address}/projects/project1/services`)
  const found: Finding[] = []
  try {
    for (let run = 0; run <= runs; run++) {
      stub.counts.clear()
      const { wall, memory } = await measureProcess(step)
      const look = wall / (stub.counts.get('list') ?? Number.NaN)
      found.push({ look, bare: (await measureProcess(bare)).wall, memory })
    }
  } finally {
    await stub.stop()
  }
  // The first run fills the caches of the file system.
  const of = (what: keyof Finding) => median(found.slice(1).map(one => one[what]))
  return { look: of('look'), bare: of('bare'), memory: of('memory') }
}

async function benchFinding(runs: number): Promise<Finding> {
  const one = await find(1, runs)
  const all = await find(services, runs)
  return { look: all.look - one.look, bare: all.bare - one.bare, memory: all.memory }
}

async function benchWaitingMemory(): Promise<Scale['waiting']> {
  const stub = await startStub({ readyAfter: 6000 })
  const inputs = { operation: 'start-service', wait_for_connection: 'false' }
  const { address } = stub
  try {
    const [step, bare] = await Promise.all([
      measureProcess(stepAt(address, inputs)),
      measureProcess(bareAt(`${address}/projects/project1/services/${parent}`)),
    ])
    return { step: step.memory, bare: bare.memory }
  } finally {
    await stub.stop()
  }
}

/** The exceeded limits, a sentence each. */
function findMissed({ sweeps, oneByOne, finding, waiting }: Scale): string[] {
  const thousand = sweeps.find(({ previews }) => previews === 1000)
  const misses = {
    'finding a preview takes more than 1.2 × the bare script': finding.look > 1.2 * finding.bare,
    'finding a preview takes more than 200 MB': finding.memory > 200e6,
    'prune is less than 8 × as fast as one at a time': thousand && 1000 * oneByOne < 8 * thousand.wall,
    'a waiting step takes more than 1.3 × the bare script': waiting.step > 1.3 * waiting.bare,
  }
  return Object.entries(misses).flatMap(([problem, isMissed]) => (isMissed ? [problem] : []))
}

function renderSweep({ previews, wall, memory, requests }: Sweep, oneByOne: number): string[] {
  const asked = (kind: string) => requests.get(kind) ?? 0
  const forServices = asked('GET service') + asked('DELETE service')
  const seconds = [wall, previews * oneByOne].map(milliseconds => (milliseconds / 1000).toFixed(1))
  const counts = [forServices, asked('list'), asked('GitHub')].map(String)
  const gain = times(previews * oneByOne, wall)
  return [previews.toLocaleString('en'), ...seconds, gain, ...counts, mebibytes(memory)]
}

function render({ sweeps, oneByOne, finding, waiting }: Scale): string[] {
  const { look, bare, memory } = finding
  const rows = sweeps.map(one => renderSweep(one, oneByOne))
  const requests = ['requests for services', 'lists', 'requests to GitHub']
  const head = ['stale previews', 's', 's one by one', 'gain', ...requests, 'MiB at most']
  return [
    `Prune, each request answered after ${latency} ms; *one by one* is the time for one preview, times their number:`,
    '',
    ...renderTable(head, rows),
    '',
    `A preview among ${services.toLocaleString('en')} services: \`create-preview\` takes ${look.toFixed(0)} ms more for each list than in a project of one service. A bare script needs ${bare.toFixed(0)} ms to receive and parse it (${times(look, bare)}, limit 1.2 ×). The step has ${mebibytes(memory)} MiB at most (limit 190).`,
    '',
    `A step that waits has ${mebibytes(waiting.step)} MiB at most, a bare script that does ${mebibytes(waiting.bare)} (${times(waiting.step, waiting.bare)}, limit 1.3 ×).`,
  ]
}

/** Measures many previews at once, with the committed bundle, against servers of this machine. */
export async function benchScale(sizes: number[], runs: number): Promise<Report> {
  const none = median([(await sweep(0)).wall, (await sweep(0)).wall])
  const one = median([(await sweep(1)).wall, (await sweep(1)).wall])
  const sweeps: Sweep[] = []
  for (const size of sizes) sweeps.push(await sweep(size))
  const [finding, waiting] = [await benchFinding(runs), await benchWaitingMemory()]
  const scale = { sweeps, oneByOne: one - none, finding, waiting }
  return { lines: render(scale), missed: findMissed(scale) }
}
