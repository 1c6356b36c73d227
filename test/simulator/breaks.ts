import { creationBreaks } from './breaks-of-creation.ts'
import { endBreaks } from './breaks-of-ends.ts'
import { previewBreaks } from './breaks-of-previews.ts'
import { pruneBreaks } from './breaks-of-prune.ts'

/** One change of the source text; the test of the simulator fails where the text is not there any more. */
interface Edit {
  file: string
  from: string
  to: string
}

/** A deliberately broken variant of production code, and the promises that it breaks, the most telling one first. */
export interface Break {
  promises: string[]
  edits: Edit[]
}

/** By what is left out or done wrong. */
export const breaks: Record<string, Break> = {
  ...creationBreaks,
  ...endBreaks,
  ...previewBreaks,
  ...pruneBreaks,
}
