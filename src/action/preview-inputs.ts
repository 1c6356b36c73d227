import { isPreviewPrefix, parsePreviewBase, parsePreviewName } from '../preview/name.ts'
import { define, type Parsed, parseCount, parseFlag } from './input-definition.ts'
import { parseLabels } from './pruning-inputs.ts'

function parseNumber(text: string): Parsed<number> {
  return /^[1-9]\d{0,9}$/.test(text) ? { value: Number(text) } : { expected: 'the number of a pull request' }
}

function parsePrefix(text: string): Parsed<string> {
  if (isPreviewPrefix(text)) return { value: text }
  return { expected: 'up to 33 lower case letters, digits and "-", starting with a letter' }
}

/** Inputs of operations on previews. */
export const previewInputs = {
  name_prefix: define({
    parse: parsePrefix,
  }),
  pull_request: define({
    parse: parseNumber,
  }),
  preview_name: define({
    parse(text: string): Parsed<string> {
      return (parsePreviewBase(text) ?? parsePreviewName(text))
        ? { value: text }
        : {
            expected:
              'a name like preview-pr-12-0a1b2c3d (<prefix>-pr-<number>-<8 hex of the repository id>), or one of the merge queue',
          }
    },
  }),
  empty: define({
    parse: parseFlag,
  }),
  pooler: define({
    parse: parseFlag,
  }),
  label: define({
    parse: parseLabels,
  }),
  drafts: define({
    parse: parseFlag,
  }),
  comment: define({
    parse: parseFlag,
  }),
  max_previews: define({
    parse: text => parseCount(text),
  }),
}
