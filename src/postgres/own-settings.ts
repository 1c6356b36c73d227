/** The settings that a session of the action needs. They override those of the role and the database. */

/**
 * A fork inherits the settings of production:
 * - A `statement_timeout` or `default_transaction_read_only` of the role would end each quarantine.
 * - A `role` would replace the role.
 * - A `search_path` could place a user's function before PostgreSQL's.
 * The statement timeout is set first: with one of a millisecond, any other statement may be cancelled.
 * `transaction_timeout` is new in PostgreSQL 17, `idle_session_timeout` in 14.
 */
export const ownSettings = `
  set statement_timeout = 0;
  set search_path = pg_catalog, pg_temp;
  set role none;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set default_transaction_read_only = off;
  set default_transaction_isolation = 'read committed';
  set default_transaction_deferrable = off;
  set row_security = on;
  set standard_conforming_strings = on;
  set client_min_messages = notice;
  select set_config(name, '0', false) from pg_settings where name in ('transaction_timeout', 'idle_session_timeout')`
