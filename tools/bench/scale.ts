import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { measureProcess, type Usage } from './measure-process.ts'
import { median, runnerFiles } from './start-up.ts'
import { startStubProject } from './stub-project.ts'

/** A sweep of so many stale previews. */
export interface Sweep {
  previews: number
  /** Milliseconds, and peak bytes of memory. */
  wall: number
  memory: number
  /** Requests of each kind. */
  requests: Record<string, number>
}

/** Finding one preview among many services. */
export interface Finding {
  services: number
  /**
   * Milliseconds that a list takes beyond one of a single service, and those of a bare script that receives and parses
   * it.
   */
  look: number
  bare: number
  /** Bytes at most. */
  memory: number
}

export interface Scale {
  latency: number
  sweeps: Sweep[]
  /** Milliseconds per preview if previews are pruned one after the other. */
  oneByOne: number
  finding: Finding
  /** Peak bytes of a step that waits for a service, and of a bare script that does. */
  waiting: { step: number; bare: number }
}

type Project = Awaited<ReturnType<typeof startStubProject>>

const index = resolve(import.meta.dirname, '../../dist/index.js')
const latency = 50
const services = 10_000

function stepIn(project: Project, folder: string, inputs: Record<string, string>) {
  const usual = {
    base_url: project.address,
    api_key: 'public:secret-of-the-benchmark',
    project_id: 'project1',
  }
  const given = Object.entries({ ...usual, service_id: project.parent, github_token: 'a-token', ...inputs })
  return {
    parameters: [index],
    environment: {
      PATH: process.env.PATH,
      ...runnerFiles(folder),
      GITHUB_REPOSITORY: 'octo/shop',
      GITHUB_REPOSITORY_ID: String(project.repositoryId),
      GITHUB_API_URL: project.address,
      GITHUB_EVENT_NAME: 'schedule',
      ...Object.fromEntries(given.map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    },
  }
}

const bareIn = (script: string, address: string) => ({
  parameters: [join(import.meta.dirname, script), address],
  environment: { PATH: process.env.PATH },
})

async function sweep(previews: number, folder: string): Promise<Sweep> {
  const project = await startStubProject({ previews, latency, closed: true })
  try {
    const step = stepIn(project, folder, {
      operation: 'prune-previews',
      max_deletions: String(previews + 1),
    })
    const { wall, memory } = await measureProcess(step, folder)
    if (project.left() > 0) throw new Error(`${project.left()} of ${previews} previews are left`)
    return { previews, wall, memory, requests: Object.fromEntries(project.counts) }
  } finally {
    await project.stop()
  }
}

/** The cost of finding the first of `count` previews, and that of a bare script for the same list. */
async function find(count: number, folder: string, runs: number) {
  const project = await startStubProject({ previews: count, latency: 0, closed: false })
  const inputs = { operation: 'create-preview', fork_strategy: 'NOW', pull_request: '1', comment: 'false' }
  const steps: Usage[] = []
  const bares: Usage[] = []
  try {
    const step = stepIn(project, folder, { ...inputs, wait_for_connection: 'false' })
    const bare = bareIn('bare-list.cjs', `${project.address}/projects/project1/services`)
    for (let run = 0; run <= runs; run++) {
      project.counts.clear()
      const usage = await measureProcess(step, folder)
      const lists = project.counts.get('list') ?? Number.NaN
      const usageOfBare = await measureProcess(bare, folder)
      if (run === 0) continue
      steps.push({ ...usage, wall: usage.wall / lists, processor: usage.processor / lists })
      bares.push(usageOfBare)
    }
  } finally {
    await project.stop()
  }
  const of = (usages: Usage[], what: keyof Usage) => median(usages.map(usage => usage[what]))
  return { look: of(steps, 'wall'), bare: of(bares, 'wall'), memory: of(steps, 'memory') }
}

async function benchFinding(folder: string, runs: number): Promise<Finding> {
  const one = await find(1, folder, runs)
  const all = await find(services, folder, runs)
  return { services, look: all.look - one.look, bare: all.bare - one.bare, memory: all.memory }
}

async function benchWaitingMemory(folder: string): Promise<Scale['waiting']> {
  const readyAfter = 6000
  const step = await startStubProject({ previews: 1, latency: 0, closed: false, readyAfter })
  const usual = { operation: 'start-service', wait_for_connection: 'false', service_id: 's000000001' }
  try {
    const [ours, bare] = await Promise.all([
      measureProcess(stepIn(step, folder, usual), mkdtempSync(join(folder, 'step-'))),
      measureProcess(
        bareIn('bare-wait.cjs', `${step.address}/projects/project1/services/s000000001`),
        mkdtempSync(join(folder, 'bare-')),
      ),
    ])
    return { step: ours.memory, bare: bare.memory }
  } finally {
    await step.stop()
  }
}

/** Measures many previews at once, with the committed bundle, against servers of this machine. */
export async function benchScale(sizes: number[], runs: number): Promise<Scale> {
  const folder = mkdtempSync(join(tmpdir(), 'scale-'))
  try {
    const none = median([(await sweep(0, folder)).wall, (await sweep(0, folder)).wall])
    const one = median([(await sweep(1, folder)).wall, (await sweep(1, folder)).wall])
    const sweeps: Sweep[] = []
    for (const size of sizes) sweeps.push(await sweep(size, folder))
    const finding = await benchFinding(folder, runs)
    const waiting = await benchWaitingMemory(folder)
    return { latency, sweeps, oneByOne: one - none, finding, waiting }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
