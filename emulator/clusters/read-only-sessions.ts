/** A role that has it set on is read-only in every session, a connection that starts with it in this one. */
export const readOnlySettings = ['tsdb_admin.read_only_role', 'tsdb_admin.read_only_connection'] as const

const isOn = (setting: string) =>
  `lower(coalesce(current_setting('${setting}', true), '')) IN ('true', 'on', 'yes', '1')`

const safePath = 'SET search_path = pg_catalog, pg_temp'

/** Runs in each session as it begins, as the user of the session. */
const beginSession = `BEGIN IF ${readOnlySettings.map(isOn).join(' OR ')} THEN PERFORM set_config('default_transaction_read_only', 'on', false); END IF; END`

/** With the rights of the superuser: only who may call it at all gets a role from it. */
const createReader = `BEGIN EXECUTE format('CREATE ROLE %I LOGIN PASSWORD %L', name, password); EXECUTE format('ALTER ROLE %I SET tsdb_admin.read_only_role = true', name); END`

/** Never to a role that may write: it would be a second owner. */
const grantOwner = `BEGIN IF NOT EXISTS (SELECT FROM pg_db_role_setting JOIN pg_roles ON pg_roles.oid = setrole WHERE rolname = name AND 'tsdb_admin.read_only_role=true' = ANY (setconfig)) THEN RAISE 'role % is not read-only', name; END IF; EXECUTE format('GRANT tsdbadmin TO %I', name); END`

/** What the service offers its owner to make roles with, by the signatures that its official clients call. */
const ownerFunctions = {
  'timescale_functions.create_bare_readonly_role(name text, password text)': createReader,
  'timescale_functions.grant_tsdbadmin_to_role(name text)': grantOwner,
}

/**
 * What makes sessions read-only, one statement a line, for each database that has them. All of it counts as a part of
 * plpgsql, so that pg_dump leaves it out: who restores a dump is no superuser.
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
