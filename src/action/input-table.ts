import { parseDuration } from '../client/duration.ts'
import { isPreviewPrefix, parsePreviewBase, parsePreviewName } from '../preview/name.ts'
import { shortestSecret } from '../preview/password.ts'
import { parseBaseUrl } from './base-url.ts'

/** A value, or what was expected in its place. */
export type Parsed<Value> = { value: Value } | { expected: string }

/** An input that belongs to the action, not to the API: those come from the contract's rows. */
export interface InputDefinition<Value> {
  description: string
  /** What is in effect when it is left out, for the reference. */
  default?: string
  /** Set as the default in action.yml: an expression that only the runner can fill in. */
  runnerDefault?: string
  /** True where its text must not be shown, not even in an error. */
  secret?: boolean
  parse(text: string): Parsed<Value>
}

function define<Value>(definition: InputDefinition<Value>): InputDefinition<Value> {
  return definition
}

const anyText = (text: string): Parsed<string> => ({ value: text })

/** YAML 1.2 core schema booleans, as the runner's own toolkit takes them. */
function parseFlag(text: string): Parsed<boolean> {
  if (/^(true|True|TRUE)$/.test(text)) return { value: true }
  if (/^(false|False|FALSE)$/.test(text)) return { value: false }
  return { expected: 'true or false' }
}

/** A timer of more than 31 bits of milliseconds fires at once. No job runs so long. */
const longestTime = 2 ** 31 - 1

function parseTime(text: string): Parsed<number> {
  const value = parseDuration(text) ?? 0
  return value > 0 && value <= longestTime ? { value } : { expected: 'a duration like 90s, 30m or 1h' }
}

function parseCount(text: string, most = 999): Parsed<number> {
  const value = Number(text)
  return /^[1-9]\d{0,5}$/.test(text) && value <= most
    ? { value }
    : { expected: `a whole number from 1 to ${most}` }
}

function parseNumber(text: string): Parsed<number> {
  return /^[1-9]\d{0,9}$/.test(text) ? { value: Number(text) } : { expected: 'the number of a pull request' }
}

/** GitHub's labels have at most 50 characters. */
function parseLabel(text: string): Parsed<string> {
  return [...text].length <= 50 && !/\p{Cc}/u.test(text)
    ? { value: text }
    : { expected: 'the name of a label, at most 50 characters in one line' }
}

function parsePrefix(text: string): Parsed<string> {
  if (isPreviewPrefix(text)) return { value: text }
  return { expected: 'up to 33 lower case letters, digits and "-", starting with a letter' }
}

function parseOneOf<const Choice extends string>(...choices: Choice[]) {
  return (text: string): Parsed<Choice> => {
    const value = choices.find(choice => choice === text)
    return value === undefined
      ? { expected: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` }
      : { value }
  }
}

/** RFC 7617: the user-id of Basic authentication holds no colon; both are sent as visible ASCII here. */
function parseKey(pattern: RegExp, expected: string) {
  return (text: string): Parsed<string> => (pattern.test(text) ? { value: text } : { expected })
}

const visible = 'visible ASCII characters in one line'
const longEnough = `at least ${shortestSecret} ${visible}`

/** The action's own inputs, in the order of the reference. */
export const actionInputs = {
  operation: define({
    description: 'What to do: one of the operations listed in the README.',
    parse: anyText,
  }),
  base_url: define({
    description: 'Address of the API, ending with `/public/api/v1`. Keys are sent there and nowhere else.',
    parse(text) {
      const parsed = parseBaseUrl(text)
      return 'url' in parsed ? { value: parsed.url } : parsed
    },
  }),
  public_key: define({
    description: 'Public key of the API key pair.',
    secret: true,
    parse: parseKey(/^[\x21-\x39\x3b-\x7e]+$/, `${visible}, without ":"`),
  }),
  secret_key: define({
    description: 'Secret key of the API key pair. Pass it from a secret.',
    secret: true,
    parse: parseKey(/^[\x21-\x7e]+$/, visible),
  }),
  api_key: define({
    description: 'Both keys in one, as `public:secret`, in place of `public_key` and `secret_key`.',
    secret: true,
    parse: parseKey(/^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/, `public:secret in ${visible}`),
  }),
  password_secret: define({
    description: `What the passwords of previews are derived from, at least ${shortestSecret} random characters from a secret. With the same one in all workflows, passwords outlive a rotated key and are the same for several keys.`,
    default: `the secret key, where it has at least ${shortestSecret} characters`,
    secret: true,
    parse: text =>
      text.length < shortestSecret ? { expected: longEnough } : parseKey(/^[\x21-\x7e]+$/, longEnough)(text),
  }),
  wait: define({
    description: 'Wait until the work that the operation starts is done.',
    default: 'true',
    parse: parseFlag,
  }),
  wait_timeout: define({
    description:
      'How long the operation may take in all, lookups and waits included, like `90s`, `30m`, `1h`.',
    default: '30m for previews, create, fork, delete and peering, else 10m',
    parse: parseTime,
  }),
  wait_for_connection: define({
    description:
      'After the wait, also wait until every address that outputs name accepts a connection from the runner: of the database, its pooler, or the read replica set. One in a VPC that cannot be reached is a warning.',
    default: 'false',
    parse: parseFlag,
  }),
  cleanup: define({
    description:
      'Whether the end of the job deletes what this step created, also if the step was cancelled or killed, or the answer was lost: `never`, `always` or `on-failure` (of the job). Not for previews: those belong to their pull request.',
    default: 'never',
    parse: parseOneOf('never', 'always', 'on-failure'),
  }),
  database_name: define({
    description: 'Name of the database in connection outputs.',
    default: 'tsdb',
    parse: anyText,
  }),
  database_user: define({
    description: 'Name of the user in connection outputs.',
    default: 'tsdbadmin',
    parse: anyText,
  }),
  sslmode: define({
    description:
      '`sslmode` in connection outputs: `require`, `verify-full`, `verify-ca`, `prefer`, `allow` or `disable`.',
    default: 'require',
    parse: parseOneOf('require', 'verify-full', 'verify-ca', 'prefer', 'allow', 'disable'),
  }),
  export_env: define({
    description:
      'Also set `PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD`, `PGDATABASE`, `PGSSLMODE` and `DATABASE_URL` for the later steps of the job.',
    default: 'false',
    parse: parseFlag,
  }),
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
  github_token: define({
    description: 'Token to read pull requests and write the comment with.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow language
    runnerDefault: '${{ github.token }}',
    secret: true,
    parse: parseKey(/^[\x21-\x7e]+$/, visible),
  }),
  dry_run: define({
    description:
      'Change nothing, with any operation: check the inputs, read, and say what would be done. Sets `skipped` where something would be.',
    default: 'false',
    parse: parseFlag,
  }),
  max_age: define({
    description:
      'Prune also deletes previews older than this, even of open pull requests, like `72h`. Where a preview is made, its comment says when that will be.',
    parse: parseTime,
  }),
  pause_after: define({
    description:
      'Prune pauses a preview that is not used for so long, like `12h`: it is older, its pull request saw no push (nor anything else) for that long, and its database says that it was not started since and has no open session. Any doubt keeps it running. The next push, `create-preview` or `get-connection` starts it again.',
    parse: parseTime,
  }),
  keep_label: define({
    description:
      'While an open pull request has this label, prune neither deletes its preview for its age nor pauses it.',
    default: 'keep-preview',
    parse: parseLabel,
  }),
  max_previews: define({
    description:
      'How many previews this repository may have, whatever their prefix: where there are as many, no new one is made, and the step fails with a list of those that could go. Those that are there go on being used.',
    default: 'no limit',
    parse: parseCount,
  }),
  min_age: define({
    description: 'Prune keeps what is younger than this.',
    default: '30m',
    parse: parseTime,
  }),
  max_deletions: define({
    description: 'How many previews prune deletes at most in one run.',
    default: '10',
    parse: text => parseCount(text, 99_999),
  }),
  list_lag: define({
    description:
      'How long the lists and reads of the API may lag behind its changes. A new preview is handed out that long after it was made, so that runs of the same moment agree on one. With the emulator `100ms` is enough.',
    default: '10s',
    parse: parseTime,
  }),
  request_timeout: define({
    description: 'How long one request may take.',
    default: '30s to read, 60s to change something',
    parse: parseTime,
  }),
  max_attempts: define({
    description: 'How often a request that may be repeated is tried.',
    default: '5',
    parse: text => parseCount(text),
  }),
  job_status: define({
    description: 'Filled in by the runner; tells the end of the job whether it failed. Leave it alone.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow language
    runnerDefault: '${{ job.status }}',
    parse: anyText,
  }),
}

export type ActionInputs = {
  [Name in keyof typeof actionInputs]?: (typeof actionInputs)[Name] extends InputDefinition<infer Value>
    ? Value
    : never
}

/** Used by every operation, whatever its row. */
export const commonInputs = [
  'operation',
  'base_url',
  'public_key',
  'secret_key',
  'api_key',
  'project_id',
  'dry_run',
  'list_lag',
  'request_timeout',
  'max_attempts',
  'job_status',
  'github_token',
]
