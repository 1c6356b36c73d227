-- What there is, as TimescaleDB shows it. A table that was dropped is not there any more.

CREATE VIEW timescaledb_information.hypertables AS
  SELECT nspname AS hypertable_schema, relname AS hypertable_name, pg_catalog.pg_get_userbyid(relowner) AS owner,
    (SELECT count(*) FROM _timescaledb_stand_in.dimensions d WHERE d.relation = h.relation)::smallint AS num_dimensions,
    (SELECT count(*) FROM _timescaledb_stand_in.chunks(h.relation)) AS num_chunks,
    false AS compression_enabled, NULL::name[] AS tablespaces,
    attname AS primary_dimension, atttypid::regtype AS primary_dimension_type
  FROM _timescaledb_stand_in.hypertables h
  JOIN pg_catalog.pg_class c ON c.oid = h.relation JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
  JOIN LATERAL (SELECT * FROM _timescaledb_stand_in.dimensions d WHERE d.relation = h.relation AND length IS NOT NULL
    ORDER BY id LIMIT 1) AS first ON true
  JOIN pg_catalog.pg_attribute a ON attrelid = h.relation AND attnum = first.attribute;

CREATE VIEW timescaledb_information.dimensions AS
  SELECT nspname AS hypertable_schema, relname AS hypertable_name,
    row_number() OVER (PARTITION BY d.relation ORDER BY d.id) AS dimension_number, attname AS column_name,
    atttypid::regtype AS column_type, CASE WHEN length IS NULL THEN 'Space' ELSE 'Time' END AS dimension_type,
    CASE WHEN atttypid::regtype::text ~ '^(time|date)' THEN length * interval '1 microsecond' END AS time_interval,
    CASE WHEN atttypid::regtype::text !~ '^(time|date)' THEN length END AS integer_interval,
    CASE WHEN length IS NOT NULL THEN integer_now::text END AS integer_now_func, partitions AS num_partitions
  FROM _timescaledb_stand_in.dimensions d JOIN _timescaledb_stand_in.hypertables h ON h.relation = d.relation
  JOIN pg_catalog.pg_class c ON c.oid = d.relation JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
  JOIN pg_catalog.pg_attribute a ON attrelid = d.relation AND attnum = attribute;

CREATE VIEW timescaledb_information.chunks AS
  SELECT hypertable_schema, hypertable_name, '_timescaledb_internal'::name AS chunk_schema,
    split_part(chunk, '.', 2)::name AS chunk_name, primary_dimension, primary_dimension_type,
    CASE WHEN is_time THEN to_timestamp(range_start / 1000000.0) END AS range_start,
    CASE WHEN is_time THEN to_timestamp(range_end / 1000000.0) END AS range_end,
    CASE WHEN NOT is_time THEN c.range_start END AS range_start_integer,
    CASE WHEN NOT is_time THEN c.range_end END AS range_end_integer, false AS is_compressed
  FROM timescaledb_information.hypertables,
    LATERAL (SELECT primary_dimension_type::text ~ '^(time|date)' AS is_time) AS kind,
    LATERAL _timescaledb_stand_in.chunks(format('%I.%I', hypertable_schema, hypertable_name)::regclass) AS c;

CREATE VIEW timescaledb_information.jobs AS
  SELECT id AS job_id, CASE WHEN procedure LIKE 'policy%' THEN procedure ELSE 'User-Defined Action' END || ' [' || id || ']'
      AS application_name,
    schedule AS schedule_interval, interval '0' AS max_runtime, -1 AS max_retries, interval '5 minutes' AS retry_period,
    CASE WHEN procedure LIKE 'policy%' THEN '_timescaledb_functions' ELSE 'public' END::name AS proc_schema,
    procedure::name AS proc_name, owner, scheduled, true AS fixed_schedule, config, next_start,
    NULL::timestamptz AS initial_start, nspname AS hypertable_schema, relname AS hypertable_name,
    NULL::name AS check_schema, NULL::name AS check_name
  FROM _timescaledb_stand_in.jobs LEFT JOIN pg_catalog.pg_class c ON c.oid = relation
  LEFT JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
  WHERE relation IS NULL OR relname IS NOT NULL;

CREATE VIEW timescaledb_information.job_stats AS
  SELECT hypertable_schema, hypertable_name, job_id, NULL::timestamptz AS last_run_started_at,
    NULL::timestamptz AS last_successful_finish, NULL::text AS last_run_status, 'Scheduled'::text AS job_status,
    NULL::interval AS last_run_duration, next_start, 0::bigint AS total_runs, 0::bigint AS total_successes,
    0::bigint AS total_failures
  FROM timescaledb_information.jobs;

CREATE VIEW timescaledb_information.continuous_aggregates AS
  SELECT NULL::name AS hypertable_schema, NULL::name AS hypertable_name, NULL::name AS view_schema, NULL::name AS view_name,
    NULL::name AS view_owner, NULL::boolean AS materialized_only, NULL::boolean AS compression_enabled,
    NULL::name AS materialization_hypertable_schema, NULL::name AS materialization_hypertable_name,
    NULL::text AS view_definition, NULL::boolean AS finalized WHERE false;
CREATE VIEW timescaledb_information.compression_settings AS
  SELECT NULL::name AS hypertable_schema, NULL::name AS hypertable_name, NULL::name AS attname,
    NULL::smallint AS segmentby_column_index, NULL::smallint AS orderby_column_index, NULL::boolean AS orderby_asc,
    NULL::boolean AS orderby_nullsfirst WHERE false;
CREATE VIEW timescaledb_information.hypertable_compression_settings AS
  SELECT NULL::regclass AS hypertable, NULL::text AS segmentby, NULL::text AS orderby, NULL::text AS compress_interval_length,
    NULL::jsonb AS index WHERE false;

GRANT SELECT ON ALL TABLES IN SCHEMA timescaledb_information TO PUBLIC;
