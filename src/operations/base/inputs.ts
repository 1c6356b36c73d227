import { usualTimeout } from '#client/client'
import { parseKeepActive } from '#contents/quarantine/keep-active'
import { anyText, inGroup, type Parsed, parseCount, parseFlag, parseOneOf, parseTime } from './input-row.ts'

/** Whether a fork is quarantined; `strict` where all of it must be possible. */
function parseQuarantine(text: string): Parsed<boolean | 'strict'> {
  if (text === 'strict') return { value: text }
  const flag = parseFlag(text)
  return 'value' in flag ? flag : { expected: 'true, false or strict' }
}

/** Inputs for how a step goes, whatever it is about, in the order of the reference. */
export const stepInputs = {
  ...inGroup('Connection', {
    database_name: {
      about: 'Name of the database in connection outputs.',
      default: 'tsdb',
      example: 'shop',
      ignored: 'harmless',
      parse: anyText,
    },
    database_user: {
      about: 'Name of the user in connection outputs.',
      default: 'tsdbadmin',
      example: 'tsdbadmin',
      ignored: 'harmless',
      parse: anyText,
    },
    sslmode: {
      about:
        '`sslmode` in connection outputs: `require`, `verify-full`, `verify-ca`, `prefer`, `allow` or `disable`.',
      default: 'require',
      example: 'verify-full',
      ignored: 'harmless',
      parse: parseOneOf('require', 'verify-full', 'verify-ca', 'prefer', 'allow', 'disable'),
    },
    export_env: {
      about:
        'Also set `PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD`, `PGDATABASE`, `PGSSLMODE` and `DATABASE_URL` for later steps.',
      default: 'false',
      example: 'true',
      ignored: 'harmless',
      parse: parseFlag,
    },
  }),
  ...inGroup('Waiting and cleaning up', {
    wait: {
      about: 'Wait until the work that the operation starts is done, and read the record for the outputs.',
      default: 'true',
      example: 'false',
      ignored: 'harmless',
      parse: parseFlag,
    },
    wait_timeout: {
      about: 'How long the operation may take in all, like `90s`, `30m`, `1h`.',
      default: '10m',
      example: '45m',
      ignored: 'harmless',
      parse: parseTime,
    },
    wait_for_connection: {
      about:
        'After the wait, also wait until every address in the outputs accepts a connection from the runner. One in a VPC that cannot be reached is a warning.',
      default: 'false',
      example: 'true',
      ignored: 'harmless',
      parse: parseFlag,
    },
    cleanup: {
      about:
        'Whether the end of the job deletes what this step created, also if it was cancelled or killed: `never`, `always` or `on-failure` (of the job). Not for previews.',
      default: 'never',
      example: 'always',
      ignored: { by: 'changes', what: 'nothing would be deleted at the end of the job', idle: 'never' },
      parse: parseOneOf('never', 'always', 'on-failure'),
    },
    dry_run: {
      about: 'Change nothing, with any operation: check the inputs, read, and say what would be done.',
      default: 'false',
      example: 'true',
      ignored: 'never',
      parse: parseFlag,
    },
  }),
  ...inGroup('Quarantine and masking', {
    quarantine: {
      about:
        'Make a fork harmless before its connection is handed out: its jobs, the logins of other roles, subscriptions and user mappings of foreign servers are switched off. What cannot be done is a warning, or with `strict` an error.',
      default: 'false',
      example: 'strict',
      ignored: { by: 'changes', what: 'what the data brings along would go on working', idle: 'false' },
      parse: parseQuarantine,
    },
    keep_active: {
      about:
        'What the quarantine leaves as it is: `jobs`, `logins`, `subscriptions`, `foreign-servers`, or single ones like `job:refresh_daily` or `login:app`; between commas or in lines of their own.',
      otherwise: 'nothing',
      example: 'login:app',
      ignored: 'harmless',
      parse: parseKeepActive,
    },
  }),
  ...inGroup('Requests', {
    request_timeout: {
      about: 'How long one request may take.',
      otherwise: `${usualTimeout.read / 1000}s to read, ${usualTimeout.change / 1000}s to change something`,
      example: '2m',
      ignored: 'never',
      parse: parseTime,
    },
    max_attempts: {
      about:
        'How often a request to the API that may be repeated is tried. A 429 counts only for a deletion.',
      default: '5',
      example: '3',
      ignored: 'never',
      parse: parseCount(),
    },
    list_lag: {
      about:
        'How long the lists of the API may lag behind its changes. A preview is handed out only once it is this old. With the emulator `100ms` is enough.',
      default: '10s',
      example: '100ms',
      ignored: 'never',
      parse: parseTime,
    },
  }),
}
