/** All broken variants. */
import type { Break } from './breaking.ts'
import { contentsBreaks } from './breaks-of-contents.ts'
import { creationBreaks } from './breaks-of-creation.ts'
import { endBreaks } from './breaks-of-ends.ts'
import { lifeBreaks } from './breaks-of-life.ts'
import { maskedBreaks } from './breaks-of-masked.ts'
import { pathBreaks, previewBreaks } from './breaks-of-previews.ts'
import { pruneBreaks } from './breaks-of-prune.ts'
import { resetBreaks } from './breaks-of-resets.ts'

/** By the omission or the mistake. */
export const breaks: Record<string, Break> = {
  ...creationBreaks,
  ...endBreaks,
  ...previewBreaks,
  ...pruneBreaks,
  ...lifeBreaks,
  ...pathBreaks,
  ...resetBreaks,
  ...contentsBreaks,
  ...maskedBreaks,
}
