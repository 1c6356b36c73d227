/** Prepares sessions for masking, runs tasks in parallel, and removes values from the server's errors. */
import { ActionError } from '#base/errors'
import { type OpenSession, orRefusal, queryValue, type Session, StatementError } from '#postgres/session'
import { workSchema } from '../plan/expressions.ts'
import { jsonFunctions } from '../plan/json.ts'
import { textRules } from '../plan/rules.ts'

/** The database refuses a statement while it is masked or searched. */
export class MaskingError extends ActionError {}

/**
 * Classes of errors that name only tables, constraints and limits (PostgreSQL documentation, appendix A). Messages of
 * other classes may contain values: `invalid input syntax for type integer: "…"`.
 */
const classesWithoutValues = /^(?:23|25|40|42501|53|54|55|57)/

/** Classes without values in errors of the parser. Later errors contain some: `current_setting(email)`. */
const parseErrorsWithoutValues = /^(?:0A|42)/

/** The server's error without the values that its message may contain. */
export function describeRefusal({ code, message, where, position }: StatementError): string {
  // Functions in the database can raise any message with any code.
  const isShown =
    where === undefined &&
    (classesWithoutValues.test(code) || (position !== undefined && parseErrorsWithoutValues.test(code)))
  return isShown
    ? `${message} (SQLSTATE ${code})`
    : `SQLSTATE ${code} (its message may hold values, and is not shown)`
}

/** Runs an action, which an error names. @throws MaskingError in place of a `StatementError`, without values */
export async function during<Result>(task: string, act: () => Promise<Result>): Promise<Result> {
  const result = await orRefusal(act())
  if (!(result instanceof StatementError)) return result
  throw new MaskingError(
    `${task}: ${describeRefusal(result)}`,
    'correct the rule, or the parent; do not use the copy',
  )
}

/** Settings of every session. A row policy must cause an error: hidden rows would be neither masked nor searched. */
const settings = `
  set row_security = off;
  set statement_timeout = 0;
  set lock_timeout = '60s';
  set idle_in_transaction_session_timeout = 0;
  set default_transaction_read_only = off;
  set client_min_messages = error;
  set standard_conforming_strings = on;
  set xmlbinary = base64;
  set jit = off;
  set work_mem = '128MB';
  set maintenance_work_mem = '256MB';`

/** Prepares a session without row policies and limits. Triggers and functions need the search path of production. */
export async function prepareSession(session: Session): Promise<void> {
  await during('a session for masking', () => session.query(`reset search_path; ${settings}`))
  // The limit of compressed rows that a statement may change. Versions of TimescaleDB without the setting have none.
  await session.attempt('set timescaledb.max_tuples_decompressed_per_dml_transaction = 0')
}

/** Returns a function that opens prepared sessions, which every step of masking requires. */
export const prepareSessions =
  (open: OpenSession): OpenSession =>
  (use, database) =>
    open(async session => {
      await prepareSession(session)
      return await use(session)
    }, database)

/** Whether the role may create the schema and the temporary tables of a trial. */
export const hasTrialRights = (session: Session): Promise<boolean> =>
  queryValue(
    session,
    `select has_database_privilege(current_database(), 'create')
      and has_database_privilege(current_database(), 'temporary') and not pg_is_in_recovery()`,
  )

/**
 * Creates the schema for temporary objects of masking, with the secret of the run. Its tables contain only hashes:
 * several sessions share them, and a killed run leaves no readable values.
 */
export async function createWorkSchema(session: Session): Promise<void> {
  await during('a schema for masking', () =>
    session.query(`
      drop schema if exists ${workSchema} cascade;
      create schema ${workSchema};
      revoke all on schema ${workSchema} from public;
      do $$ begin
        -- From PostgreSQL 17 on, where the encoding is UTF-8.
        execute format('create collation ${workSchema}.folding from pg_catalog.%I',
          case when to_regcollation('pg_catalog.pg_c_utf8') is null then 'C' else 'pg_c_utf8' end);
      end $$;
      create unlogged table ${workSchema}.secret as
        select sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')) as key,
          ('x' || left(encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex'), 16))::bit(64)::bigint as seed;
      create unlogged table ${workSchema}.needle (id bigint generated always as identity, source int not null,
        hash bytea not null, words int not null, first int not null, word bigint not null, is_ordinary boolean not null);
      -- A session takes a hundred numbers at once: each is written to disk.
      create sequence ${workSchema}.done cache 100;
      -- Relations whose statistics are renewed, each with the table at its top, and the statistics that are older.
      create unlogged table ${workSchema}.renewed (relation oid primary key, root oid not null);
      create unlogged table ${workSchema}.stale (relation oid not null, attname name not null, inherited boolean not null);
      create unlogged table ${workSchema}.blank (relation oid not null, place tid not null);
      create unlogged table ${workSchema}.hit (place text not null, needle bigint not null, times bigint not null, is_schema boolean not null);
      ${jsonFunctions(textRules('original'))}`),
  )
}

export async function dropWorkSchema(session: Session): Promise<void> {
  await during('the schema for masking', () => session.query(`drop schema if exists ${workSchema} cascade`))
}

/** Runs one task in a session. `task` is its name in an error. */
export const runInSession = <Result>(
  open: OpenSession,
  task: string,
  act: (session: Session) => Promise<Result>,
): Promise<Result> => open(session => during(task, () => act(session)))

/** Runs all tasks in several sessions at once. After a failure no other task starts. @throws the first failure */
export async function runInParallel<Task>(
  open: OpenSession,
  sessions: number,
  tasks: readonly Task[],
  act: (session: Session, task: Task) => Promise<void>,
): Promise<void> {
  const waiting = [...tasks]
  const runTasks = async (session: Session) => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await act(session, task)
  }
  const workers = Array.from({ length: Math.min(sessions, tasks.length) }, () =>
    open(runTasks).catch(error => {
      waiting.length = 0
      throw error
    }),
  )
  for (const result of await Promise.allSettled(workers))
    if (result.status === 'rejected') throw result.reason
}
