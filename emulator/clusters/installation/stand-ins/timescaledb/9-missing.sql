-- Explains statements that need the real TimescaleDB. PostgreSQL alone would report an unknown parameter or function.

CREATE FUNCTION _timescaledb_stand_in.refuse(missing text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE '% needs the real TimescaleDB, and this is the stand-in of the emulator', missing
    USING ERRCODE = '0A000',
      HINT = 'Install TimescaleDB for the PostgreSQL of the emulator, or name its folder with --extensions. See docs/emulator.md, "Stand-ins".';
END $$;

CREATE FUNCTION _timescaledb_stand_in.refuse_options() RETURNS event_trigger LANGUAGE plpgsql AS $$
DECLARE
  sql text := current_query();
BEGIN
  IF tg_tag = 'CREATE MATERIALIZED VIEW' AND sql ~* 'create\s+materialized\s+view[^;]*\mwith\s*\([^;)]*\m(timescaledb|tsdb)\.' THEN
    PERFORM _timescaledb_stand_in.refuse('a continuous aggregate');
  ELSIF tg_tag IN ('ALTER TABLE', 'ALTER MATERIALIZED VIEW', 'ALTER VIEW')
    AND sql ~* 'alter\s+(table|view|materialized\s+view)[^;]*\mset\s*\([^;)]*\m(timescaledb|tsdb)\.' THEN
    PERFORM _timescaledb_stand_in.refuse('SET (timescaledb.…)');
  ELSIF tg_tag = 'CREATE TABLE' AND sql ~* 'create\s+table[^;]*\mwith\s*\([^;)]*\m(timescaledb|tsdb)\.' THEN
    PERFORM _timescaledb_stand_in.refuse('CREATE TABLE … WITH (timescaledb.…)');
  END IF;
END $$;

CREATE EVENT TRIGGER timescaledb_stand_in_refuses ON ddl_command_start
  WHEN TAG IN ('CREATE MATERIALIZED VIEW', 'ALTER TABLE', 'ALTER MATERIALIZED VIEW', 'ALTER VIEW', 'CREATE TABLE')
  EXECUTE FUNCTION _timescaledb_stand_in.refuse_options();

DO $gapfill$
DECLARE
  kind text;
BEGIN
  FOREACH kind IN ARRAY ARRAY['timestamptz', 'timestamp', 'date'] LOOP
    EXECUTE format(
      'CREATE FUNCTION @extschema@.time_bucket_gapfill(bucket_width interval, ts %1$s, start %1$s DEFAULT NULL, finish %1$s DEFAULT NULL)
         RETURNS %1$s LANGUAGE plpgsql AS %2$L',
      kind, 'BEGIN PERFORM _timescaledb_stand_in.refuse(''time_bucket_gapfill''); END');
  END LOOP;
END $gapfill$;
