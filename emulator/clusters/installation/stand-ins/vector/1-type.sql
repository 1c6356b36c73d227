-- A vector is kept as the JSON text of its numbers. A type's input and output functions must be in C: those of json are
-- used.

DO $notice$ BEGIN
  PERFORM pg_catalog.set_config('client_min_messages', 'notice', true);
  RAISE NOTICE 'vector: this is a stand-in of the emulator, not pgvector'
    USING DETAIL = 'Distances are right, and slow: no index finds neighbours. Indexes take no options (WITH (lists = …)), '
      'and halfvec, sparsevec and the binary format are not there.',
      HINT = 'See docs/emulator.md, "Stand-ins".';
  -- Silences PostgreSQL's notices about a type that is not complete yet.
  PERFORM pg_catalog.set_config('client_min_messages', 'warning', true);
END $notice$;

CREATE TYPE vector;
CREATE FUNCTION vector_in(cstring) RETURNS vector LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'json_in';
CREATE FUNCTION vector_out(vector) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'json_out';
CREATE FUNCTION vector_typmod_in(cstring[]) RETURNS int LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'varchartypmodin';
CREATE FUNCTION vector_typmod_out(int) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'varchartypmodout';
CREATE TYPE vector (
  INPUT = vector_in, OUTPUT = vector_out, TYPMOD_IN = vector_typmod_in, TYPMOD_OUT = vector_typmod_out,
  INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external
);

CREATE FUNCTION vector_to_float4(vector, int, boolean) RETURNS real[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN pg_catalog.translate($1::text, '[]', '{}')::real[];

-- The type modifier is the number of dimensions plus 4, because varchar keeps it that way.
CREATE FUNCTION array_to_vector(numbers real[], typmod int, explicit boolean) RETURNS vector
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF cardinality(numbers) = 0 THEN RAISE 'vector must have at least 1 dimension' USING ERRCODE = '22000'; END IF;
  IF array_position(numbers, NULL) IS NOT NULL THEN RAISE 'array must not contain nulls' USING ERRCODE = '22004'; END IF;
  IF numbers && '{NaN,Infinity,-Infinity}'::real[] THEN
    RAISE 'NaN and infinite values are not allowed in vector' USING ERRCODE = '22000';
  END IF;
  IF typmod >= 0 AND cardinality(numbers) <> typmod - 4 THEN
    RAISE 'expected % dimensions, not %', typmod - 4, cardinality(numbers) USING ERRCODE = '22000';
  END IF;
  RETURN format('[%s]', array_to_string(numbers, ','))::@extschema@.vector;
END $$;
CREATE FUNCTION array_to_vector(numeric[], int, boolean) RETURNS vector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN @extschema@.array_to_vector($1::real[], $2, $3);
CREATE FUNCTION array_to_vector(double precision[], int, boolean) RETURNS vector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN @extschema@.array_to_vector($1::real[], $2, $3);
CREATE FUNCTION array_to_vector(int[], int, boolean) RETURNS vector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN @extschema@.array_to_vector($1::real[], $2, $3);
CREATE FUNCTION vector(vector, int, boolean) RETURNS vector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN @extschema@.array_to_vector(pg_catalog.translate($1::text, '[]', '{}')::real[], $2, $3);

CREATE CAST (vector AS vector) WITH FUNCTION vector(vector, int, boolean) AS IMPLICIT;
CREATE CAST (vector AS real[]) WITH FUNCTION vector_to_float4(vector, int, boolean) AS IMPLICIT;
CREATE CAST (real[] AS vector) WITH FUNCTION array_to_vector(real[], int, boolean) AS ASSIGNMENT;
CREATE CAST (double precision[] AS vector) WITH FUNCTION array_to_vector(double precision[], int, boolean) AS ASSIGNMENT;
CREATE CAST (numeric[] AS vector) WITH FUNCTION array_to_vector(numeric[], int, boolean) AS ASSIGNMENT;
CREATE CAST (int[] AS vector) WITH FUNCTION array_to_vector(int[], int, boolean) AS ASSIGNMENT;
