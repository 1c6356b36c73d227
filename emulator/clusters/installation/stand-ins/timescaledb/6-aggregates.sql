-- first and last: the value of the row with the least or the greatest time. Both are kept as text, which reads back the same.

CREATE FUNCTION _timescaledb_stand_in.keep_first(state text[], value anyelement, "time" anycompatible) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  known "time"%TYPE := state[2];
BEGIN
  RETURN CASE WHEN "time" IS NULL OR known <= "time" THEN state ELSE ARRAY[value::text, "time"::text] END;
END $$;
CREATE FUNCTION _timescaledb_stand_in.keep_last(state text[], value anyelement, "time" anycompatible) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  known "time"%TYPE := state[2];
BEGIN
  RETURN CASE WHEN "time" IS NULL OR known >= "time" THEN state ELSE ARRAY[value::text, "time"::text] END;
END $$;
CREATE FUNCTION _timescaledb_stand_in.kept(state text[], value anyelement, "time" anycompatible) RETURNS anyelement
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  found value%TYPE := state[1];
BEGIN
  RETURN found;
END $$;
CREATE AGGREGATE @extschema@.first(anyelement, anycompatible) (
  SFUNC = _timescaledb_stand_in.keep_first, STYPE = text[],
  FINALFUNC = _timescaledb_stand_in.kept, FINALFUNC_EXTRA, PARALLEL = SAFE
);
CREATE AGGREGATE @extschema@.last(anyelement, anycompatible) (
  SFUNC = _timescaledb_stand_in.keep_last, STYPE = text[],
  FINALFUNC = _timescaledb_stand_in.kept, FINALFUNC_EXTRA, PARALLEL = SAFE
);

-- How many values are in each of so many equal parts of a range, with those below it first and those above it last.
CREATE FUNCTION _timescaledb_stand_in.count_in(state int[], value double precision, "min" double precision,
  "max" double precision, nbuckets int) RETURNS int[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  place int := pg_catalog.width_bucket(value, "min", "max", nbuckets) + 1;
BEGIN
  state := coalesce(state, pg_catalog.array_fill(0, ARRAY[nbuckets + 2]));
  IF place IS NOT NULL THEN state[place] := state[place] + 1; END IF;
  RETURN state;
END $$;
CREATE AGGREGATE @extschema@.histogram(double precision, double precision, double precision, int) (
  SFUNC = _timescaledb_stand_in.count_in, STYPE = int[], PARALLEL = SAFE
);
