-- There are no chunks. The chunks that TimescaleDB would have are computed from the rows, by the first dimension.

-- The expression that gives a row's place in its dimension, in the dimension's unit, and its type.
CREATE FUNCTION _timescaledb_stand_in.range_dimension(hypertable regclass, OUT place text, OUT kind regtype, OUT length bigint)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  named text;
BEGIN
  PERFORM _timescaledb_stand_in.check_hypertable(hypertable);
  SELECT quote_ident(attname), atttypid, d.length INTO named, kind, length FROM _timescaledb_stand_in.dimensions d
    JOIN pg_attribute ON attrelid = relation AND attnum = attribute
    WHERE relation = hypertable AND d.length IS NOT NULL ORDER BY d.id LIMIT 1;
  place := CASE WHEN kind::text LIKE 'time%' OR kind::text = 'date'
    THEN format('(extract(epoch FROM %s) * 1000000)', named) ELSE format('%s::numeric', named) END;
END $$;

CREATE FUNCTION _timescaledb_stand_in.chunks(hypertable regclass)
  RETURNS TABLE (chunk text, range_start bigint, range_end bigint)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  dimension record := _timescaledb_stand_in.range_dimension(hypertable);
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT format(''_timescaledb_internal._hyper_%%s_%%s_chunk'', $1, number), (number * $2)::bigint, ((number + 1) * $2)::bigint
     FROM (SELECT DISTINCT floor(%s / $2) AS number FROM %s) AS numbers ORDER BY number', dimension.place, hypertable)
    USING (SELECT id FROM _timescaledb_stand_in.hypertables WHERE relation = hypertable), dimension.length;
END $$;

-- A limit as a user gives it, in the dimension's unit: a time, an interval back from now, a number.
CREATE FUNCTION _timescaledb_stand_in.parse_limit(hypertable regclass, given text, is_interval boolean) RETURNS numeric
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  dimension record := _timescaledb_stand_in.range_dimension(hypertable);
BEGIN
  IF dimension.kind::text ~ 'int' THEN
    IF is_interval OR given !~ '^-?\d+$' THEN
      RAISE 'invalid time argument type for a dimension of %', dimension.kind USING ERRCODE = '22023';
    END IF;
    RETURN given::numeric;
  END IF;
  RETURN extract(epoch FROM CASE WHEN is_interval THEN now() - given::interval ELSE given::timestamptz END) * 1000000;
END $$;

CREATE FUNCTION _timescaledb_stand_in.choose_chunks(hypertable regclass, older text, newer text, is_interval boolean)
  RETURNS TABLE (chunk text, range_start bigint, range_end bigint)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT chunk, range_start, range_end FROM _timescaledb_stand_in.chunks($1)
  WHERE (older IS NULL OR range_end <= _timescaledb_stand_in.parse_limit($1, older, is_interval))
    AND (newer IS NULL OR range_start >= _timescaledb_stand_in.parse_limit($1, newer, is_interval));
$$;

CREATE FUNCTION _timescaledb_stand_in.drop_chunks(hypertable regclass, older text, newer text, is_interval boolean)
  RETURNS SETOF text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  dimension record := _timescaledb_stand_in.range_dimension(hypertable);
  dropped record;
BEGIN
  IF older IS NULL AND newer IS NULL THEN RAISE 'invalid time range for dropping chunks' USING ERRCODE = '22023',
    HINT = 'At least one of older_than and newer_than must be provided.';
  END IF;
  FOR dropped IN SELECT * FROM _timescaledb_stand_in.choose_chunks(hypertable, older, newer, is_interval) LOOP
    EXECUTE format('DELETE FROM %s WHERE %s >= $1 AND %2$s < $2', hypertable, dimension.place)
      USING dropped.range_start, dropped.range_end;
    RETURN NEXT dropped.chunk;
  END LOOP;
END $$;

-- Both limits must have the same type: only functions in C can read TimescaleDB's own "any".
CREATE FUNCTION @extschema@.show_chunks(relation regclass, older_than anycompatible DEFAULT NULL,
  newer_than anycompatible DEFAULT NULL) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT chunk FROM _timescaledb_stand_in.choose_chunks($1, $2::text, $3::text,
    pg_catalog.pg_typeof($2) OPERATOR(pg_catalog.=) 'interval'::pg_catalog.regtype);
$$;
CREATE FUNCTION @extschema@.drop_chunks(relation regclass, older_than anycompatible DEFAULT NULL,
  newer_than anycompatible DEFAULT NULL, "verbose" boolean DEFAULT false) RETURNS SETOF text LANGUAGE sql AS $$
  SELECT _timescaledb_stand_in.drop_chunks($1, $2::text, $3::text,
    pg_catalog.pg_typeof($2) OPERATOR(pg_catalog.=) 'interval'::pg_catalog.regtype);
$$;

-- Nothing is compressed.
CREATE FUNCTION @extschema@.compress_chunk(uncompressed_chunk text, if_not_compressed boolean DEFAULT true,
  recompress boolean DEFAULT false) RETURNS text LANGUAGE sql RETURN uncompressed_chunk;
CREATE FUNCTION @extschema@.decompress_chunk(uncompressed_chunk text, if_compressed boolean DEFAULT true)
  RETURNS text LANGUAGE sql RETURN uncompressed_chunk;
CREATE PROCEDURE @extschema@.convert_to_columnstore(chunk text, if_not_columnstore boolean DEFAULT true,
  recompress boolean DEFAULT false) LANGUAGE sql AS '';
CREATE PROCEDURE @extschema@.convert_to_rowstore(chunk text, if_columnstore boolean DEFAULT true) LANGUAGE sql AS '';
