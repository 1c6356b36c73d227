/** Runs one job in virtual time. */
import { operations, runOperation } from '#action/inputs/operation-table'
import type { Outcome } from '#operations/base/outcome'
import { cleanUp, isCleanupDue } from '#operations/cleanup/cleanup'
import { withHeartbeat } from '#operations/wait/heartbeat'
import { checkPublications } from './contents.ts'
import {
  cleanupPatience,
  type Ending,
  type JobPlan,
  type JobReport,
  type ProcessReport,
  postStepOf,
} from './job-plan.ts'
import { Process } from './process.ts'
import { createContext, type Notes } from './simulated-context.ts'
import type { World } from './world.ts'

/** Runs a process to any end; `result` is undefined if there is none. */
async function runProcess<Result>(
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
  return { ...process, startedAt, endedAt: world.time.now, error, result }
}

async function runPostStep(
  world: World,
  plan: JobPlan,
  notes: Notes,
  ending: Ending,
): Promise<ProcessReport | undefined> {
  const status = ending.kind === 'succeeded' ? 'success' : 'failure'
  if (notes.intent === undefined || !isCleanupDue(plan.settings.cleanup, status)) return undefined
  const { chance } = plan
  const { weather, fate } = plan.end
  const process = new Process(postStepOf(plan), { world, chance, weather, fate })
  const context = createContext({ ...plan, world, process, weather, notes, patience: cleanupPatience })
  return await runProcess(world, process, () => withHeartbeat(context, heard => cleanUp(heard, notes)))
}

/** Runs the step with all its faults, then the post step. */
export async function runJob(world: World, plan: JobPlan): Promise<JobReport> {
  const { chance, weather, fate } = plan
  const process = new Process(plan.name, { world, chance, weather, fate })
  const notes: Notes = { intent: undefined, created: undefined }
  await new Promise<void>(resolve => void world.time.schedule(plan.start, resolve))
  process.trace(`starts ${plan.operation}`)
  const operation = operations.get(plan.operation)
  if (operation === undefined) throw new Error(`there is no operation ${plan.operation}`)
  const { result, ...report } = await runProcess(world, process, () =>
    runOperation(operation, plan.given, createContext({ ...plan, world, process, weather, notes })),
  )
  const ending = endingOf(result, report)
  const publications = checkPublications(world, process, plan)
  if (ending.kind === 'failed') publications.text(String(ending.error), 'the error')
  if (ending.kind === 'succeeded') {
    publications.text(JSON.stringify(ending.outcome.report ?? []), 'the summary')
    publications.outcome(ending.outcome, 'the outputs')
    process.record.notePublication(ending.outcome.ids.service_id ?? '')
    process.trace(describe(ending.outcome))
  }
  if (ending.kind === 'killed') process.trace('is no more')
  const end = await runPostStep(world, plan, notes, ending)
  return { ...report, plan, ending, notes, end }
}

function endingOf(outcome: Outcome | undefined, { error, isKilled }: ProcessReport): Ending {
  if (outcome) return { kind: 'succeeded', outcome }
  return isKilled ? { kind: 'killed' } : { kind: 'failed', error }
}

const describe = ({ ids, skipped, deletedIds }: Outcome) =>
  `succeeds: ${ids.service_id ?? skipped ?? deletedIds ?? JSON.stringify(ids)}`
