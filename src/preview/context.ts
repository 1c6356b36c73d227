import type { Context, Settings } from '../operations/context.ts'
import type { GitHub } from './github.ts'

/** How the operations of previews are to run, from the inputs. Times in milliseconds. */
export interface PreviewSettings {
  /** Undefined when not given: then names begin with `preview`, and prune covers every prefix. */
  namePrefix: string | undefined
  /** Replaces the number in the event. */
  pullRequest: number | undefined
  /** Replaces the derived name. */
  previewName: string | undefined
  /** A preview may be made without a parent. */
  empty: boolean
  /** A preview has a connection pooler. */
  pooler: boolean
  /** Only pull requests with one of these labels have a preview. */
  labels: string[] | undefined
  /** Whether drafts have one. */
  drafts: boolean
  comment: boolean
  maxAge: number | undefined
  /** Prune pauses previews that were not used for so long. */
  pauseAfter: number | undefined
  /** With one of these labels on an open pull request, prune neither pauses nor deletes its preview. */
  keepLabels: string[]
  /** The largest number of previews of the repository; one more is refused. */
  maxPreviews: number | undefined
  minAge: number
  maxDeletions: number
}

/** How an operation is to run, whether it is about previews or not. */
export type StepSettings = Settings & { preview: PreviewSettings }

/** Everything an operation of previews works with. */
export interface PreviewContext extends Context {
  settings: StepSettings
  github: GitHub
}
