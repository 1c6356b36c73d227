-- Hypertables and their dimensions.

-- The length of a chunk. For a column of times it is in microseconds, and a plain number means microseconds as well.
CREATE FUNCTION _timescaledb_stand_in.chunk_length(kind regtype, length text) RETURNS bigint
  LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF kind IN ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype) THEN
    IF length IS NULL THEN RETURN 7 * 86400000000; END IF;
    IF length ~ '^\d+$' THEN RETURN length::bigint; END IF;
    RETURN (extract(epoch FROM length::interval) * 1000000)::bigint;
  ELSIF kind IN ('smallint'::regtype, 'int'::regtype, 'bigint'::regtype) THEN
    IF length IS NULL THEN RAISE 'integer dimensions require an explicit interval' USING ERRCODE = '22023'; END IF;
    IF length !~ '^\d+$' THEN
      RAISE 'invalid interval type for % dimension', format_type(kind, NULL) USING ERRCODE = '22023';
    END IF;
    RETURN length::bigint;
  END IF;
  RAISE 'invalid type for dimension: %', format_type(kind, NULL)
    USING ERRCODE = '22023', HINT = 'Use an integer, timestamp, or date type.';
END $$;

CREATE FUNCTION _timescaledb_stand_in.add_dimension(hypertable regclass, dimension _timescaledb_internal.dimension_info)
  RETURNS int LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  col pg_attribute;
  added int;
BEGIN
  SELECT * INTO col FROM pg_attribute
    WHERE attrelid = hypertable AND attname = dimension.column_name AND attnum > 0 AND NOT attisdropped;
  IF NOT FOUND THEN RAISE 'column "%" does not exist', dimension.column_name USING ERRCODE = '42703'; END IF;
  IF dimension.partitions NOT BETWEEN 1 AND 32767 THEN
    RAISE 'invalid number of partitions for dimension "%"', dimension.column_name
      USING ERRCODE = '22023', HINT = 'A closed (space) dimension must specify between 1 and 32767 partitions.';
  END IF;
  IF EXISTS (SELECT FROM pg_index WHERE indrelid = hypertable AND indisunique AND col.attnum <> ALL (indkey)) THEN
    RAISE 'cannot create a unique index without the column "%" (used in partitioning)', dimension.column_name
      USING ERRCODE = 'TS103',
      HINT = 'If you''re creating a hypertable on a table with a primary key, ensure the partitioning column is part of the primary or composite key.';
  END IF;
  INSERT INTO _timescaledb_stand_in.dimensions (relation, attribute, length, partitions)
    VALUES (hypertable, col.attnum, CASE WHEN dimension.partitions IS NULL
      THEN _timescaledb_stand_in.chunk_length(col.atttypid, dimension.length) END, dimension.partitions)
    RETURNING id INTO added;
  IF NOT col.attnotnull AND dimension.partitions IS NULL THEN
    RAISE NOTICE 'adding not-null constraint to column "%"', dimension.column_name
      USING DETAIL = 'Dimensions cannot have NULL values.';
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL', hypertable, dimension.column_name);
  END IF;
  RETURN added;
END $$;

-- Makes the table a hypertable; null if it is one already and that is allowed.
CREATE FUNCTION _timescaledb_stand_in.make_hypertable(hypertable regclass,
  dimensions _timescaledb_internal.dimension_info[], create_default_indexes boolean, if_not_exists boolean,
  migrate_data boolean) RETURNS int LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  made int;
  dimension _timescaledb_internal.dimension_info;
  kind "char" := (SELECT relkind FROM pg_class WHERE oid = hypertable);
  is_filled boolean;
BEGIN
  IF EXISTS (SELECT FROM _timescaledb_stand_in.hypertables WHERE relation = hypertable) THEN
    IF NOT if_not_exists THEN RAISE 'table "%" is already a hypertable', hypertable USING ERRCODE = 'TS110'; END IF;
    RAISE NOTICE 'table "%" is already a hypertable, skipping', hypertable;
    RETURN NULL;
  END IF;
  IF kind = 'p' THEN
    RAISE 'table "%" is already partitioned', hypertable
      USING ERRCODE = '42809', DETAIL = 'It is not possible to turn partitioned tables into hypertables.';
  ELSIF kind <> 'r' THEN
    RAISE 'invalid relation type' USING ERRCODE = '42809';
  END IF;
  EXECUTE format('SELECT EXISTS (SELECT FROM %s)', hypertable) INTO is_filled;
  IF is_filled AND NOT migrate_data THEN
    RAISE 'table "%" is not empty', hypertable USING ERRCODE = '0A000',
      HINT = 'You can migrate data by specifying ''migrate_data => true'' when calling this function.';
  END IF;
  INSERT INTO _timescaledb_stand_in.hypertables (relation) VALUES (hypertable) RETURNING id INTO made;
  FOREACH dimension IN ARRAY dimensions LOOP
    PERFORM _timescaledb_stand_in.add_dimension(hypertable, dimension);
  END LOOP;
  IF create_default_indexes AND NOT EXISTS (SELECT FROM pg_index
    JOIN _timescaledb_stand_in.dimensions ON relation = indrelid AND attribute = indkey[0] AND length IS NOT NULL
    WHERE indrelid = hypertable) THEN
    EXECUTE format('CREATE INDEX ON %s (%I DESC)', hypertable, dimensions[1].column_name);
  END IF;
  RETURN made;
END $$;

CREATE FUNCTION @extschema@.create_hypertable(relation regclass, time_column_name name,
  partitioning_column name DEFAULT NULL, number_partitions int DEFAULT NULL,
  associated_schema_name name DEFAULT NULL, associated_table_prefix name DEFAULT NULL,
  chunk_time_interval anyelement DEFAULT NULL::bigint, create_default_indexes boolean DEFAULT true,
  if_not_exists boolean DEFAULT false, partitioning_func regproc DEFAULT NULL, migrate_data boolean DEFAULT false,
  chunk_target_size text DEFAULT NULL, chunk_sizing_func regproc DEFAULT NULL,
  time_partitioning_func regproc DEFAULT NULL)
  RETURNS TABLE (hypertable_id int, schema_name name, table_name name, created boolean)
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  dimensions _timescaledb_internal.dimension_info[] := ARRAY[ROW(time_column_name, chunk_time_interval::text, NULL)];
  made int;
BEGIN
  IF partitioning_column IS NOT NULL THEN
    dimensions := dimensions || ROW(partitioning_column, NULL, coalesce(number_partitions, 0))::_timescaledb_internal.dimension_info;
  END IF;
  made := _timescaledb_stand_in.make_hypertable(relation, dimensions, create_default_indexes, if_not_exists, migrate_data);
  RETURN QUERY SELECT h.id, c.relnamespace::regnamespace::text::name, c.relname, made IS NOT NULL
    FROM _timescaledb_stand_in.hypertables h JOIN pg_class c ON c.oid = h.relation
    WHERE h.relation = create_hypertable.relation;
END $$;

CREATE FUNCTION @extschema@.create_hypertable(relation regclass, dimension _timescaledb_internal.dimension_info,
  create_default_indexes boolean DEFAULT true, if_not_exists boolean DEFAULT false, migrate_data boolean DEFAULT false)
  RETURNS TABLE (hypertable_id int, created boolean)
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  made int := _timescaledb_stand_in.make_hypertable(relation, ARRAY[dimension], create_default_indexes, if_not_exists, migrate_data);
BEGIN
  RETURN QUERY SELECT h.id, made IS NOT NULL FROM _timescaledb_stand_in.hypertables h
    WHERE h.relation = create_hypertable.relation;
END $$;

-- The hypertable's id; refuses a table that is no hypertable.
CREATE FUNCTION _timescaledb_stand_in.check_hypertable(hypertable regclass) RETURNS int
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found int := (SELECT id FROM _timescaledb_stand_in.hypertables WHERE relation = hypertable);
BEGIN
  IF found IS NULL THEN RAISE 'table "%" is not a hypertable', hypertable USING ERRCODE = 'TS101'; END IF;
  RETURN found;
END $$;

CREATE FUNCTION @extschema@.add_dimension(hypertable regclass, dimension _timescaledb_internal.dimension_info,
  if_not_exists boolean DEFAULT false) RETURNS TABLE (dimension_id int, created boolean)
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  known int := (SELECT id FROM _timescaledb_stand_in.dimensions JOIN pg_attribute ON attrelid = relation AND attnum = attribute
    WHERE relation = hypertable AND attname = dimension.column_name);
BEGIN
  PERFORM _timescaledb_stand_in.check_hypertable(hypertable);
  IF known IS NULL THEN
    RETURN QUERY SELECT _timescaledb_stand_in.add_dimension(hypertable, dimension), true;
  ELSIF if_not_exists THEN
    RAISE NOTICE 'column "%" is already a dimension, skipping', dimension.column_name;
    RETURN QUERY SELECT known, false;
  ELSE
    RAISE 'column "%" is already a dimension', dimension.column_name USING ERRCODE = 'TS202';
  END IF;
END $$;

CREATE FUNCTION @extschema@.add_dimension(hypertable regclass, column_name name, number_partitions int DEFAULT NULL,
  chunk_time_interval anyelement DEFAULT NULL::bigint, partitioning_func regproc DEFAULT NULL,
  if_not_exists boolean DEFAULT false)
  RETURNS TABLE (dimension_id int, schema_name name, table_name name, column_name name, created boolean)
  LANGUAGE sql AS $$
  SELECT d.dimension_id, relnamespace::pg_catalog.regnamespace::text::name, relname, $2, d.created
  FROM @extschema@.add_dimension($1, ROW($2, $4::text, $3)::_timescaledb_internal.dimension_info, $6) AS d,
    pg_catalog.pg_class WHERE oid OPERATOR(pg_catalog.=) $1;
$$;
