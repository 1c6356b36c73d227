/** The context of operations on previews. */
import type { SeedFile } from '#contents/sql/seeds'
import type { SqlFile } from '#contents/sql/sql-error'
import type { Context, Creating, Databases, Settings, Waiting } from '#operations/base/context'
import type { SettingsOf } from '#operations/base/input-row'
import type { GitHub, WorkflowEvent } from './github.ts'
import type { previewInputs } from './inputs.ts'

/** The settings of preview operations, from the inputs. Times in milliseconds. */
export type PreviewSettings = SettingsOf<typeof previewInputs>

export type StepSettings = Settings & { preview: PreviewSettings }

export interface WithSettings<Names extends keyof StepSettings> {
  settings: Pick<StepSettings, Names>
}

/** The event of the workflow, and the inputs of previews. */
export interface Triggered extends WithSettings<'preview' | 'hasPasswordSecret'> {
  event: WorkflowEvent
  /** The start of the addresses of services in the console; undefined if the API has no console. */
  consoleUrl?: string | undefined
}

export interface PullRequests extends Waiting, Triggered {
  github: GitHub
  /** For the last requests of an interrupted step: aborted some seconds after `signal`. */
  final?: Pick<PullRequests, 'signal' | 'github'>
}

/** Services, databases and pull requests, as needed to create, prepare, connect and delete a preview. */
export interface Previews extends Creating, Databases, PullRequests {
  settings: StepSettings
}

export interface PreviewContext extends Context, Previews {
  settings: StepSettings
  /** The seed files in order. Throws if a file is missing or unusable. */
  readSeeds(): Promise<SeedFile[]>
  /** The file of masking rules; undefined if none is given. Throws if the file is missing or holds a malformed rule. */
  readMaskFile(): Promise<SqlFile | undefined>
}
