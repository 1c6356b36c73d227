/** The inputs of operations on the contents of a database, and those of `rehearse-migration`. */
import { expression } from '#api/fields/input'
import { parseBytes } from '#base/bytes'
import { extendRows } from '#base/table'
import { limits } from '#contents/rehearsal/result/limits'
import {
  flag,
  inGroup,
  type Parsed,
  parseOneOf,
  parsePatterns,
  parseText,
  parseTime,
  type SettingsOf,
} from '#operations/base/input-row'
import type { Texts } from '#operations/base/operation'
import { parseConnectionUri, type UriConnection } from '#postgres/connection-uri'

function parseDatabaseUrl(text: string, others?: Texts): Parsed<UriConnection> {
  if (text.startsWith('sealed:'))
    return {
      expected: 'the output sealed_url, with the seal_secret of the step that set it',
      got: others?.has('seal_secret')
        ? 'a sealed_url that the seal_secret of this step does not open'
        : `a sealed_url, but seal_secret is empty: set it to the same secret as in that step, such as ${expression('secrets.DATABASE_SEAL_SECRET')}`,
    }
  return parseConnectionUri(text)
}

export const contentsInputs = inGroup('SQL', {
  database_url: {
    about:
      'URL of the database. Then you need no keys and no `base_url`. The default `sslmode` is `prefer`. Masked in the log.',
    otherwise: 'the service of `service_id`, or the preview of the pull request',
    example: expression('steps.preview.outputs.database_url'),
    ignored: { by: 'changes', what: 'the step would use another database' },
    secret: true,
    parse: parseDatabaseUrl,
  },
  sql: {
    about: 'SQL to run: one statement or several.',
    otherwise: undefined,
    example: 'select count(*) from orders',
    ignored: { by: 'changes', what: 'it would not be run' },
    parse: parseText,
  },
  sql_file: {
    about:
      'SQL files in the workspace, instead of `sql`: paths or patterns like `db/*.sql`, comma or newline separated.',
    otherwise: undefined,
    example: 'db/schema.sql, db/seeds/*.sql',
    ignored: { by: 'changes', what: 'they would not be run' },
    parse: parsePatterns,
  },
  transaction: {
    about:
      'Run each file as one transaction. With `false` each statement runs by itself, as `CREATE INDEX CONCURRENTLY` and `VACUUM` require.',
    ...flag('true'),
    ignored: 'harmless',
  },
  statement_timeout: {
    about: 'Time limit for one statement.',
    otherwise: "the database's own limit",
    example: '30s',
    ignored: { by: 'changes', what: 'statements could take longer than it allows' },
    parse: parseTime,
  },
  lock_timeout: {
    about: 'Time limit for a statement that waits for a lock.',
    otherwise: "the database's own limit",
    example: '5s',
    ignored: { by: 'changes', what: 'statements could wait longer than it allows' },
    parse: parseTime,
  },
  grants: {
    about: 'Also compare owners, roles and grants.',
    ...flag('false'),
    ignored: 'harmless',
  },
  allow_production: {
    about: 'Allow SQL on a service that is tagged PROD.',
    ...flag('false'),
    ignored: 'harmless',
  },
})

export type ContentsSettings = SettingsOf<typeof contentsInputs>

function parseSize(text: string): Parsed<number> {
  const value = parseBytes(text)
  return value === undefined ? { expected: 'a size like 1GB, 500MB or 64kB' } : { value }
}

/** Parses `label:NAME`, with a name that GitHub accepts. */
function parseApproval(text: string): Parsed<string> {
  const [, label = ''] = /^label: ?(\S.*)$/.exec(text) ?? []
  return label !== '' && [...label].length <= 50 && !/[\p{Cc},]/u.test(label)
    ? { value: label }
    : { expected: '`label:` and the name of a label, like label:loss-approved' }
}

/** The harm of ignoring a limit: an operation that does not use it measures nothing. */
const unmeasured = { by: 'changes', what: 'nothing would be measured' } as const

const parsers = { time: parseTime, size: parseSize }

const limitInputs = extendRows(limits, ({ unit }) => ({ ignored: unmeasured, parse: parsers[unit] }))

export const rehearsalInputs = inGroup('Migrations', {
  command: {
    about:
      'Shell command that migrates, instead of `sql_file`. It runs in the workspace, and finds the database in `DATABASE_URL` and the `PG*` variables. Its environment has no inputs or tokens of the job.',
    otherwise: undefined,
    example: 'npm run migrate',
    ignored: { by: 'changes', what: 'it would not be run' },
    parse: parseText,
  },
  migrations: {
    about:
      'Files that `command` runs, such as `prisma/migrations/**/*.sql`. Findings are shown at their lines, and `ignore` comments in these files apply.',
    otherwise: undefined,
    example: 'migrations/*.sql',
    ignored: 'harmless',
    parse: parsePatterns,
  },
  allow_any_database: {
    about: 'Allow a database that is not a preview of this action. The migration changes it permanently.',
    ...flag('false'),
    ignored: 'harmless',
  },
  ...limitInputs,
  min_table_size: {
    about: 'Smaller tables may be blocked and rewritten for any time.',
    otherwise: 'all tables count',
    example: '10MB',
    ignored: unmeasured,
    parse: parseSize,
  },
  on_violation: {
    about: 'If a limit is exceeded: `warn` (the step succeeds, `verdict` is `failed`) or `fail`.',
    default: 'warn',
    example: 'fail',
    ignored: { ...unmeasured, idle: 'warn' },
    parse: parseOneOf('warn', 'fail'),
  },
  approve_destructive: {
    about:
      'Treat a loss of data as a violation, unless a person with write access sets this label after the comment shows that loss: `label:NAME`. Without an answer from GitHub, nothing is approved. Needs `pull-requests: write`.',
    otherwise: 'a loss is reported, and is no violation',
    example: 'label:loss-approved',
    ignored: { by: 'changes', what: 'a loss of data would need no approval' },
    parse: parseApproval,
  },
})

export type RehearsalSettings = SettingsOf<typeof rehearsalInputs>
