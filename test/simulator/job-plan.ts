/** The plan of a job, and the report on it. */
import type { SeedFile } from '#contents/sql/seeds'
import type { AllSettings } from '#database/context'
import type { GivenParameters } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import type { WorkflowEvent } from '#preview/base/github'
import type { Chance } from './chance.ts'
import type { End } from './end-weather.ts'
import type { Fate, Process } from './process.ts'
import type { Notes } from './simulated-context.ts'
import type { Forecast } from './weather.ts'

/** A step of a workflow with its post step. */
export interface JobPlan {
  name: string
  operation: string
  given: GivenParameters
  settings: AllSettings
  event: WorkflowEvent
  seeds?: SeedFile[]
  /** Milliseconds after the story's start, or after the post step named by `after`. */
  start: number
  after?: JobPlan
  /** Milliseconds for the step, from `wait_timeout`. */
  patience: number
  chance: Chance
  weather: Forecast
  fate?: Fate | undefined
  end: End
}

export type Ending =
  | { kind: 'succeeded'; outcome: Outcome }
  | { kind: 'failed'; error: unknown }
  | { kind: 'killed' }

/** The facts about a process after its end. Times in milliseconds of virtual time. */
export interface ProcessReport
  extends Pick<
    Process,
    | ('cancelledAt' | 'isKilled' | 'lastFault' | 'log')
    | ('posts' | 'changes' | 'comments' | 'learned' | 'hasLostState' | 'record')
  > {
  startedAt: number
  endedAt: number
  error: unknown
}

/** The facts about a job after its end. */
export interface JobReport extends ProcessReport {
  plan: JobPlan
  ending: Ending
  notes: Notes
  /** The post step, if it had work. */
  end: ProcessReport | undefined
}

/** As in src/post.ts. */
export const cleanupPatience = 4 * 60_000

/** The name of a post step. */
export const postStepOf = ({ name }: JobPlan) => `${name} (post)`

/** Whether the name of the new record is unique, so no other record has it by chance. A peering has no name. */
export function hasUniqueName({ operation, given }: JobPlan): boolean {
  return operation !== 'create-peering' && (given.name === undefined || String(given.name).includes('*'))
}
