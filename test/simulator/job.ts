import { operations } from '../../src/action/operation-table.ts'
import { cleanUp, isCleanupDue } from '../../src/operations/cleanup.ts'
import type { GivenParameters } from '../../src/operations/context.ts'
import type { Outcome } from '../../src/operations/outcome.ts'
import type { StepSettings } from '../../src/preview/context.ts'
import type { WorkflowEvent } from '../../src/preview/github.ts'
import type { Chance } from './chance.ts'
import type { End } from './end-weather.ts'
import { type Fate, Process } from './process.ts'
import { type Notes, surround } from './surroundings.ts'
import type { Forecast } from './weather.ts'
import type { World } from './world.ts'

// Before any time is virtual: reading a file takes real time.
await Promise.all([...operations.values()].map(operation => operation.load?.()))

/** A step of a workflow, and the end of its job. */
export interface JobPlan {
  name: string
  operation: string
  given: GivenParameters
  settings: StepSettings
  event: WorkflowEvent
  /** Milliseconds after the story's start, or after the end of the job that it runs `after`. */
  start: number
  after?: JobPlan
  /** Milliseconds that the step may take, as `wait_timeout` says. */
  patience: number
  chance: Chance
  weather: Forecast
  fate?: Fate | undefined
  end: End
}

/** How the step ended. */
export type Ending =
  | { kind: 'succeeded'; outcome: Outcome }
  | { kind: 'failed'; error: unknown }
  | { kind: 'killed' }

/** All that is known of a process once it is over. Times in milliseconds of virtual time. */
export interface ProcessReport {
  startedAt: number
  endedAt: number
  cancelledAt: number | undefined
  /** When a request of it last met a fault. */
  lastFault: number
  /** What it failed with. */
  error: unknown
  isKilled: boolean
  /** The lines of its log, its error's too. */
  log: string[]
}

/** All that is known of a job once it is over. */
export interface JobReport extends ProcessReport {
  plan: JobPlan
  ending: Ending
  notes: Notes
  /** Ids that answers told the step; where its state could be written, the end of the job knows them. */
  learned: string[]
  hasLostState: boolean
  /** Creating requests that were not turned down, and all that change something. */
  posts: number
  changes: number
  /** Comments that it asked GitHub to write. */
  comments: number
  /** Whether GitHub did not answer a question of the step. */
  hasMissedGitHub: boolean
  /** The end of the job, where there was something to do. */
  end: ProcessReport | undefined
}

/** As src/post.ts has it. */
export const cleanupPatience = 4 * 60_000

/** The name by which the end of a job is known. */
export const endOf = ({ name }: JobPlan) => `${name} (post)`

/** Whether what the step creates has a name that nobody else can have come upon. A peering has no name. */
export function hasNameOfItsOwn({ operation, given }: JobPlan): boolean {
  return operation !== 'create-peering' && (given.name === undefined || String(given.name).includes('*'))
}

/** Runs a process to its end, whatever that is; `result` is undefined where it comes to none. */
async function follow<Result>(
  world: World,
  process: Process,
  main: () => Promise<Result>,
): Promise<ProcessReport & { result: Result | undefined }> {
  const startedAt = world.time.now
  let error: unknown
  const result = await process.run(main).catch((failure: Error & { next?: string }) => {
    error = failure
    process.write('fails:', failure.next ? `${failure.message} — ${failure.next}` : failure.message)
    return undefined
  })
  const { cancelledAt, lastFault, log, isKilled } = process
  return { startedAt, endedAt: world.time.now, cancelledAt, lastFault, error, isKilled, log, result }
}

/** The post step. */
async function runEnd(
  world: World,
  plan: JobPlan,
  notes: Notes,
  ending: Ending,
): Promise<ProcessReport | undefined> {
  const status = ending.kind === 'succeeded' ? 'success' : 'failure'
  if (notes.intent === undefined || !isCleanupDue(plan.settings.cleanup, status)) return undefined
  const { chance } = plan
  const { weather, fate } = plan.end
  const process = new Process(endOf(plan), { world, chance, weather, fate })
  const context = surround({ ...plan, world, process, weather, notes, patience: cleanupPatience })
  return await follow(world, process, () => cleanUp(context, notes))
}

/** Runs a job in virtual time: the step with all that befalls it, then the end of the job. */
export async function runJob(world: World, plan: JobPlan): Promise<JobReport> {
  const { chance, weather, fate } = plan
  const process = new Process(plan.name, { world, chance, weather, fate })
  const notes: Notes = { intent: undefined, created: undefined }
  await new Promise<void>(resolve => void world.time.schedule(plan.start, resolve))
  process.tell(`starts ${plan.operation}`)
  const operation = operations.get(plan.operation)
  if (operation === undefined) throw new Error(`there is no operation ${plan.operation}`)
  const { result, ...report } = await follow(world, process, () =>
    operation.run(plan.given, surround({ ...plan, world, process, weather, notes })),
  )
  const ending = endingOf(result, report)
  if (ending.kind === 'succeeded') process.tell(describe(ending.outcome))
  if (ending.kind === 'killed') process.tell('is no more')
  const end = await runEnd(world, plan, notes, ending)
  const { posts, changes, comments, learned, hasLostState } = process
  const { hasMissedGitHub } = process.testimony
  const known = { posts, changes, comments, learned, hasLostState, hasMissedGitHub }
  return { ...report, plan, ending, notes, ...known, end }
}

function endingOf(outcome: Outcome | undefined, { error, isKilled }: ProcessReport): Ending {
  if (outcome) return { kind: 'succeeded', outcome }
  return isKilled ? { kind: 'killed' } : { kind: 'failed', error }
}

const describe = ({ ids, skipped, deletedIds }: Outcome) =>
  `succeeds: ${ids.service_id ?? skipped ?? deletedIds ?? JSON.stringify(ids)}`
