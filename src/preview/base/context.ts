/** The context of operations on previews. */
import type { SeedFile } from '#contents/sql/seed-file'
import type { SqlFile } from '#contents/sql/sql-error'
import type { Context, Creating, Databases, Settings, Waiting } from '#operations/base/context'
import type { SettingsOf } from '#operations/base/input-row'
import type { GitHub, WorkflowEvent } from './github.ts'
import type { previewInputs } from './inputs.ts'

/** How the operations of previews are to run, from the inputs. Times in milliseconds. */
export type PreviewSettings = SettingsOf<typeof previewInputs>

/** How an operation on previews is to run. */
export type StepSettings = Settings & { preview: PreviewSettings }

/** The settings of these names. */
export interface WithSettings<Names extends keyof StepSettings> {
  settings: Pick<StepSettings, Names>
}

/** Knows why the workflow runs, and the inputs of previews. */
export interface Triggered extends WithSettings<'preview'> {
  /** The event that started the workflow. */
  event: WorkflowEvent
  /** What the addresses of services in the console begin with, where the API has one. */
  consoleUrl?: string | undefined
}

/** May ask GitHub about pull requests, and write to them. */
export interface PullRequests extends Waiting, Triggered {
  github: GitHub
  /** For the last requests of a step that is cut short: aborted some seconds after `signal`. */
  final?: Pick<PullRequests, 'signal' | 'github'>
}

/** May create, prepare, connect and delete a preview. */
export interface Previews extends Creating, Databases, PullRequests {
  settings: StepSettings
}

/** Everything an operation on previews works with. */
export interface PreviewContext extends Context, Previews {
  settings: StepSettings
  /** The files that fill a new preview, in order; throws where one is missing, or cannot be run as it is. */
  readSeeds(): Promise<SeedFile[]>
  /** The file of rules for masking; throws where it is missing, or says what is no rule. Undefined if none is given. */
  readMaskFile(): Promise<SqlFile | undefined>
}
