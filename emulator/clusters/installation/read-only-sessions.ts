/** The SQL that makes sessions read-only, as in the managed service. */

/** The first setting makes every session of a role read-only, the second only the connection that starts with it. */
export const readOnlySettings = ['tsdb_admin.read_only_role', 'tsdb_admin.read_only_connection'] as const

const safePath = 'SET search_path = pg_catalog, pg_temp'

const isOn = (setting: string) =>
  `lower(coalesce(current_setting('${setting}', true), '')) IN ('true', 'on', 'yes', '1')`

/** Runs at the start of each session, as the user of the session. */
const beginSession = `BEGIN IF ${readOnlySettings.map(isOn).join(' OR ')} THEN PERFORM set_config('default_transaction_read_only', 'on', false); END IF; END`

/** Runs with the rights of the superuser, so only the owner may call it. */
const createReader = `BEGIN EXECUTE format('CREATE ROLE %I LOGIN PASSWORD %L', name, password); EXECUTE format('ALTER ROLE %I SET tsdb_admin.read_only_role = true', name); END`

/** Rejects a role that may write: with this grant it would be a second owner. */
const grantOwner = `BEGIN IF NOT EXISTS (SELECT FROM pg_db_role_setting JOIN pg_roles ON pg_roles.oid = setrole WHERE rolname = name AND 'tsdb_admin.read_only_role=true' = ANY (setconfig)) THEN RAISE 'role % is not read-only', name; END IF; EXECUTE format('GRANT tsdbadmin TO %I', name); END`

/** Functions with which the owner creates roles, by the signatures that the service's official clients call. */
const ownerFunctions = {
  'timescale_functions.create_bare_readonly_role(name text, password text)': createReader,
  'timescale_functions.grant_tsdbadmin_to_role(name text)': grantOwner,
}

/**
 * The statements, one a line, that make sessions read-only in one database. All objects count as part of
 * plpgsql, so that pg_dump omits them: a dump is restored without superuser rights.
 */
export function readOnlySessions(): string[] {
  return [
    'CREATE SCHEMA tsdb_admin',
    'GRANT USAGE ON SCHEMA tsdb_admin TO PUBLIC',
    `CREATE FUNCTION tsdb_admin.begin_session() RETURNS event_trigger LANGUAGE plpgsql ${safePath} AS $$${beginSession}$$`,
    'CREATE EVENT TRIGGER tsdb_admin_begin_session ON login EXECUTE FUNCTION tsdb_admin.begin_session()',
    'CREATE SCHEMA timescale_functions',
    'GRANT USAGE ON SCHEMA timescale_functions TO tsdbadmin',
    ...Object.entries(ownerFunctions).flatMap(([signature, body]) => [
      `CREATE FUNCTION ${signature} RETURNS void LANGUAGE plpgsql SECURITY DEFINER ${safePath} AS $$${body}$$`,
      `REVOKE EXECUTE ON FUNCTION ${signature} FROM PUBLIC`,
      `GRANT EXECUTE ON FUNCTION ${signature} TO tsdbadmin`,
      `ALTER EXTENSION plpgsql ADD FUNCTION ${signature}`,
    ]),
    'ALTER EXTENSION plpgsql ADD SCHEMA tsdb_admin',
    'ALTER EXTENSION plpgsql ADD SCHEMA timescale_functions',
    'ALTER EXTENSION plpgsql ADD FUNCTION tsdb_admin.begin_session()',
    'ALTER EXTENSION plpgsql ADD EVENT TRIGGER tsdb_admin_begin_session',
  ]
}
