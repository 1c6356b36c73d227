/** SQL queries for the jobs of TimescaleDB and pg_cron, with the statements that disable them. */
import type { Facts } from './facts.ts'
import { lending } from './rights.ts'

/** TimescaleDB's own jobs have smaller ids. They belong to the service. */
const firstOfUser = 1000

const databaseId = '(select oid from pg_database where datname = current_database())'

const nameOfJob = "proc_name || coalesce(' on ' || jobs.hypertable_name, '')"

export const timescaledbJobs = ({ timescaledb, version }: Facts) => `
  select 'job' as kind, format('job %s timescaledb %s', ${databaseId}, job_id) as id,
    ${nameOfJob} as name, current_database()::text as database,
    array[job_id::text, proc_name::text, format('%s.%s', proc_schema, proc_name), application_name::text,
      regexp_replace(application_name, ' \\[\\d+\\]$', '')] as names,
    scheduled as "isActive", pg_get_userbyid(owner)::text as owner,
    array[format('select from %s.alter_job(%s, scheduled => false)', '${timescaledb?.replaceAll("'", "''")}', job_id)] as statements,
    format('datname = current_database() and application_name = %L', application_name) as sessions,
    ${lending(version, 'owner::oid')}
  from timescaledb_information.jobs where job_id >= ${firstOfUser} order by job_id`

/** Jobs of pg_cron, which shows each role only its own. The session acts as that role, so it needs no other rights. */
export const cronJobs = `
  select 'job' as kind, format('job %s pg_cron %s', ${databaseId}, jobid) as id,
    coalesce(jobname, 'job ' || jobid) as name, database, array_remove(array[jobid::text, jobname], null) as names,
    active as "isActive", username as owner, array[format('select cron.unschedule(%s)', jobid)] as statements,
    format('pid in (select job_pid from cron.job_run_details where jobid = %s and end_time is null)', jobid) as sessions,
    '{}'::text[] as borrow, '{}'::text[] as "giveBack"
  from cron.job order by jobid`

/**
 * The other roles that may have jobs of pg_cron, with the statements to act as each. A role that lost its rights on
 * `cron` keeps its jobs, and they run. If no job was ever scheduled, no role has one.
 */
export const cronRoles = ({ version }: Facts) => `
  select format('login %s', oid) as id, rolname::text as name, format('set local role %I', rolname) as become,
    rolcanlogin as "canLogin", can_read as "canRead", can_read or can_grant as "isReadable",
    case when can_read then '{}' else array[format('grant usage on schema cron to %I', rolname)] end || borrow as borrow,
    "giveBack" || case when can_read then '{}' else array[format('revoke usage on schema cron from %I', rolname)] end as "giveBack"
  from (select oid, rolname, rolcanlogin, ${lending(version, 'oid', 'set')},
      has_schema_privilege(oid, 'cron', 'usage') and has_table_privilege(oid, 'cron.job', 'select') as can_read,
      has_schema_privilege('cron', 'usage with grant option') and has_table_privilege(oid, 'cron.job', 'select') as can_grant
    from pg_roles where rolname <> session_user and not rolsuper and rolname !~ '^pg_') as role
  where can_read or not has_sequence_privilege('cron.jobid_seq', 'select') or (select is_called from cron.jobid_seq)`

/** Runs of TimescaleDB's jobs since the server started, which for a fork is its creation. */
export const timescaledbRuns = ({ hasHistory }: Facts) => `
  select ${nameOfJob} as job, current_database()::text as database,
    (extract(epoch from clock_timestamp() - last_run_started_at) * 1000)::float8 as before,
    ${
      hasHistory
        ? `(select count(*) from timescaledb_information.job_history as history
          where history.job_id = jobs.job_id and history.start_time >= pg_postmaster_start_time())::int`
        : 'null::int'
    } as times
  from timescaledb_information.jobs join timescaledb_information.job_stats as stats using (job_id)
  where job_id >= ${firstOfUser} and last_run_started_at >= pg_postmaster_start_time() order by job_id`

/** Runs of pg_cron's jobs since the server started. pg_cron shows each role only its own. */
export const cronRuns = `
  select coalesce(jobname, 'job ' || jobid) as job, details.database, count(*)::int as times,
    min(extract(epoch from clock_timestamp() - start_time) * 1000)::float8 as before
  from cron.job_run_details as details left join cron.job using (jobid)
  where start_time >= pg_postmaster_start_time() group by 1, 2 order by 1`
