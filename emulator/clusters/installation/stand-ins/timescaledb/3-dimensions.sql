-- Changes of dimensions, and sizes.

CREATE FUNCTION @extschema@.set_chunk_time_interval(hypertable regclass, chunk_time_interval anyelement,
  dimension_name name DEFAULT NULL) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM _timescaledb_stand_in.check_hypertable(hypertable);
  UPDATE _timescaledb_stand_in.dimensions d
    SET length = _timescaledb_stand_in.chunk_length(atttypid, chunk_time_interval::text)
    FROM pg_attribute WHERE relation = hypertable AND d.length IS NOT NULL AND attrelid = relation
      AND attnum = attribute AND attname = coalesce(dimension_name, attname);
  IF NOT FOUND THEN RAISE 'hypertable "%" has no open dimension of that name', hypertable USING ERRCODE = 'TS201'; END IF;
END $$;

CREATE FUNCTION @extschema@.set_partitioning_interval(hypertable regclass, partition_interval anyelement,
  dimension_name name DEFAULT NULL) RETURNS void LANGUAGE sql AS
  $$ SELECT @extschema@.set_chunk_time_interval($1, $2, $3) $$;

CREATE FUNCTION @extschema@.set_number_partitions(hypertable regclass, number_partitions int,
  dimension_name name DEFAULT NULL) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM _timescaledb_stand_in.check_hypertable(hypertable);
  UPDATE _timescaledb_stand_in.dimensions d SET partitions = number_partitions
    FROM pg_attribute WHERE relation = hypertable AND d.length IS NULL AND attrelid = relation
      AND attnum = attribute AND attname = coalesce(dimension_name, attname);
  IF NOT FOUND THEN RAISE 'hypertable "%" has no closed dimension of that name', hypertable USING ERRCODE = 'TS201'; END IF;
END $$;

CREATE FUNCTION @extschema@.set_integer_now_func(hypertable regclass, integer_now_func regproc,
  replace_if_exists boolean DEFAULT false) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM _timescaledb_stand_in.check_hypertable(hypertable);
  UPDATE _timescaledb_stand_in.hypertables SET integer_now = integer_now_func
    WHERE relation = hypertable AND (integer_now IS NULL OR replace_if_exists);
  IF NOT FOUND THEN RAISE 'custom time function already set for hypertable "%"', hypertable USING ERRCODE = 'TS001'; END IF;
END $$;

CREATE FUNCTION @extschema@.hypertable_size(hypertable regclass) RETURNS bigint LANGUAGE sql
  RETURN pg_catalog.pg_total_relation_size(hypertable);
CREATE FUNCTION @extschema@.hypertable_approximate_size(relation regclass) RETURNS bigint LANGUAGE sql
  RETURN pg_catalog.pg_total_relation_size(relation);
CREATE FUNCTION @extschema@.hypertable_index_size(index_name regclass) RETURNS bigint LANGUAGE sql
  RETURN pg_catalog.pg_relation_size(index_name);
CREATE FUNCTION @extschema@.hypertable_detailed_size(hypertable regclass)
  RETURNS TABLE (table_bytes bigint, index_bytes bigint, toast_bytes bigint, total_bytes bigint, node_name name)
  LANGUAGE sql AS $$
  SELECT pg_catalog.pg_relation_size($1), pg_catalog.pg_indexes_size($1),
    pg_catalog.pg_table_size($1) OPERATOR(pg_catalog.-) pg_catalog.pg_relation_size($1),
    pg_catalog.pg_total_relation_size($1), NULL::name;
$$;
CREATE FUNCTION @extschema@.approximate_row_count(relation regclass) RETURNS bigint LANGUAGE sql STABLE AS
  $$ SELECT greatest(reltuples, 0)::bigint FROM pg_catalog.pg_class WHERE oid OPERATOR(pg_catalog.=) $1 $$;
CREATE FUNCTION @extschema@.timescaledb_pre_restore() RETURNS boolean LANGUAGE sql RETURN true;
CREATE FUNCTION @extschema@.timescaledb_post_restore() RETURNS boolean LANGUAGE sql RETURN true;
