/** The context of operations on the contents of a database: that of previews, with the settings of its own inputs. */
import type { PreviewContext, StepSettings } from '#preview/base/context'
import type { ContentsSettings } from './inputs/contents-inputs.ts'
import type { RehearsalSettings } from './inputs/rehearsal-inputs.ts'

/** How any operation is to run, from the inputs. Times in milliseconds. */
export type AllSettings = StepSettings & {
  contents: ContentsSettings
  rehearsal: RehearsalSettings
}

/** The settings of these names. */
export interface WithSettings<Names extends keyof AllSettings> {
  settings: Pick<AllSettings, Names>
}

/** Everything any operation works with. */
export interface DatabaseContext extends PreviewContext {
  settings: AllSettings
}
