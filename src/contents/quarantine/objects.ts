/** SQL queries for logins, subscriptions and user mappings, with the statements that disable them. */
import type { Facts } from './facts.ts'
import { lending, ourId } from './rights.ts'

/**
 * Roles that may log in, except the current one and the service's own: superusers, PostgreSQL's roles, and replication
 * roles that this role may not administer.
 */
export const logins = ({ version }: Facts) => `
  select 'login' as kind, format('login %s', oid) as id, rolname::text as name, '' as database, array[rolname::text] as names,
    rolcanlogin as "isActive", '' as owner, array[format('alter role %I nologin', rolname)] as statements,
    format('usesysid = %s', oid) as sessions, ${lending(version, 'oid')}
  from pg_roles where not rolsuper and (not rolreplication or pg_has_role(oid, 'member with admin option')) and rolname !~ '^pg_' and rolname <> session_user order by rolname`

/**
 * Disconnects a subscription from its publisher before it is dropped. Otherwise dropping it during the initial copy
 * would delete slots that the parent uses (PostgreSQL documentation, "DROP SUBSCRIPTION").
 */
const nowhere = 'host=127.0.0.1 port=1 dbname=none user=none password=none'

export const subscriptions = ({ version }: Facts) => `
  select 'subscription' as kind, format('subscription %s', subscription.oid) as id, subname::text as name,
    current_database()::text as database, array[subname::text] as names, true as "isActive",
    pg_get_userbyid(subowner)::text as owner,
    array[format('alter subscription %I disable', subname), format('alter subscription %I connection %L', subname, '${nowhere}'),
      format('alter subscription %I set (slot_name = none)', subname), format('drop subscription %I', subname)] as statements,
    ${lending(version, 'subowner')}
  from pg_subscription as subscription join pg_database on pg_database.oid = subdbid
  where datname = current_database() order by subname`

/** The user mappings of foreign servers. Without a mapping, no query reaches the server. */
export const userMappings = ({ version }: Facts) => `
  select 'foreign-server' as kind, format('user mapping %s %s', datid, umid) as id,
    format('%s for %s', server.srvname, usename) as name, current_database()::text as database, array[server.srvname::text] as names,
    true as "isActive", pg_get_userbyid(srvowner)::text as owner,
    array[format('drop user mapping for %s server %I', quote_ident(usename), server.srvname)]
      as statements, ${lending(version, 'lender')}
  from pg_user_mappings join pg_foreign_server as server on server.oid = srvid,
    -- Everybody may drop his own.
    lateral (select case umuser when ${ourId} then umuser else srvowner end as lender) as rights,
    lateral (select oid as datid from pg_database where datname = current_database()) as here
  order by server.srvname, usename`
