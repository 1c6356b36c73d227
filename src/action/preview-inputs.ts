import { isPreviewPrefix, parsePreviewBase, parsePreviewName } from '../preview/name.ts'
import { anyText, define, type Parsed, parseCount, parseFlag } from './input-definition.ts'

function parseNumber(text: string): Parsed<number> {
  return /^[1-9]\d{0,9}$/.test(text) ? { value: Number(text) } : { expected: 'the number of a pull request' }
}

function parsePrefix(text: string): Parsed<string> {
  if (isPreviewPrefix(text)) return { value: text }
  return { expected: 'up to 33 lower case letters, digits and "-", starting with a letter' }
}

/** Of operations of previews. */
export const previewInputs = {
  name_prefix: define({
    description:
      'What the names of previews start with: `<name_prefix>-pr-<number>-<8 hex of the repository id>-<6 random>`. With one for each database, a pull request has several. Prune covers all of the repository, or with it only its own.',
    default: 'preview; for prune, all',
    parse: parsePrefix,
  }),
  pull_request: define({
    description: 'Number of the pull request. With it, `preview` acts on that one on every event.',
    default: 'that of the event',
    parse: parseNumber,
  }),
  preview_name: define({
    description:
      'Name of the preview, with or without its random part, in place of the one made from `name_prefix` and `pull_request`.',
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
    description:
      'Previews start without data. Has to be set where `service_id` is not given, so that a variable nobody set makes no empty database.',
    default: 'false',
    parse: parseFlag,
  }),
  pooler: define({
    description: 'Previews get a connection pooler; `pooler_url` and its parts are set once it is there.',
    default: 'false',
    parse: parseFlag,
  }),
  label: define({
    description:
      'Only pull requests with this label have a preview: setting it makes one, taking it off deletes it. For `preview`, run on `labeled` and `unlabeled` too.',
    parse: anyText,
  }),
  drafts: define({
    description:
      'Whether drafts have a preview. For `preview` with `false`, run on `converted_to_draft` and `ready_for_review` too.',
    default: 'true',
    parse: parseFlag,
  }),
  comment: define({
    description: 'Keep one comment on the pull request up to date with the state of its preview.',
    default: 'true',
    parse: parseFlag,
  }),
  max_previews: define({
    description:
      'How many previews this repository may have, whatever their prefix: where there are as many, no new one is made, and the step fails with a list of those that could go. Those that are there go on being used.',
    default: 'no limit',
    parse: text => parseCount(text),
  }),
}
