/** Tries the owner's rights in a database. */
import { queryTexts, type Session, StatementError } from '#postgres/session'
import type { TriedRight } from '../report/findings.ts'

/** Something that the action does in a database as its owner. */
interface Need {
  /** Undone together with the right: without it, or an extension that it creates, the right cannot be tried. */
  given?: string
  sql: string
  /** Refused in a transaction: its table is dropped afterwards. */
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

/** Changes by the part of the action that needs them. The steps of the preview try the reads. */
export const needs: Record<string, Record<string, Need>> = {
  previews: {
    'create a large object': { sql: largeObject },
    'write, read and drop one': {
      given: largeObject,
      sql: `comment on large object 424242 is 'live-check'; select lo_put(424242, 0, 'b'); select lo_get(424242);
        select lo_unlink(424242)`,
    },
    'set its own search path': { sql: 'set local search_path = pg_catalog, pg_temp' },
    'create a schema': { sql: 'create schema live_check_schema' },
    'create a table in public': { sql: table },
  },
  quarantine: {
    'end a session': { sql: 'select pg_terminate_backend(0)' },
    'close a login': { given: role, sql: 'alter role live_check_r nologin' },
    'lend itself the rights of a role': {
      given: role,
      sql: `grant live_check_r to current_user; set local role live_check_r; set local role none;
        revoke live_check_r from current_user`,
    },
    'cut off and drop a subscription': {
      given: subscription,
      sql: `alter subscription live_check_sub disable; alter subscription live_check_sub connection '${nowhere}';
        alter subscription live_check_sub set (slot_name = none); drop subscription live_check_sub`,
    },
    'drop a user mapping': { given: mapping, sql: 'drop user mapping for current_user server live_check_s' },
    'stop a job of TimescaleDB': {
      given: job,
      sql: 'select alter_job(id, scheduled => false) from live_check_j',
    },
    'stop a job of pg_cron': {
      given: cron,
      sql: "select jobid, end_time from cron.job_run_details; select cron.unschedule('live-check')",
    },
    'lend another role the right to see its jobs': {
      given: `${cron}; ${role}`,
      sql: 'grant usage on schema cron to live_check_r; revoke usage on schema cron from live_check_r',
    },
  },
  masking: {
    'switch off policies for itself': { sql: 'set local row_security = off' },
    'create unlogged tables and sequences in a schema': {
      sql: `create schema live_check_work; revoke all on schema live_check_work from public;
        create unlogged table live_check_work.t (n int); create sequence live_check_work.s cache 100;
        create function live_check_work.f() returns int language sql immutable as 'select 1';
        create collation live_check_work.folding from pg_catalog."C"; drop schema live_check_work cascade`,
    },
    'drop a foreign table': {
      given: `${mapping}; create foreign table live_check_f (n int) server live_check_s`,
      sql: 'drop foreign table live_check_f',
    },
    'create a temporary table like another': {
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
    'clear the statistics of a column': {
      given: table,
      sql: `do $$ begin if current_setting('server_version_num')::int >= 180000 then
          perform pg_clear_attribute_stats('public', 'live_check_t', 'word', false); end if; end $$;
        alter table live_check_t alter column word type text, alter column word set storage extended;
        create index live_check_i on live_check_t (lower(word));
        alter index live_check_i alter column 1 set statistics 0; drop index live_check_i`,
    },
    'replace extended statistics': {
      given: table,
      sql: `create statistics live_check_e on n, word from live_check_t; alter statistics live_check_e set statistics 0;
        comment on statistics live_check_e is 'live-check'; drop statistics live_check_e`,
    },
    'drop a table': { given: table, sql: 'drop table live_check_t' },
    'vacuum a table': { given: table, sql: 'vacuum (analyze) live_check_t', isAlone: true },
    'refresh a materialized view': {
      given: 'create materialized view live_check_m as select 1 as n',
      sql: 'refresh materialized view live_check_m',
    },
    'lift the limit of rows in compressed chunks': {
      given: timescaledb,
      sql: 'set local timescaledb.max_tuples_decompressed_per_dml_transaction = 0',
    },
    'change rows of a hypertable': { given: hypertable, sql: 'update live_check_h set n = 2' },
  },
  rehearsal: {
    'create an index concurrently': {
      given: table,
      sql: 'create index concurrently live_check_i on live_check_t (word)',
      isAlone: true,
    },
  },
}

const reasonOf = (answer: unknown) =>
  answer instanceof StatementError ? `${answer.message} (SQLSTATE ${answer.code})` : undefined

/** Tries one, and undoes its effects. */
async function tryOne(session: Session, { given = '', sql, isAlone }: Need, extensions: string[]) {
  const [, extension = ''] = /create extension if not exists (\w+)/.exec(given) ?? []
  if (extension && !extensions.includes(extension)) return { isTried: false, problem: 'not with this server' }
  if (!isAlone) await session.query('begin')
  try {
    const notGiven = given && reasonOf(await session.attempt(given))
    if (notGiven) return { isTried: false, problem: notGiven }
    return { isTried: true, problem: reasonOf(await session.attempt(sql)) }
  } finally {
    await session.query(isAlone ? 'drop table if exists live_check_t' : 'rollback')
  }
}

/** Tries each right that the action needs as the owner of a database. */
export async function tryRights(session: Session): Promise<TriedRight[]> {
  const extensions = await queryTexts(session, 'select name from pg_available_extensions')
  const tried: TriedRight[] = []
  for (const [needed, group] of Object.entries(needs))
    for (const [what, need] of Object.entries(group))
      tried.push({ needed, what, ...(await tryOne(session, need, extensions)) })
  return tried
}
