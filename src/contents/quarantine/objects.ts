/** Queries for jobs, logins, subscriptions and user mappings, with the statements that disable them, and for callers. */
import { firstUserJob, isOfExtension, quoteText, systemSchemas } from '#postgres/sql'
import type { Facts } from './database.ts'

const currentRole = '(select oid from pg_roles where rolname = current_user)'

/** The first version whose memberships have options (PostgreSQL 16 release notes, "Privileges"). */
const versionWithMembershipOptions = 160_000

/**
 * SQL for the columns `grantRights` and `revokeRights`: statements that grant the current role the rights of another one,
 * and revoke them. Empty if the current role has these rights. An existing membership stays unchanged.
 * @param owner SQL for the id of the role
 */
function renderRights(version: number, owner: string, option: 'inherit' | 'set' = 'inherit'): string {
  const hasOptions = version >= versionWithMembershipOptions
  const statement = (text: string) => `array[format('${text}', pg_get_userbyid(${owner}))]`
  const grant = (value: boolean) =>
    statement(`grant %I to current_user${hasOptions ? ` with ${option} ${value}` : ''}`)
  const privilege = option === 'set' ? 'set' : 'usage'
  const lacks = `not pg_has_role(${owner}, '${hasOptions ? privilege : 'member'}')`
  const isMember = `${hasOptions} and exists (select from pg_auth_members where roleid = ${owner}
    and member = ${currentRole} and grantor = ${currentRole})`
  return `case when ${lacks} then ${grant(true)} else '{}' end as "grantRights",
    case when not ${lacks} then '{}' when ${isMember} then ${grant(false)}
      else ${statement('revoke %I from current_user')} end as "revokeRights"`
}

const databaseId = '(select oid from pg_database where datname = current_database())'

const jobName = "proc_name || coalesce(' on ' || jobs.hypertable_name, '')"

export const timescaledbJobs = ({ timescaledb, version }: Facts) => `
  select 'job' as kind, format('job %s timescaledb %s', ${databaseId}, job_id) as id,
    ${jobName} as name, current_database()::text as database,
    array[job_id::text, proc_name::text, format('%s.%s', proc_schema, proc_name), application_name::text,
      regexp_replace(application_name, ' \\[\\d+\\]$', '')] as names,
    scheduled as "isActive", pg_get_userbyid(owner)::text as owner,
    array[format('select from %s.alter_job(%s, scheduled => false)', ${quoteText(timescaledb ?? '')}, job_id)] as statements,
    format('datname = current_database() and application_name = %L', application_name) as sessions,
    ${renderRights(version, 'owner::oid')}
  from timescaledb_information.jobs where job_id >= ${firstUserJob} order by job_id`

/** Jobs of pg_cron, which shows each role only its own. The session acts as that role, so it needs no other rights. */
export const cronJobs = `
  select 'job' as kind, format('job %s pg_cron %s', ${databaseId}, jobid) as id,
    coalesce(jobname, 'job ' || jobid) as name, database, array_remove(array[jobid::text, jobname], null) as names,
    active as "isActive", username as owner, array[format('select cron.unschedule(%s)', jobid)] as statements,
    format('pid in (select job_pid from cron.job_run_details where jobid = %s and end_time is null)', jobid) as sessions,
    '{}'::text[] as "grantRights", '{}'::text[] as "revokeRights"
  from cron.job order by jobid`

/**
 * The other roles that may have jobs of pg_cron, with the statements to act as each. A role that lost its rights on
 * `cron` keeps its jobs, and they run. If no job was ever scheduled, no role has one.
 */
export const cronRoles = ({ version }: Facts) => `
  select format('login %s', oid) as id, rolname::text as name, format('set local role %I', rolname) as "setRole",
    rolcanlogin as "canLogin", can_read as "canRead", can_read or can_grant as "canReadAfterGrant",
    case when can_read then '{}' else array[format('grant usage on schema cron to %I', rolname)] end || "grantRights" as "grantRights",
    "revokeRights" || case when can_read then '{}' else array[format('revoke usage on schema cron from %I', rolname)] end as "revokeRights"
  from (select oid, rolname, rolcanlogin, ${renderRights(version, 'oid', 'set')},
      has_schema_privilege(oid, 'cron', 'usage') and has_table_privilege(oid, 'cron.job', 'select') as can_read,
      has_schema_privilege('cron', 'usage with grant option') and has_table_privilege(oid, 'cron.job', 'select') as can_grant
    from pg_roles where rolname <> session_user and not rolsuper and rolname !~ '^pg_') as role
  where can_read or not has_sequence_privilege('cron.jobid_seq', 'select') or (select is_called from cron.jobid_seq)`

/** Runs of TimescaleDB's jobs since the server started, which for a fork is its creation. */
export const timescaledbRuns = ({ hasHistory }: Facts) => `
  select ${jobName} as job, current_database()::text as database,
    (extract(epoch from clock_timestamp() - last_run_started_at) * 1000)::float8 as before,
    ${
      hasHistory
        ? `(select count(*) from timescaledb_information.job_history as history
          where history.job_id = jobs.job_id and history.start_time >= pg_postmaster_start_time())::int`
        : 'null::int'
    } as times
  from timescaledb_information.jobs join timescaledb_information.job_stats as stats using (job_id)
  where job_id >= ${firstUserJob} and last_run_started_at >= pg_postmaster_start_time() order by job_id`

/** Runs of pg_cron's jobs since the server started. pg_cron shows each role only its own. */
export const cronRuns = `
  select coalesce(jobname, 'job ' || jobid) as job, details.database, count(*)::int as times,
    min(extract(epoch from clock_timestamp() - start_time) * 1000)::float8 as before
  from cron.job_run_details as details left join cron.job using (jobid)
  where start_time >= pg_postmaster_start_time() group by 1, 2 order by 1`

/**
 * Roles that may log in, except the current one and the service's own: superusers, PostgreSQL's roles, and replication
 * roles that this role may not administer.
 */
export const logins = ({ version }: Facts) => `
  select 'login' as kind, format('login %s', oid) as id, rolname::text as name, '' as database, array[rolname::text] as names,
    rolcanlogin as "isActive", '' as owner, array[format('alter role %I nologin', rolname)] as statements,
    format('usesysid = %s', oid) as sessions, ${renderRights(version, 'oid')}
  from pg_roles where not rolsuper and (not rolreplication or pg_has_role(oid, 'member with admin option')) and rolname !~ '^pg_' and rolname <> session_user order by rolname`

/**
 * The connection that a subscription gets before it is dropped. With its own connection, a drop during the initial copy
 * would delete slots that the parent uses (PostgreSQL documentation, "DROP SUBSCRIPTION").
 */
const unreachableServer = 'host=127.0.0.1 port=1 dbname=none user=none password=none'

export const subscriptions = ({ version }: Facts) => `
  select 'subscription' as kind, format('subscription %s', subscription.oid) as id, subname::text as name,
    current_database()::text as database, array[subname::text] as names, true as "isActive",
    pg_get_userbyid(subowner)::text as owner,
    array[format('alter subscription %I disable', subname), format('alter subscription %I connection %L', subname, '${unreachableServer}'),
      format('alter subscription %I set (slot_name = none)', subname), format('drop subscription %I', subname)] as statements,
    ${renderRights(version, 'subowner')}
  from pg_subscription as subscription join pg_database on pg_database.oid = subdbid
  where datname = current_database() order by subname`

/** The user mappings of foreign servers. Without a mapping, no query reaches the server. */
export const userMappings = ({ version }: Facts) => `
  select 'foreign-server' as kind, format('user mapping %s %s', datid, umid) as id,
    format('%s for %s', server.srvname, usename) as name, current_database()::text as database, array[server.srvname::text] as names,
    true as "isActive", pg_get_userbyid(srvowner)::text as owner,
    array[format('drop user mapping for %s server %I', quote_ident(usename), server.srvname)]
      as statements, ${renderRights(version, 'mapping_owner')}
  from pg_user_mappings join pg_foreign_server as server on server.oid = srvid,
    -- A user may drop its own mapping. Other mappings belong to the owner of the server.
    lateral (select case umuser when ${currentRole} then umuser else srvowner end as mapping_owner) as rights,
    lateral (select oid as datid from pg_database where datname = current_database()) as here
  order by server.srvname, usename`

/** Extensions whose functions or workers reach other servers or run programs, apart from foreign data wrappers. */
const extensions =
  '{ai, aws_lambda, aws_s3, azure_storage, http, pg_background, pg_curl, pg_net, pglogical, plrust}'

/** Matches a call of their functions in source code. False matches are acceptable: the list is only shown. */
const callPattern =
  '\\mdblink(_\\w+)?\\s*\\(|\\mhttp(_\\w+)?\\s*\\(|\\mnet\\.http_|\\maws_(s3|lambda)\\.|\\mcopy\\M.*\\mprogram\\M'

const mostCallers = 50

/** A query for these extensions, and for functions and views that call one of their functions or use an untrusted language. */
export const callers = `
  (select current_database()::text as database, 'extension ' || extname as name from pg_extension as extension
    where extname = any ('${extensions}') or exists (select from pg_depend
      where refclassid = 'pg_extension'::regclass and refobjid = extension.oid and deptype = 'e'
        and (classid = 'pg_foreign_data_wrapper'::regclass
          or classid = 'pg_language'::regclass and objid in (select oid from pg_language where not lanpltrusted)))
    order by extname)
  union all
  (select current_database()::text, format('function %s', object.oid::regprocedure)
    from pg_proc as object join pg_language on pg_language.oid = prolang
    where pronamespace not in ${systemSchemas} and not ${isOfExtension("'pg_proc'::regclass", 'object.oid')}
      and (not lanpltrusted and lanname not in ('internal', 'c') or prosrc ~* '${callPattern}'
        -- The body of a function with BEGIN ATOMIC is stored parsed.
        or prosqlbody is not null and pg_get_function_sqlbody(object.oid) ~* '${callPattern}')
    order by 2 limit ${mostCallers})
  union all
  (select current_database()::text, format('view %s', object.oid::regclass) from pg_class as object
    where relkind in ('v', 'm') and relnamespace not in ${systemSchemas} and not ${isOfExtension("'pg_class'::regclass", 'object.oid')}
      -- There may be thousands of views, and few that call more than PostgreSQL's own functions.
      and case when exists (select from pg_rewrite join pg_depend on classid = 'pg_rewrite'::regclass and objid = pg_rewrite.oid
          where ev_class = object.oid and refclassid = 'pg_proc'::regclass)
        then pg_get_viewdef(object.oid) ~* '${callPattern}' else false end
    order by 2 limit ${mostCallers})`
