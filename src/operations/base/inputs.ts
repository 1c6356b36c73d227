/** The inputs that apply to all kinds of steps. */
import { usualTimeout } from '#client/client'
import { parseKeepActive } from '#contents/quarantine/keep-active'
import {
  flag,
  inGroup,
  type Parsed,
  parseCount,
  parseFlag,
  parseOneOf,
  parseText,
  parseTime,
} from './input-row.ts'

/** Whether to quarantine a fork; with `strict`, an incomplete quarantine is an error. */
function parseQuarantine(text: string): Parsed<boolean | 'strict'> {
  if (text === 'strict') return { value: text }
  const parsed = parseFlag(text)
  return 'value' in parsed ? parsed : { expected: 'true, false or strict' }
}

export const stepInputs = {
  ...inGroup('Connection', {
    database_name: {
      about: 'Name of the database in connection outputs.',
      default: 'tsdb',
      example: 'shop',
      ignored: 'harmless',
      parse: parseText,
    },
    database_user: {
      about: 'Name of the user in connection outputs.',
      default: 'tsdbadmin',
      example: 'tsdbadmin',
      ignored: 'harmless',
      parse: parseText,
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
      ...flag('false'),
      ignored: 'harmless',
    },
  }),
  ...inGroup('Waiting and cleaning up', {
    wait: {
      about: 'Wait until the work that the operation starts is done, and read the record for the outputs.',
      ...flag('true'),
      ignored: 'harmless',
    },
    wait_timeout: {
      about: 'Time limit for the whole operation, like `90s`, `30m`, `1h`.',
      default: '10m',
      example: '45m',
      ignored: 'harmless',
      parse: parseTime,
    },
    wait_for_connection: {
      about:
        'After the wait, also wait until every address in the outputs accepts a connection from the runner. An unreachable address in a VPC is a warning.',
      ...flag('false'),
      ignored: 'harmless',
    },
    cleanup: {
      about:
        'When the post step deletes the resources that this step created: `never`, `always` or `on-failure` (of the job). Also applies if the step is cancelled or killed. Not for previews.',
      default: 'never',
      example: 'always',
      ignored: { by: 'changes', what: 'the post step would delete nothing', idle: 'never' },
      parse: parseOneOf('never', 'always', 'on-failure'),
    },
    dry_run: {
      about: 'Change nothing, with any operation: check the inputs, read, and report the planned change.',
      ...flag('false'),
      ignored: 'never',
    },
  }),
  ...inGroup('Quarantine and masking', {
    quarantine: {
      about:
        'Quarantine a fork before its connection is published: disable its jobs, the logins of other roles, subscriptions and user mappings of foreign servers. An incomplete quarantine is a warning, or with `strict` an error.',
      default: 'false',
      example: 'strict',
      ignored: { by: 'changes', what: 'the jobs and logins of the parent would stay active', idle: 'false' },
      parse: parseQuarantine,
    },
    keep_active: {
      about:
        'Objects that the quarantine keeps active: `jobs`, `logins`, `subscriptions`, `foreign-servers`, or single ones like `job:refresh_daily` or `login:app`, separated by commas or line breaks. In an existing preview, `reset-preview` enables them.',
      otherwise: 'nothing',
      example: 'login:app',
      ignored: 'harmless',
      parse: parseKeepActive,
    },
  }),
  ...inGroup('Requests', {
    request_timeout: {
      about: 'Time limit for one request.',
      otherwise: `${usualTimeout.read / 1000}s to read, ${usualTimeout.change / 1000}s to change something`,
      example: '2m',
      ignored: 'never',
      parse: parseTime,
    },
    max_attempts: {
      about:
        'Maximum number of attempts for a repeatable request to the API. A 429 counts only for a deletion.',
      default: '5',
      example: '3',
      ignored: 'never',
      parse: parseCount(),
    },
    list_lag: {
      about:
        'Maximum lag of the lists of the API behind its changes. A preview is published only when it is this old. With the emulator, `100ms` is enough.',
      default: '10s',
      example: '100ms',
      ignored: 'never',
      parse: parseTime,
    },
  }),
}
