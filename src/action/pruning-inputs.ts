import { define, type Parsed, parseCount, parseTime } from './input-definition.ts'
import { hasControl } from './plain-text.ts'

/** Labels, between commas or in lines of their own: a label of GitHub has 50 characters at most, and no comma. */
export function parseLabels(text: string): Parsed<string[]> {
  const value = text
    .split(/[,\n]/)
    .map(label => label.trim())
    .filter(label => label !== '')
  const isLabel = (label: string) => [...label].length <= 50 && !hasControl(label)
  return value.length > 0 && value.every(isLabel)
    ? { value }
    : { expected: 'labels of at most 50 characters each, between commas or in lines of their own' }
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
    parse: parseLabels,
  }),
  min_age: define({
    parse: parseTime,
  }),
  max_deletions: define({
    parse: text => parseCount(text, 99_999),
  }),
}
