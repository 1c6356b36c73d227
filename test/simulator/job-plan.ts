import type { SeedFile } from '#contents/sql/seed-file'
import type { AllSettings } from '#database/context'
import type { GivenParameters } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import type { WorkflowEvent } from '#preview/base/github'
import type { Outlook } from '#preview/base/github-failure'
import type { Chance } from './chance.ts'
import type { End } from './end-weather.ts'
import type { Fate, LogLine } from './process.ts'
import type { Notes } from './surroundings.ts'
import type { Forecast } from './weather.ts'

/** A step of a workflow, and the end of its job. */
export interface JobPlan {
  name: string
  operation: string
  given: GivenParameters
  settings: AllSettings
  event: WorkflowEvent
  /** The files that fill a new preview. */
  seeds?: SeedFile[]
  /** Milliseconds after the story's start, or after the post step that it runs `after`. */
  start: number
  after?: JobPlan
  /** The step's `wait_timeout` in milliseconds. */
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
  /** When one of its requests last met a fault. */
  lastFault: number
  /** The error of a failed process. */
  error: unknown
  isKilled: boolean
  /** The lines of its log, including its error. */
  log: LogLine[]
  /** The times of its waits, from the summary. */
  waits: { from: number; until: number }[]
}

/** All that is known of a job once it is over. */
export interface JobReport extends ProcessReport {
  plan: JobPlan
  ending: Ending
  notes: Notes
  /** Ids from answers to the step; if its state could be written, the post step knows them. */
  learned: string[]
  hasLostState: boolean
  /** Creating requests that were not refused, and all changing requests. */
  posts: number
  changes: number
  /** Comments that it asked GitHub to write. */
  comments: number
  /** Whether GitHub did not answer a question of the step. */
  hasMissedGitHub: boolean
  /** Of its questions about many pull requests: how many GitHub answered, and how it refused the last one that it did. */
  gitHubAnswers: number
  gitHubRefused: Outlook | undefined
  /** The post step, if there was something to do. */
  end: ProcessReport | undefined
}

/** The same value as in src/post.ts. */
export const cleanupPatience = 4 * 60_000

/** The name by which the end of a job is known. */
export const endOf = ({ name }: JobPlan) => `${name} (post)`

/** Whether the name of the step's record is unique. A peering has no name. */
export function hasNameOfItsOwn({ operation, given }: JobPlan): boolean {
  return operation !== 'create-peering' && (given.name === undefined || String(given.name).includes('*'))
}
