import { censusQuery, walPosition } from '../../src/contents/rehearsal/census.ts'
import { type Session, StatementError } from '../../src/postgres/session.ts'
import type { TriedRight } from './findings.ts'

/** Something that the action does in a database as its owner. */
interface Need {
  /** Undone with the right itself: without it, there is nothing to try the right on. */
  given?: string
  sql: string
  /** Tried only where the extension can be had. */
  extension?: string
  /** From this version of PostgreSQL on, like 180000. */
  from?: number
  /** Refused in a transaction: the table that it works on is dropped afterwards. */
  isAlone?: true
}

const table =
  "create table live_check_t (n int primary key, word text); insert into live_check_t values (1, 'a')"
const role = 'create role live_check_r login'
const nowhere = 'host=127.0.0.1 port=1 dbname=none user=none password=none'
const subscription = `create subscription live_check_sub connection '${nowhere}' publication none with (connect = false)`
const mapping = `create extension if not exists postgres_fdw;
  create server live_check_s foreign data wrapper postgres_fdw options (host '127.0.0.1', dbname 'none');
  create user mapping for current_user server live_check_s`
const largeObject = "select lo_from_bytea(424242, 'a')"

const timescaledb = 'create extension if not exists timescaledb'
const job = `${timescaledb};
  create procedure live_check_p(job_id int, config jsonb) language sql as 'select 1';
  create temp table live_check_j as select add_job('live_check_p', '1h') as id`
const hypertable = `${timescaledb}; create table live_check_h (at timestamptz not null, n int);
  select create_hypertable('live_check_h', 'at'); insert into live_check_h values (now(), 1)`
const cron = `create extension if not exists pg_cron; select cron.schedule('live-check', '0 0 1 1 *', 'select 1')`

/** By the part of the action that needs them. */
const needs: Record<string, Record<string, Need>> = {
  previews: {
    'make a large object': { sql: largeObject },
    'write, read and drop one': {
      given: largeObject,
      sql: `comment on large object 424242 is 'live-check'; select lo_put(424242, 0, 'b'); select lo_get(424242);
        select lo_unlink(424242)`,
    },
    'find one by its comment': {
      sql: `select objoid from pg_description join pg_largeobject_metadata as object on object.oid = objoid
        where pg_has_role(lomowner, 'usage') and classoid = 'pg_largeobject'::regclass`,
    },
    'take an advisory lock': { sql: 'select pg_try_advisory_xact_lock(424242)' },
    'see sessions, and since when the server runs': {
      sql: 'select usesysid, datid, backend_type from pg_stat_activity; select pg_postmaster_start_time()',
    },
    'create a schema': { sql: 'create schema live_check_schema' },
    'create a table in public': { sql: table },
    'read definitions': {
      sql: `select pg_get_constraintdef(oid) from pg_constraint; select prosrc from pg_proc limit 1;
        select pg_get_viewdef(oid) from pg_class where relkind = 'v' limit 1`,
    },
  },
  quarantine: {
    'see roles': { sql: 'select rolname, rolcanlogin, rolsuper, rolreplication from pg_roles' },
    'close a login': { given: role, sql: 'alter role live_check_r nologin' },
    'lend itself the rights of a role': {
      given: role,
      sql: 'grant live_check_r to current_user; revoke live_check_r from current_user',
    },
    'end the sessions of a role': {
      given: role,
      sql: "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'live_check_r'",
    },
    'see subscriptions': { sql: 'select subname, subowner, subdbid from pg_subscription' },
    'cut off and drop a subscription': {
      given: subscription,
      sql: `alter subscription live_check_sub disable; alter subscription live_check_sub connection '${nowhere}';
        alter subscription live_check_sub set (slot_name = none); drop subscription live_check_sub`,
    },
    'see user mappings': { sql: 'select srvname, umuser from pg_user_mappings' },
    'drop a user mapping': {
      given: mapping,
      sql: 'drop user mapping for current_user server live_check_s',
    },
    'see jobs of TimescaleDB, and their runs': {
      given: timescaledb,
      sql: `select job_id, owner, scheduled from timescaledb_information.jobs;
        select job_id, last_run_started_at from timescaledb_information.job_stats`,
      extension: 'timescaledb',
    },
    'stop a job of TimescaleDB': {
      given: job,
      sql: 'select alter_job(id, scheduled => false) from live_check_j',
      extension: 'timescaledb',
    },
    'stop a job of pg_cron': {
      given: cron,
      sql: "select jobid, end_time from cron.job_run_details; select cron.unschedule('live-check')",
      extension: 'pg_cron',
    },
  },
  masking: {
    'switch off policies for itself': { sql: 'set local row_security = off' },
    'make unlogged tables and sequences in a schema': {
      sql: `create schema live_check_work; revoke all on schema live_check_work from public;
        create unlogged table live_check_work.t (n int); create sequence live_check_work.s cache 100`,
    },
    'make a temporary table like another': {
      given: table,
      sql: 'create temp table live_check_tried (like live_check_t including all) on commit drop',
    },
    'switch off the triggers of users': {
      given: table,
      sql: 'alter table live_check_t disable trigger user; alter table live_check_t enable trigger user',
    },
    'drop a constraint, and put it back': {
      given: table,
      sql: `alter table live_check_t drop constraint live_check_t_pkey;
        alter table live_check_t add constraint live_check_t_pkey primary key (n)`,
    },
    'empty a table': { given: table, sql: 'truncate live_check_t' },
    'vacuum a table': { given: table, sql: 'vacuum (analyze) live_check_t', isAlone: true },
    'clear statistics': {
      given: `${table}; analyze live_check_t`,
      sql: "select pg_clear_attribute_stats('public', 'live_check_t', 'word', false)",
      from: 180_000,
    },
    'read statistics': {
      sql: `select most_common_vals, histogram_bounds from pg_stats; select most_common_vals from pg_stats_ext;
        select most_common_vals from pg_stats_ext_exprs`,
    },
    'refresh a materialized view': {
      given: 'create materialized view live_check_m as select 1 as n',
      sql: 'refresh materialized view live_check_m',
    },
    'search a large object': {
      given: largeObject,
      sql: 'select lo_lseek64(lo_open(oid, 262144), 0, 2) from pg_largeobject_metadata where oid = 424242',
    },
    'lift the limit of rows in compressed chunks': {
      given: timescaledb,
      sql: 'set local timescaledb.max_tuples_decompressed_per_dml_transaction = 0',
      extension: 'timescaledb',
    },
    'change rows of a hypertable': {
      given: hypertable,
      sql: 'update live_check_h set n = 2',
      extension: 'timescaledb',
    },
  },
  rehearsal: {
    'count the locks, files and rows of a transaction': { given: table, sql: censusQuery },
    'see the locks of others, and who waits for whom': {
      sql: "select pid, relation, mode, pg_blocking_pids(pid) from pg_locks where locktype = 'relation'",
    },
    'see how far the log is written': { sql: `select ${walPosition}` },
    'see the files and sizes of tables': {
      given: table,
      sql: "select pg_relation_filenode('live_check_t'::regclass), pg_total_relation_size('live_check_t')",
    },
    'create an index concurrently': {
      given: table,
      sql: 'create index concurrently live_check_i on live_check_t (word)',
      isAlone: true,
    },
  },
}

const reasonOf = (answer: unknown) =>
  answer instanceof StatementError ? `${answer.message} (SQLSTATE ${answer.code})` : undefined

/** Tries one, and takes back what comes of it. */
async function tryOne(session: Session, { given, sql, isAlone }: Need) {
  if (!isAlone) await session.query('begin')
  try {
    const notTried = given === undefined ? undefined : reasonOf(await session.attempt(given))
    if (notTried !== undefined) return { notTried }
    const refusal = reasonOf(await session.attempt(sql))
    return refusal === undefined ? {} : { refusal }
  } finally {
    await session.query(isAlone ? 'drop table if exists live_check_t' : 'rollback')
  }
}

/** Tries each right that the action needs of the owner of a database. */
export async function tryRights(session: Session): Promise<TriedRight[]> {
  const { rows } = await session.query(
    `select current_setting('server_version_num')::int as version,
       array(select name::text from pg_available_extensions) as extensions`,
  )
  const { version, extensions } = rows[0] as { version: number; extensions: string[] }
  const tried: TriedRight[] = []
  for (const [needed, group] of Object.entries(needs))
    for (const [what, need] of Object.entries(group)) {
      const { extension, from = 0 } = need
      if (version < from || (extension !== undefined && !extensions.includes(extension)))
        tried.push({ needed, what, notTried: `not with this ${version < from ? 'version' : 'server'}` })
      else tried.push({ needed, what, ...(await tryOne(session, need)) })
    }
  return tried
}
