/** The context of operations on the contents of a database: the context of previews, with more settings. */
import type { PreviewContext, StepSettings } from '#preview/base/context'
import type { ContentsSettings, RehearsalSettings } from './inputs.ts'

/** The settings of all inputs. Times in milliseconds, sizes in bytes. */
export type AllSettings = StepSettings & {
  contents: ContentsSettings
  rehearsal: RehearsalSettings
}

export interface WithSettings<Names extends keyof AllSettings> {
  settings: Pick<AllSettings, Names>
}

export interface DatabaseContext extends PreviewContext {
  settings: AllSettings
}
