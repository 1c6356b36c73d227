-- Distances, arithmetic, comparison.

CREATE FUNCTION vector_dims(vector) RETURNS int LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN pg_catalog.cardinality($1::real[]);

-- The numbers of two vectors in pairs.
CREATE FUNCTION vector_pairs(one vector, two vector) RETURNS TABLE (a double precision, b double precision)
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, @extschema@, pg_temp AS $$
BEGIN
  IF vector_dims(one) <> vector_dims(two) THEN
    RAISE 'different vector dimensions % and %', vector_dims(one), vector_dims(two) USING ERRCODE = '22000';
  END IF;
  RETURN QUERY SELECT x::double precision, y::double precision FROM unnest(one::real[], two::real[]) AS pair (x, y);
END $$;

CREATE FUNCTION l2_distance(vector, vector) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  BEGIN ATOMIC SELECT sqrt(sum((a - b) * (a - b))) FROM vector_pairs($1, $2); END;
CREATE FUNCTION inner_product(vector, vector) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  BEGIN ATOMIC SELECT sum(a * b) FROM vector_pairs($1, $2); END;
CREATE FUNCTION vector_negative_inner_product(vector, vector) RETURNS double precision
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE BEGIN ATOMIC SELECT -sum(a * b) FROM vector_pairs($1, $2); END;
CREATE FUNCTION cosine_distance(vector, vector) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  BEGIN ATOMIC
    SELECT CASE WHEN sum(a * a) * sum(b * b) = 0 THEN 'NaN'::double precision
      ELSE 1 - greatest(-1, least(1, sum(a * b) / sqrt(sum(a * a) * sum(b * b)))) END FROM vector_pairs($1, $2);
  END;
CREATE FUNCTION l1_distance(vector, vector) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  BEGIN ATOMIC SELECT sum(abs(a - b)) FROM vector_pairs($1, $2); END;
CREATE FUNCTION vector_norm(vector) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  BEGIN ATOMIC SELECT sqrt(sum(a * b)) FROM vector_pairs($1, $1); END;
CREATE FUNCTION l2_normalize(vector) RETURNS vector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  BEGIN ATOMIC SELECT CASE WHEN vector_norm($1) = 0 THEN $1
    ELSE array_to_vector(array_agg((a / vector_norm($1))::real), -1, true) END FROM vector_pairs($1, $1); END;
CREATE FUNCTION subvector(vector, int, int) RETURNS vector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN array_to_vector(($1::real[])[$2 : $2 + $3 - 1], -1, true);
CREATE FUNCTION vector_add(vector, vector) RETURNS vector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  BEGIN ATOMIC SELECT array_to_vector(array_agg((a + b)::real), -1, true) FROM vector_pairs($1, $2); END;
CREATE FUNCTION vector_sub(vector, vector) RETURNS vector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  BEGIN ATOMIC SELECT array_to_vector(array_agg((a - b)::real), -1, true) FROM vector_pairs($1, $2); END;
CREATE FUNCTION vector_mul(vector, vector) RETURNS vector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  BEGIN ATOMIC SELECT array_to_vector(array_agg((a * b)::real), -1, true) FROM vector_pairs($1, $2); END;

CREATE OPERATOR <-> (LEFTARG = vector, RIGHTARG = vector, FUNCTION = l2_distance, COMMUTATOR = '<->');
CREATE OPERATOR <#> (LEFTARG = vector, RIGHTARG = vector, FUNCTION = vector_negative_inner_product, COMMUTATOR = '<#>');
CREATE OPERATOR <=> (LEFTARG = vector, RIGHTARG = vector, FUNCTION = cosine_distance, COMMUTATOR = '<=>');
CREATE OPERATOR <+> (LEFTARG = vector, RIGHTARG = vector, FUNCTION = l1_distance, COMMUTATOR = '<+>');
CREATE OPERATOR + (LEFTARG = vector, RIGHTARG = vector, FUNCTION = vector_add, COMMUTATOR = +);
CREATE OPERATOR - (LEFTARG = vector, RIGHTARG = vector, FUNCTION = vector_sub);
CREATE OPERATOR * (LEFTARG = vector, RIGHTARG = vector, FUNCTION = vector_mul, COMMUTATOR = *);

-- The first vector decides the number of dimensions of an empty state.
CREATE FUNCTION vector_accum(state double precision[], vector) RETURNS double precision[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN $2 IS NULL THEN state WHEN state IS NULL THEN 1::double precision || ($2::real[])::double precision[]
    ELSE ARRAY(SELECT x + y FROM unnest(state, 1::double precision || ($2::real[])::double precision[]) AS pair (x, y)) END;
CREATE FUNCTION vector_avg(state double precision[]) RETURNS vector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN array_to_vector(ARRAY(SELECT (x / state[1])::real FROM unnest(state[2:]) AS x), -1, true);
CREATE FUNCTION vector_sum(state double precision[]) RETURNS vector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN array_to_vector((state[2:])::real[], -1, true);
CREATE AGGREGATE avg(vector) (SFUNC = vector_accum, STYPE = double precision[], FINALFUNC = vector_avg, PARALLEL = SAFE);
CREATE AGGREGATE sum(vector) (SFUNC = vector_accum, STYPE = double precision[], FINALFUNC = vector_sum, PARALLEL = SAFE);
