-- The stand-in's state. Its functions run with the rights of whoever calls them, so everybody may write here.

DO $notice$ BEGIN
  PERFORM pg_catalog.set_config('client_min_messages', 'notice', true);
  RAISE NOTICE 'timescaledb: this is a stand-in of the emulator, not TimescaleDB'
    USING DETAIL = 'Hypertables are plain tables, nothing is compressed, and policies only run by CALL run_job(…). '
      'Continuous aggregates and storage options (WITH (timescaledb.…), WITH (tsdb.…)) are not there.',
      HINT = 'See docs/emulator.md, "Stand-ins".';
END $notice$;

CREATE SCHEMA _timescaledb_internal;
CREATE SCHEMA _timescaledb_stand_in;
CREATE SCHEMA timescaledb_information;
GRANT USAGE ON SCHEMA _timescaledb_internal, _timescaledb_stand_in, timescaledb_information TO PUBLIC;

CREATE TABLE _timescaledb_stand_in.hypertables (
  id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  relation regclass NOT NULL UNIQUE,
  integer_now regproc
);
CREATE TABLE _timescaledb_stand_in.dimensions (
  id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  relation regclass NOT NULL REFERENCES _timescaledb_stand_in.hypertables (relation) ON DELETE CASCADE,
  attribute smallint NOT NULL,
  -- Microseconds for a range of times, a number for a range of numbers; null for a dimension by hash.
  length bigint,
  partitions smallint,
  UNIQUE (relation, attribute)
);
CREATE TABLE _timescaledb_stand_in.jobs (
  id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY (START 1000),
  relation regclass,
  procedure text NOT NULL,
  schedule interval NOT NULL,
  config jsonb,
  scheduled boolean NOT NULL DEFAULT true,
  next_start timestamptz,
  owner regrole NOT NULL DEFAULT current_user::regrole
);
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA _timescaledb_stand_in TO PUBLIC;

-- The dimension that by_range and by_hash describe.
CREATE TYPE _timescaledb_internal.dimension_info AS (column_name name, length text, partitions int);
CREATE FUNCTION @extschema@.by_range(column_name name, partition_interval anyelement DEFAULT NULL::bigint,
  partition_func regproc DEFAULT NULL) RETURNS _timescaledb_internal.dimension_info
  LANGUAGE sql IMMUTABLE AS $$ SELECT ROW($1, $2::text, NULL)::_timescaledb_internal.dimension_info $$;
CREATE FUNCTION @extschema@.by_hash(column_name name, number_partitions int, partition_func regproc DEFAULT NULL)
  RETURNS _timescaledb_internal.dimension_info
  LANGUAGE sql IMMUTABLE RETURN ROW(column_name, NULL, number_partitions)::_timescaledb_internal.dimension_info;
