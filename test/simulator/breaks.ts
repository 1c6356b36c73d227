/** All broken variants. */
import type { Break } from './breaking.ts'
import { contentsBreaks } from './breaks-of-contents.ts'
import { creationBreaks } from './breaks-of-creation.ts'
import { lifeBreaks } from './breaks-of-life.ts'
import { previewBreaks } from './breaks-of-previews.ts'

/** By the omission or the mistake. */
export const breaks: Record<string, Break> = {
  ...creationBreaks,
  ...previewBreaks,
  ...lifeBreaks,
  ...contentsBreaks,
}
