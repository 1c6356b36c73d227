import { shortestSecret } from '../../src/preview/password.ts'
import { IncompleteReferenceError } from './generated-block.ts'

/** What an input means, and its default. */
export interface InputText {
  description: string
  default?: string
}

/**
 * The action's own inputs, for the reference. Kept apart from the code that reads them, so that a step need not load
 * it.
 */
const inputTexts: Record<string, InputText> = {
  operation: {
    description: 'What to do: one of the operations listed in docs/reference.md.',
  },
  base_url: {
    description: 'Address of the API, ending with `/public/api/v1`. Keys are sent there and nowhere else.',
  },
  public_key: {
    description: 'Public key of the API key pair.',
  },
  secret_key: {
    description: 'Secret key of the API key pair. Pass it from a secret.',
  },
  api_key: {
    description: 'Both keys in one, as `public:secret`, in place of `public_key` and `secret_key`.',
  },
  password_secret: {
    description: `What the passwords of previews are derived from, at least ${shortestSecret} random characters from a secret. With the same one in all workflows, passwords outlive a rotated key and are the same for several keys.`,
    default: `the secret key, if it has at least ${shortestSecret} characters`,
  },
  wait: {
    description:
      'Wait until the work that the operation starts is done, and read the record for the outputs.',
    default: 'true',
  },
  wait_timeout: {
    description:
      'How long the operation may take in all, lookups and waits included, like `90s`, `30m`, `1h`.',
    default: '30m for previews, create, fork, delete and peering, else 10m',
  },
  wait_for_connection: {
    description:
      'After the wait, also wait until every address that outputs name accepts a connection from the runner: of the database, its pooler, or the read replica set. One in a VPC that cannot be reached is a warning.',
    default: 'false',
  },
  cleanup: {
    description:
      'Whether the end of the job deletes what this step created, also if the step was cancelled or killed, or the answer was lost: `never`, `always` or `on-failure` (of the job). Not for previews: those belong to their pull request.',
    default: 'never',
  },
  dry_run: {
    description:
      'Change nothing, with any operation: check the inputs, read, and say what would be done. Sets `skipped` if the operation would change something.',
    default: 'false',
  },
  database_name: {
    description: 'Name of the database in connection outputs.',
    default: 'tsdb',
  },
  database_user: {
    description: 'Name of the user in connection outputs.',
    default: 'tsdbadmin',
  },
  sslmode: {
    description:
      '`sslmode` in connection outputs: `require`, `verify-full`, `verify-ca`, `prefer`, `allow` or `disable`.',
    default: 'require',
  },
  export_env: {
    description:
      'Also set `PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD`, `PGDATABASE`, `PGSSLMODE` and `DATABASE_URL` for the later steps of the job.',
    default: 'false',
  },
  name_prefix: {
    description:
      'What the names of previews start with: `<name_prefix>-pr-<number>-<8 hex of the repository id>-<6 random>`. With different prefixes, a pull request has several databases. Prune covers all prefixes of the repository, or only this one if it is set.',
    default: 'preview; for prune, all',
  },
  pull_request: {
    description: 'Number of the pull request. If it is set, `preview` acts on this one, whatever the event.',
    default: 'that of the event',
  },
  preview_name: {
    description:
      'Name of the preview, with or without its random part, in place of the one made from `name_prefix` and `pull_request`.',
  },
  empty: {
    description:
      'Previews start without data. Required without `service_id`, so that a variable nobody set does not silently give an empty database.',
    default: 'false',
  },
  pooler: {
    description: 'Previews get a connection pooler; `pooler_url` and its parts are set once it is there.',
    default: 'false',
  },
  label: {
    description:
      'Only pull requests with this label have a preview: setting it makes one, taking it off deletes it. Several, between commas or in lines of their own: any of them does. For `preview`, run on `labeled` and `unlabeled` too.',
  },
  drafts: {
    description:
      'Whether drafts have a preview. For `preview` with `false`, run on `converted_to_draft` and `ready_for_review` too.',
    default: 'true',
  },
  comment: {
    description: 'Keep one comment on the pull request up to date with the state of its preview.',
    default: 'true',
  },
  max_previews: {
    description:
      'How many previews this repository may have, whatever their prefix. At the limit, no new one is made, and the step fails with a list of those that could be deleted. Existing ones stay usable.',
    default: 'no limit',
  },
  max_age: {
    description:
      'Prune also deletes previews older than this, even of open pull requests, like `72h`. The comment of a preview shows when that will be.',
    default: 'never',
  },
  pause_after: {
    description:
      'Prune pauses a preview that was not used for this long, like `12h`: it is older, its pull request saw no push (nor anything else) in that time, and its database was not started in that time, has no open session, and no job was given its connection. Any doubt keeps it running. The next push, `create-preview` or `get-connection` starts it again.',
    default: 'never',
  },
  keep_label: {
    description:
      'While an open pull request has this label, prune neither deletes its preview for its age nor pauses it. Several, between commas or in lines of their own: any of them does.',
    default: 'keep-preview',
  },
  min_age: {
    description: 'Prune never deletes previews younger than this.',
    default: '30m',
  },
  max_deletions: {
    description: 'How many previews prune deletes at most in one run.',
    default: '10',
  },
  github_token: {
    description: 'Token to read pull requests and write the comment with.',
  },
  list_lag: {
    description:
      'How long the lists and reads of the API may lag behind its changes. A new preview is handed out only once it is this old, so that runs at the same moment agree on one; an older one is handed out at once. With the emulator `100ms` is enough.',
    default: '10s',
  },
  request_timeout: {
    description: 'How long one request may take.',
    default: '30s to read, 60s to change something',
  },
  max_attempts: {
    description: 'How often a request that may be repeated is tried.',
    default: '5',
  },
  job_status: {
    description: 'Filled in by the runner; tells the end of the job whether it failed. Leave it alone.',
  },
}

/** @throws IncompleteReferenceError if nobody has described it yet */
export function describeInput(name: string): InputText {
  const text = inputTexts[name]
  if (text === undefined)
    throw new IncompleteReferenceError(
      `the input ${name} has no description: add one to tools/reference/input-descriptions.ts`,
    )
  return text
}
