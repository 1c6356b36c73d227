-- time_bucket: the beginning of the bucket that a value is in. Buckets of months begin with a month, all others are counted
-- from Monday, 3 January 2000, unless an origin is given.

CREATE FUNCTION _timescaledb_stand_in.bucket(width interval, ts timestamp, origin timestamp) RETURNS timestamp
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  months int := extract(year FROM width) * 12 + extract(month FROM width);
  first int;
  number int;
BEGIN
  IF width IS NULL OR ts IS NULL THEN RETURN NULL; END IF;
  IF width <= interval '0' THEN RAISE 'period must be greater than 0' USING ERRCODE = '22023'; END IF;
  IF NOT isfinite(ts) THEN RETURN ts; END IF;
  IF months = 0 THEN RETURN date_bin(width, ts, coalesce(origin, timestamp '2000-01-03')); END IF;
  IF width <> make_interval(months => months) OR extract(day FROM width) <> 0 THEN
    RAISE 'month intervals cannot have day or time component' USING ERRCODE = '0A000';
  END IF;
  origin := coalesce(origin, timestamp '2000-01-01');
  first := extract(year FROM origin) * 12 + extract(month FROM origin) - 1;
  number := extract(year FROM ts) * 12 + extract(month FROM ts) - 1;
  number := first + floor((number - first)::numeric / months)::int * months;
  RETURN make_date(number / 12, number % 12 + 1, 1);
END $$;

CREATE FUNCTION @extschema@.time_bucket(bucket_width interval, ts timestamp) RETURNS timestamp
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT RETURN _timescaledb_stand_in.bucket(bucket_width, ts, NULL);
CREATE FUNCTION @extschema@.time_bucket(bucket_width interval, ts timestamp, origin timestamp) RETURNS timestamp
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT RETURN _timescaledb_stand_in.bucket(bucket_width, ts, origin);
CREATE FUNCTION @extschema@.time_bucket(bucket_width interval, ts timestamp, "offset" interval) RETURNS timestamp
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN _timescaledb_stand_in.bucket(bucket_width, ts - "offset", NULL) + "offset";

CREATE FUNCTION @extschema@.time_bucket(bucket_width interval, ts timestamptz) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN _timescaledb_stand_in.bucket(bucket_width, ts AT TIME ZONE 'UTC', NULL) AT TIME ZONE 'UTC';
CREATE FUNCTION @extschema@.time_bucket(bucket_width interval, ts timestamptz, origin timestamptz) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN _timescaledb_stand_in.bucket(bucket_width, ts AT TIME ZONE 'UTC', origin AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
CREATE FUNCTION @extschema@.time_bucket(bucket_width interval, ts timestamptz, "offset" interval) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN (_timescaledb_stand_in.bucket(bucket_width, (ts AT TIME ZONE 'UTC') - "offset", NULL) + "offset") AT TIME ZONE 'UTC';
CREATE FUNCTION @extschema@.time_bucket(bucket_width interval, ts timestamptz, timezone text,
  origin timestamptz DEFAULT NULL, "offset" interval DEFAULT NULL) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (_timescaledb_stand_in.bucket(bucket_width, (ts AT TIME ZONE timezone) - coalesce("offset", interval '0'),
    origin AT TIME ZONE timezone) + coalesce("offset", interval '0')) AT TIME ZONE timezone;

CREATE FUNCTION @extschema@.time_bucket(bucket_width interval, ts date) RETURNS date
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN _timescaledb_stand_in.bucket(bucket_width, ts::timestamp, NULL)::date;
CREATE FUNCTION @extschema@.time_bucket(bucket_width interval, ts date, origin date) RETURNS date
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN _timescaledb_stand_in.bucket(bucket_width, ts::timestamp, origin::timestamp)::date;
CREATE FUNCTION @extschema@.time_bucket(bucket_width interval, ts date, "offset" interval) RETURNS date
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN (_timescaledb_stand_in.bucket(bucket_width, ts - "offset", NULL) + "offset")::date;

CREATE FUNCTION _timescaledb_stand_in.bucket(width numeric, ts numeric, shift numeric) RETURNS numeric
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF width <= 0 THEN RAISE 'period must be greater than 0' USING ERRCODE = '22023'; END IF;
  RETURN floor((ts - shift) / width) * width + shift;
END $$;
DO $each$
DECLARE
  kind text;
BEGIN
  FOREACH kind IN ARRAY ARRAY['smallint', 'int', 'bigint'] LOOP
    EXECUTE format($make$
      CREATE FUNCTION @extschema@.time_bucket(bucket_width %1$s, ts %1$s) RETURNS %1$s
        LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT RETURN _timescaledb_stand_in.bucket(bucket_width, ts, 0)::%1$s;
      CREATE FUNCTION @extschema@.time_bucket(bucket_width %1$s, ts %1$s, "offset" %1$s) RETURNS %1$s
        LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT RETURN _timescaledb_stand_in.bucket(bucket_width, ts, "offset")::%1$s;
    $make$, kind);
  END LOOP;
END $each$;
