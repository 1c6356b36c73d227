/** A database in quarantine: its session, the facts about it, and the failures to report. */
import { asRows, queryRow, type Session, StatementError } from '#postgres/session'
import { pgStatStatementsSchema, timescaledbSchema } from '#postgres/sql'
import type { QuarantineFailure } from './report.ts'

export interface Facts {
  /** As server_version_num: 170004 is 17.4. */
  version: number
  /** Milliseconds since 1970. */
  at: number
  database: string
  user: string
  /** All other databases except those of the service, including those that the user may not connect to. */
  others: string[]
  /** The schema of TimescaleDB's functions; null if TimescaleDB is not installed. */
  timescaledb: string | null
  /** TimescaleDB records all runs of its jobs. */
  hasHistory: boolean
  hasCron: boolean
  /** The schema of the extension pg_stat_statements; null if it is inactive. */
  pgStatStatements: string | null
}

/** Short timeouts, so that one lock does not stop the quarantine. `ownSettings` contains the other settings of a session. */
const settings = `
  set lock_timeout = '2s';
  set statement_timeout = '15s';
  set client_min_messages = error;`

const factsQuery = `
  select current_setting('server_version_num')::int as version, current_database()::text as database,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as at, current_user::text as user,
    array(select datname::text from pg_database join pg_roles as owner on owner.oid = datdba
      where datallowconn and datname <> current_database()
        and (not rolsuper or not datistemplate and has_database_privilege(pg_database.oid, 'connect'))
      order by datname) as others,
    ${timescaledbSchema} as timescaledb,
    to_regclass('timescaledb_information.job_history') is not null
      and current_setting('timescaledb.enable_job_execution_logging', true) is not distinct from 'on' as "hasHistory",
    exists (select from pg_extension where extname = 'pg_cron') as "hasCron",
    ${pgStatStatementsSchema} as "pgStatStatements"`

/** Sets the timeouts of a session, and reads the facts about its database. */
export async function readFacts(session: Session): Promise<Facts> {
  return await queryRow(session, `${settings}${factsQuery}`)
}

export interface DatabaseQuarantine {
  session: Session
  facts: Facts
  /** The failures so far, in all databases. */
  failures: QuarantineFailure[]
}

/** Runs a query for objects, such as `the logins`. A query that the server refuses is a failure, and has no rows. */
export async function runQuery<Row>(
  { session, failures }: DatabaseQuarantine,
  objects: string,
  sql: string,
): Promise<Row[]> {
  const answer = await session.attempt(sql)
  if (!(answer instanceof StatementError)) return asRows(answer.rows)
  failures.push({ what: objects, reason: answer.message, next: 'search for them by hand in the preview' })
  return []
}
