-- Policies and jobs: they are remembered, and run by CALL run_job(…) only.

CREATE FUNCTION _timescaledb_stand_in.add_policy(relation regclass, procedure text, title text, config jsonb, schedule interval,
  if_not_exists boolean, initial_start timestamptz) RETURNS int LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  made int;
BEGIN
  IF EXISTS (SELECT FROM _timescaledb_stand_in.jobs j WHERE j.relation = add_policy.relation AND j.procedure = add_policy.procedure) THEN
    IF NOT if_not_exists THEN RAISE '% policy already exists for "%"', title, relation USING ERRCODE = '42710'; END IF;
    RAISE NOTICE '% policy already exists for "%", skipping', title, relation;
    RETURN -1;
  END IF;
  INSERT INTO _timescaledb_stand_in.jobs (relation, procedure, schedule, config, next_start)
    VALUES (relation, procedure, schedule, jsonb_strip_nulls(config), initial_start) RETURNING id INTO made;
  RETURN made;
END $$;

CREATE FUNCTION _timescaledb_stand_in.remove_policy(relation regclass, procedure text, title text, if_exists boolean) RETURNS boolean
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM _timescaledb_stand_in.jobs j WHERE j.relation = remove_policy.relation AND j.procedure = remove_policy.procedure;
  IF FOUND THEN RETURN true; END IF;
  IF NOT if_exists THEN RAISE '% policy not found for "%"', title, relation USING ERRCODE = '42704'; END IF;
  RAISE NOTICE '% policy not found for "%", skipping', title, relation;
  RETURN false;
END $$;

CREATE FUNCTION @extschema@.add_retention_policy(relation regclass, drop_after anycompatible DEFAULT NULL::interval,
  if_not_exists boolean DEFAULT false, schedule_interval interval DEFAULT NULL, initial_start timestamptz DEFAULT NULL,
  timezone text DEFAULT NULL, drop_created_before interval DEFAULT NULL) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  PERFORM _timescaledb_stand_in.check_hypertable(relation);
  RETURN _timescaledb_stand_in.add_policy(relation, 'policy_retention', 'retention',
    pg_catalog.jsonb_build_object('drop_after', drop_after::text), coalesce(schedule_interval, '1 day'), if_not_exists, initial_start);
END $$;
CREATE FUNCTION @extschema@.remove_retention_policy(relation regclass, if_exists boolean DEFAULT false) RETURNS void
  LANGUAGE sql AS $$ SELECT _timescaledb_stand_in.remove_policy($1, 'policy_retention', 'retention', $2) $$;

CREATE FUNCTION @extschema@.add_compression_policy(hypertable regclass, compress_after anycompatible DEFAULT NULL::interval,
  if_not_exists boolean DEFAULT false, schedule_interval interval DEFAULT NULL, initial_start timestamptz DEFAULT NULL,
  timezone text DEFAULT NULL, compress_created_before interval DEFAULT NULL) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  RETURN _timescaledb_stand_in.add_policy(hypertable, 'policy_compression', 'compression',
    pg_catalog.jsonb_build_object('compress_after', compress_after::text), coalesce(schedule_interval, '12 hours'), if_not_exists, initial_start);
END $$;
CREATE FUNCTION @extschema@.remove_compression_policy(hypertable regclass, if_exists boolean DEFAULT false) RETURNS boolean
  LANGUAGE sql AS $$ SELECT _timescaledb_stand_in.remove_policy($1, 'policy_compression', 'compression', $2) $$;
CREATE PROCEDURE @extschema@.add_columnstore_policy(hypertable regclass, after anycompatible DEFAULT NULL::interval,
  if_not_exists boolean DEFAULT false, schedule_interval interval DEFAULT NULL, initial_start timestamptz DEFAULT NULL,
  timezone text DEFAULT NULL, created_before interval DEFAULT NULL) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM _timescaledb_stand_in.add_policy(hypertable, 'policy_compression', 'columnstore',
    pg_catalog.jsonb_build_object('compress_after', after::text), coalesce(schedule_interval, '12 hours'), if_not_exists, initial_start);
END $$;
CREATE PROCEDURE @extschema@.remove_columnstore_policy(hypertable regclass, if_exists boolean DEFAULT false)
  LANGUAGE sql AS $$ SELECT _timescaledb_stand_in.remove_policy($1, 'policy_compression', 'columnstore', $2) $$;

CREATE FUNCTION @extschema@.add_reorder_policy(hypertable regclass, index_name name, if_not_exists boolean DEFAULT false,
  initial_start timestamptz DEFAULT NULL, timezone text DEFAULT NULL) RETURNS int LANGUAGE sql AS
  $$ SELECT _timescaledb_stand_in.add_policy($1, 'policy_reorder', 'reorder',
    pg_catalog.jsonb_build_object('index_name', $2), '4 days', $3, $4) $$;
CREATE FUNCTION @extschema@.remove_reorder_policy(hypertable regclass, if_exists boolean DEFAULT false) RETURNS void
  LANGUAGE sql AS $$ SELECT _timescaledb_stand_in.remove_policy($1, 'policy_reorder', 'reorder', $2) $$;

-- A continuous aggregate cannot be made, so this takes a plain materialized view and refreshes all of it.
CREATE FUNCTION @extschema@.add_continuous_aggregate_policy(continuous_aggregate regclass, start_offset anycompatible,
  end_offset anycompatible, schedule_interval interval, if_not_exists boolean DEFAULT false,
  initial_start timestamptz DEFAULT NULL, timezone text DEFAULT NULL) RETURNS int LANGUAGE sql AS
  $$ SELECT _timescaledb_stand_in.add_policy($1, 'policy_refresh_continuous_aggregate', 'continuous aggregate',
    pg_catalog.jsonb_build_object('start_offset', $2::text, 'end_offset', $3::text), $4, $5, $6) $$;
CREATE FUNCTION @extschema@.remove_continuous_aggregate_policy(continuous_aggregate regclass,
  if_not_exists boolean DEFAULT false, if_exists boolean DEFAULT NULL) RETURNS void LANGUAGE sql AS
  $$ SELECT _timescaledb_stand_in.remove_policy($1, 'policy_refresh_continuous_aggregate', 'continuous aggregate', coalesce($3, $2)) $$;
CREATE PROCEDURE @extschema@.refresh_continuous_aggregate(continuous_aggregate regclass, window_start anycompatible,
  window_end anycompatible, force boolean DEFAULT false) LANGUAGE plpgsql AS
  $$ BEGIN EXECUTE pg_catalog.format('REFRESH MATERIALIZED VIEW %s', continuous_aggregate); END $$;

CREATE FUNCTION @extschema@.add_job(proc regproc, schedule_interval interval, config jsonb DEFAULT NULL,
  initial_start timestamptz DEFAULT NULL, scheduled boolean DEFAULT true, check_config regproc DEFAULT NULL,
  fixed_schedule boolean DEFAULT true, timezone text DEFAULT NULL, job_name text DEFAULT NULL) RETURNS int LANGUAGE sql AS
  $$ INSERT INTO _timescaledb_stand_in.jobs (procedure, schedule, config, scheduled, next_start)
    VALUES ($1::text, $2, $3, $5, $4) RETURNING id $$;
CREATE FUNCTION @extschema@.delete_job(job_id int) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM _timescaledb_stand_in.jobs WHERE id = job_id;
  IF NOT FOUND THEN RAISE 'job % not found', job_id USING ERRCODE = '42704'; END IF;
END $$;
CREATE FUNCTION @extschema@.alter_job(job_id int, schedule_interval interval DEFAULT NULL, max_runtime interval DEFAULT NULL,
  max_retries int DEFAULT NULL, retry_period interval DEFAULT NULL, scheduled boolean DEFAULT NULL, config jsonb DEFAULT NULL,
  next_start timestamptz DEFAULT NULL, if_exists boolean DEFAULT false)
  RETURNS TABLE (job_id int, schedule_interval interval, scheduled boolean, config jsonb, next_start timestamptz)
  LANGUAGE sql AS $$
  UPDATE _timescaledb_stand_in.jobs SET schedule = coalesce($2, schedule), scheduled = coalesce($6, scheduled),
    config = coalesce($7, config), next_start = coalesce($8, next_start) WHERE id OPERATOR(pg_catalog.=) $1
    RETURNING id, schedule, scheduled, config, next_start
$$;

CREATE PROCEDURE @extschema@.run_job(job_id int) LANGUAGE plpgsql AS $$
DECLARE
  job _timescaledb_stand_in.jobs;
BEGIN
  SELECT * INTO job FROM _timescaledb_stand_in.jobs j WHERE j.id OPERATOR(pg_catalog.=) job_id;
  IF NOT FOUND THEN RAISE 'job % not found', job_id USING ERRCODE = '42704'; END IF;
  CASE job.procedure
    WHEN 'policy_retention' THEN
      PERFORM _timescaledb_stand_in.retain(job.relation, job.config OPERATOR(pg_catalog.->>) 'drop_after');
    WHEN 'policy_refresh_continuous_aggregate' THEN
      EXECUTE pg_catalog.format('REFRESH MATERIALIZED VIEW %s', job.relation);
    WHEN 'policy_compression', 'policy_reorder' THEN NULL;
    ELSE EXECUTE pg_catalog.format('CALL %s($1, $2)', job.procedure) USING job.id, job.config;
  END CASE;
END $$;

-- Drops older rows. For a dimension of numbers, "now" comes from the function that is set for it.
CREATE FUNCTION _timescaledb_stand_in.retain(hypertable regclass, age text) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  integer_now regproc := (SELECT h.integer_now FROM _timescaledb_stand_in.hypertables h WHERE relation = hypertable);
  current bigint;
BEGIN
  IF integer_now IS NULL THEN
    PERFORM _timescaledb_stand_in.drop_chunks(hypertable, age, NULL, true);
  ELSE
    EXECUTE format('SELECT %s()', integer_now) INTO current;
    PERFORM _timescaledb_stand_in.drop_chunks(hypertable, (current - age::bigint)::text, NULL, false);
  END IF;
END $$;
