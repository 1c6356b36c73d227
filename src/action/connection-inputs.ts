import { anyText, define, parseFlag, parseOneOf } from './input-definition.ts'

/** What the outputs of a connection are made of, and who gets it. */
export const connectionInputs = {
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
}
