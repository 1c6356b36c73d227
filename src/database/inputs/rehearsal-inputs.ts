/** The inputs of `rehearse-migration`. */
import { parseBytes } from '../../base/bytes.ts'
import {
  anyText,
  inGroup,
  type Parsed,
  parseFlag,
  parseOneOf,
  parsePatterns,
  parseTime,
  type SettingsOf,
} from '../../operations/base/input-row.ts'

function parseSize(text: string): Parsed<number> {
  const value = parseBytes(text)
  return value === undefined ? { expected: 'a size like 1GB, 500MB or 64kB' } : { value }
}

/** What GitHub takes as the name of a label. */
function parseApproval(text: string): Parsed<string> {
  const [, label = ''] = /^label: ?(\S.*)$/.exec(text) ?? []
  return label !== '' && [...label].length <= 50 && !/[\p{Cc},]/u.test(label)
    ? { value: label }
    : { expected: '`label:` and the name of a label, like label:loss-approved' }
}

/** A limit of a step that measures nothing, such as one without `operation: rehearse-migration`. */
const unmeasured = { by: 'changes', what: 'nothing would be measured' } as const

/** What a migration may do at most. */
const limits = {
  max_write_block: {
    about:
      'The longest that writes to a table may be kept waiting by a lock that the migration holds, or writes to many rows that it has changed.',
    default: '2s',
    example: '2s',
    ignored: unmeasured,
    parse: parseTime,
  },
  max_read_block: {
    about: 'The longest that reads of a table may be kept waiting.',
    default: '500ms',
    example: '500ms',
    ignored: unmeasured,
    parse: parseTime,
  },
  max_duration: {
    about: 'The longest that the migration may take in all.',
    otherwise: 'no limit',
    example: '10m',
    ignored: unmeasured,
    parse: parseTime,
  },
  max_rewrite: {
    about: 'The most that one statement may write anew of a table and its indexes.',
    default: '1GB',
    example: '1GB',
    ignored: unmeasured,
    parse: parseSize,
  },
  max_wal: {
    about:
      'The most that may be written to the log of the server (WAL), which replicas and backups have to take in.',
    otherwise: 'no limit',
    example: '5GB',
    ignored: unmeasured,
    parse: parseSize,
  },
  min_table_size: {
    about: 'Smaller tables may be blocked and rewritten for any time.',
    otherwise: 'all tables count',
    example: '10MB',
    ignored: unmeasured,
    parse: parseSize,
  },
} as const

/** Inputs for rehearsing a migration, in the order of the reference. */
export const rehearsalInputs = inGroup('Migrations', {
  command: {
    about:
      'The command that migrates, run by a shell in the workspace, such as `npm run migrate`. It finds the database in `DATABASE_URL` and the variables `PG*`, and gets neither inputs nor tokens of the job. In place of `sql_file`.',
    example: 'npm run migrate',
    ignored: { by: 'changes', what: 'it would not be run' },
    parse: anyText,
  },
  migrations: {
    about:
      'The files that `command` runs, such as `prisma/migrations/**/*.sql`: what is found is shown on their lines, and their comments count.',
    example: 'migrations/*.sql',
    ignored: 'harmless',
    parse: parsePatterns,
  },
  allow_any_database: {
    about:
      'Allow a migration to be rehearsed on a database that is no preview of this action: it changes that database permanently.',
    default: 'false',
    example: 'true',
    ignored: 'harmless',
    parse: parseFlag,
  },
  ...limits,
  on_violation: {
    about: 'Whether a limit that is exceeded draws a warning (`warn`) or fails the step (`fail`).',
    default: 'warn',
    example: 'fail',
    ignored: { ...unmeasured, idle: 'warn' },
    parse: parseOneOf('warn', 'fail'),
  },
  approve_destructive: {
    about:
      'Loss of data counts as a violation, unless a person with write access has put this label on the pull request since its comment shows that loss: `label:NAME`. Where GitHub does not say so, nothing is approved. Needs `pull-requests: read`.',
    otherwise: 'loss of data is told, and violates nothing',
    example: 'label:loss-approved',
    ignored: { by: 'changes', what: 'nobody would have to approve the loss of data' },
    parse: parseApproval,
  },
})

/** How a migration is to be rehearsed. Times in milliseconds, sizes in bytes. */
export type RehearsalSettings = SettingsOf<typeof rehearsalInputs>
