import { define, type Parsed, parseCount, parseTime } from './input-definition.ts'
import { hasControl } from './plain-text.ts'

/** GitHub's labels have at most 50 characters. */
function parseLabel(text: string): Parsed<string> {
  return [...text].length <= 50 && !hasControl(text)
    ? { value: text }
    : { expected: 'the name of a label, at most 50 characters in one line' }
}

/** Inputs of prune-previews, and of preview on a schedule. */
export const pruningInputs = {
  max_age: define({
    parse: parseTime,
  }),
  pause_after: define({
    parse: parseTime,
  }),
  keep_label: define({
    parse: parseLabel,
  }),
  min_age: define({
    parse: parseTime,
  }),
  max_deletions: define({
    parse: text => parseCount(text, 99_999),
  }),
}
