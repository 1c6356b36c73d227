import { cleanUp, isCleanupDue } from '../../src/operations/cleanup.ts'
import type { GivenParameters, Settings } from '../../src/operations/context.ts'
import type { Outcome } from '../../src/operations/outcome.ts'
import { operations } from '../../src/operations/registry.ts'
import type { WorkflowEvent } from '../../src/preview/github.ts'
import type { Chance } from './chance.ts'
import { type Fate, Process } from './process.ts'
import { type Notes, surround } from './surroundings.ts'
import { clearWeather, type Forecast } from './weather.ts'
import type { World } from './world.ts'

/** A step of a workflow, and the end of its job. */
export interface JobPlan {
  name: string
  operation: string
  given: GivenParameters
  settings: Settings
  event: WorkflowEvent
  /** Milliseconds after the story's start. */
  start: number
  /** Milliseconds that the step may take, as `wait_timeout` says. */
  patience: number
  weather: Forecast
  fate?: Fate | undefined
}

/** How the step ended. */
export type Ending =
  | { kind: 'succeeded'; outcome: Outcome }
  | { kind: 'failed'; error: unknown }
  | { kind: 'killed' }

/** All that is known of a job once it is over. */
export interface JobReport {
  plan: JobPlan
  ending: Ending
  notes: Notes
  /** Milliseconds of virtual time. */
  startedAt: number
  endedAt: number
  cancelledAt: number | undefined
  posts: number
  /** What the end of the job failed with. */
  cleanupError: unknown
}

/** As src/post.ts has it. */
const cleanupPatience = 4 * 60_000

async function endOf(process: Process, run: () => Promise<Outcome>): Promise<Ending> {
  try {
    const outcome = await process.run(run)
    return outcome ? { kind: 'succeeded', outcome } : { kind: 'killed' }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

/** The post step, on a clear day: what it is promised to do, it must do. */
async function runPost(
  world: World,
  chance: Chance,
  plan: JobPlan,
  notes: Notes,
  ending: Ending,
): Promise<unknown> {
  const status = ending.kind === 'succeeded' ? 'success' : 'failure'
  if (notes.intent === undefined || !isCleanupDue(plan.settings.cleanup, status)) return undefined
  const weather = clearWeather(chance)
  const process = new Process(`${plan.name} (post)`, { world, chance, weather })
  const context = surround({ ...plan, world, process, weather, notes, patience: cleanupPatience })
  try {
    await process.run(() => cleanUp(context, notes))
    return undefined
  } catch (error) {
    process.tell(`fails: ${(error as Error).message}`)
    return error
  }
}

/** Runs a job in virtual time: the step with all that befalls it, then the end of the job. */
export async function runJob(world: World, chance: Chance, plan: JobPlan): Promise<JobReport> {
  const { weather, fate } = plan
  const process = new Process(plan.name, { world, chance, weather, fate })
  const notes: Notes = { intent: undefined, created: undefined }
  await new Promise<void>(resolve => void world.time.schedule(plan.start, resolve))
  const startedAt = world.time.now
  process.tell(`starts ${plan.operation}`)
  const operation = operations.get(plan.operation)
  if (operation === undefined) throw new Error(`there is no operation ${plan.operation}`)
  const ending = await endOf(process, () =>
    operation.run(plan.given, surround({ ...plan, world, process, weather, notes })),
  )
  const endedAt = world.time.now
  process.tell(describe(ending))
  const cleanupError = await runPost(world, chance, plan, notes, ending)
  const { cancelledAt, posts } = process
  return { plan, ending, notes, startedAt, endedAt, cancelledAt, posts, cleanupError }
}

function describe(ending: Ending): string {
  if (ending.kind === 'failed') return `fails: ${(ending.error as Error).message}`
  if (ending.kind === 'killed') return 'is no more'
  const { ids, skipped, deletedIds } = ending.outcome
  return `succeeds: ${ids.service_id ?? skipped ?? deletedIds ?? JSON.stringify(ids)}`
}
