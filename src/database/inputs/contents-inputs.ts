/** The inputs of operations on the contents of a database. */
import { expression } from '#api/fields/input'
import {
  flag,
  inGroup,
  type Parsed,
  parsePatterns,
  parseText,
  parseTime,
  type SettingsOf,
} from '#operations/base/input-row'
import { parseConnectionUri, type UriConnection } from '#postgres/connection-uri'

function parseDatabaseUrl(text: string): Parsed<UriConnection> {
  if (text.startsWith('sealed:'))
    return {
      expected: 'the output sealed_url, with the seal_secret of the step that set it',
      got: 'a sealed_url that the seal_secret of this step does not open',
    }
  return parseConnectionUri(text)
}

export const contentsInputs = {
  ...inGroup('SQL', {
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
      example: 'select count(*) from orders',
      ignored: { by: 'changes', what: 'it would not be run' },
      parse: parseText,
    },
    sql_file: {
      about:
        'SQL files in the workspace, instead of `sql`: paths or patterns like `db/*.sql`, comma or newline separated.',
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
  }),
}

export type ContentsSettings = SettingsOf<typeof contentsInputs>
