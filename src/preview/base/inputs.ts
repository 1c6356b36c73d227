/** The inputs of operations on previews, one row each. */
import type { Harm } from '#api/fields/input'
import { flag, inGroup, type Parsed, parseAge, parseCount, parsePatterns } from '#operations/base/input-row'
import { isPreviewPrefix, parseGivenName, usualPrefix } from './name.ts'

function parseNumber(text: string): Parsed<number> {
  return /^[1-9]\d{0,9}$/.test(text) ? { value: Number(text) } : { expected: 'the number of a pull request' }
}

function parsePrefix(text: string): Parsed<string> {
  if (isPreviewPrefix(text)) return { value: text }
  return { expected: 'up to 33 lower case letters, digits and "-", starting with a letter' }
}

function parseName(text: string): Parsed<string> {
  if (parseGivenName(text)) return { value: text }
  const form = '<prefix>-pr-<number>-<8 hex of the repository id>'
  return { expected: `a name like preview-pr-12-0a1b2c3d (${form}), or one of the merge queue` }
}

/** Labels, separated by commas or line breaks. A GitHub label has at most 50 characters and no comma. */
function parseLabels(text: string): Parsed<string[]> {
  const value = text
    .split(/[,\n]/)
    .map(label => label.trim())
    .filter(label => label !== '')
  const isLabel = (label: string) => [...label].length <= 50 && !/\p{Cc}/u.test(label)
  return value.length > 0 && value.every(isLabel)
    ? { value }
    : { expected: 'labels of at most 50 characters each, between commas or in lines of their own' }
}

const excluded: Harm = { by: 'changes', what: 'databases that it excludes would be changed' }

const creates = ['preview', 'create-preview', 'reset-preview'] as const
const prunes = ['preview', 'prune-previews'] as const
const ensures = ['preview', 'create-preview'] as const
const finds = [...creates, 'delete-preview', 'get-connection'] as const

/** In the order of the reference. */
export const previewInputs = {
  ...inGroup('Previews', {
    empty: {
      about: 'Create previews without data. Required without `service_id`.',
      ...flag('false'),
      operations: creates,
      ignored: {
        by: 'creates',
        what: 'the database would contain data, although the input excludes it',
        idle: 'false',
      },
    },
    label: {
      about:
        'Only pull requests with this label, or one of several (comma separated), get a preview. With `preview`, also run on `labeled` and `unlabeled`.',
      otherwise: 'all pull requests',
      example: 'preview',
      operations: [...creates, 'get-connection'],
      ignored: { by: 'changes', what: 'pull requests without the label would count too' },
      setting: 'labels',
      parse: parseLabels,
    },
    drafts: {
      about:
        'Drafts get a preview. With `false`, also run `preview` on `converted_to_draft` and `ready_for_review`.',
      ...flag('true'),
      operations: [...creates, 'get-connection'],
      ignored: { by: 'creates', what: 'drafts would get a preview too', idle: 'true' },
    },
    paths: {
      about:
        'Only pull requests that change a matching file, such as `migrations/**`, get a preview; a pattern after `!` excludes files. An existing preview stays. If the changed files are unknown or more than 3,000, the preview is created.',
      otherwise: 'all pull requests',
      example: 'migrations/**, src/**',
      operations: [...ensures, 'get-connection'],
      ignored: { by: 'creates', what: 'pull requests without a matching file would get a preview too' },
      parse: parsePatterns,
    },
    comment: {
      about:
        'Keep one comment on the pull request with the state of its preview and the effects of its migrations.',
      ...flag('true'),
      operations: [...creates, 'delete-preview', 'prune-previews'],
      ignored: { by: 'nothing', what: 'no comment would be written' },
    },
    pooler: {
      about: 'Previews get a connection pooler, with the outputs `pooler_url` and its parts.',
      ...flag('false'),
      operations: [...creates, 'get-connection'],
      ignored: { by: 'nothing', what: 'the database would have no pooler' },
    },
    name_prefix: {
      about:
        'First part of the names of previews, before `-pr-<number>`. With different prefixes, a pull request has several databases.',
      otherwise: `${usualPrefix}; for prune, all`,
      example: 'orders',
      operations: [...finds, 'prune-previews'],
      ignored: excluded,
      parse: parsePrefix,
    },
    pull_request: {
      about: 'Number of the pull request. If set, `preview` acts on this one for every event.',
      otherwise: 'that of the event',
      example: '12',
      operations: finds,
      ignored: excluded,
      parse: parseNumber,
    },
    preview_name: {
      about:
        'Name of the preview, with or without its random part, instead of `name_prefix` and `pull_request`.',
      otherwise: undefined,
      example: 'preview-pr-12-0a1b2c3d',
      operations: finds,
      ignored: excluded,
      parse: parseName,
    },
    seed_file: {
      about:
        'SQL files, such as `db/seed.sql` or `seeds/*.sql`, that fill each new preview once, before it is published. Each file is one transaction. If a file fails, the preview fails.',
      otherwise: undefined,
      example: 'db/seed.sql',
      operations: creates,
      ignored: { by: 'creates', what: 'the database would not be filled' },
      parse: parsePatterns,
    },
    reset_on: {
      about:
        'Paths in the repository, such as `migrations/**`; a pattern after `!` excludes files. Reset the preview if a push changes or removes one of these files, or adds one with a lower number than an existing one. Needs the permission `contents: read`.',
      otherwise: undefined,
      example: 'migrations/**',
      operations: ensures,
      ignored: { by: 'nothing', what: 'the preview would not be reset' },
      parse: parsePatterns,
    },
    max_previews: {
      about:
        'Largest number of previews of this repository, with all prefixes. At the limit the step fails, and names previews to delete.',
      otherwise: 'no limit',
      example: '20',
      operations: ensures,
      ignored: { by: 'creates', what: 'more previews could be created than it allows' },
      parse: parseCount(),
    },
  }),
  ...inGroup('Quarantine and masking', {
    masked: {
      about:
        'Fork previews from the newest masked copy of `service_id` (production), created by `create-masked-parent`. Without a copy the step fails. Set it in every step that creates, deletes or connects to previews.',
      ...flag('false'),
      operations: [...finds, 'prune-previews'],
      ignored: { by: 'creates', what: 'the database would hold data that is not masked', idle: 'false' },
    },
    mask_file: {
      about:
        'File of [masking rules](masking.md) in the workspace, such as `masking.yml`. For a preview: warn if it was masked by other rules than those of the default branch; with `quarantine: strict` fail.',
      otherwise: undefined,
      example: 'masking.yml',
      operations: creates,
      ignored: { by: 'creates', what: 'nothing would be masked' },
      parse: parsePatterns,
    },
  }),
  ...inGroup('Pruning', {
    max_age: {
      about:
        'Prune also deletes previews older than this, even of open pull requests. Set the same value in the step that creates previews: the comment shows the expiry.',
      otherwise: 'never',
      example: '336h',
      operations: [...creates, 'prune-previews'],
      ignored: { by: 'changes', what: 'nothing would be kept or deleted for its age' },
      parse: parseAge,
    },
    pause_after: {
      about:
        'Prune pauses a preview without use for this time: no push, comment, start, open session or `get-connection`. The next push or `get-connection` starts it again. With `masked`, prune also pauses masked copies, which can still be forked.',
      otherwise: 'never',
      example: '12h',
      operations: prunes,
      ignored: { by: 'nothing', what: 'the preview would not be paused' },
      parse: parseAge,
    },
    keep_label: {
      about:
        'If an open pull request has this label, or one of several (comma separated), prune neither deletes its preview for its age nor pauses it.',
      default: 'keep-preview',
      example: 'keep-preview',
      operations: prunes,
      ignored: { by: 'changes', what: 'previews with the label would not be spared' },
      setting: 'keepLabels',
      parse: parseLabels,
    },
    min_age: {
      about: 'Prune never deletes previews younger than this.',
      default: '30m',
      example: '1h',
      operations: prunes,
      ignored: { by: 'changes', what: 'younger previews could be deleted' },
      parse: parseAge,
    },
    max_deletions: {
      about: 'Largest number of previews that prune deletes in one run.',
      default: '10',
      example: '20',
      operations: prunes,
      ignored: { by: 'changes', what: 'more previews could be deleted than it allows' },
      parse: parseCount(99_999),
    },
  }),
} satisfies Record<string, { operations: readonly string[] }>
