import type { Context, Settings } from '../operations/context.ts'
import type { GitHub } from './github.ts'

/** How the operations of previews shall go, as the inputs say. Times in milliseconds. */
export interface PreviewSettings {
  /** Undefined where it is not given: names then begin with `preview`, and prune is about every prefix. */
  namePrefix: string | undefined
  /** In place of the event's. */
  pullRequest: number | undefined
  /** In place of the derived name. */
  previewName: string | undefined
  /** A preview may be made without a parent. */
  empty: boolean
  /** A preview has a connection pooler. */
  pooler: boolean
  /** Only pull requests with this label have a preview. */
  label: string | undefined
  /** Whether drafts have one. */
  drafts: boolean
  comment: boolean
  maxAge: number | undefined
  /** Prune pauses what was not used for so long. */
  pauseAfter: number | undefined
  /** The label of a pull request whose preview prune neither pauses nor deletes while it is open. */
  keepLabel: string
  /** How many previews the repository may have at most when one more is made. */
  maxPreviews: number | undefined
  minAge: number
  maxDeletions: number
}

/** How any operation shall go, one of previews or not. */
export type StepSettings = Settings & { preview: PreviewSettings }

/** All that an operation of previews works with. */
export interface PreviewContext extends Context {
  settings: StepSettings
  github: GitHub
}
