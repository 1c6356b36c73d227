-- Comparison, and indexes. The methods hnsw and ivfflat make hash indexes, which take vectors of any length but find no
-- neighbours.

CREATE FUNCTION vector_cmp(vector, vector) RETURNS int LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN pg_catalog.btarraycmp($1::real[], $2::real[]);
DO $each$
DECLARE
  sign text;
  name text;
BEGIN
  FOR sign, name IN VALUES ('<', 'lt'), ('<=', 'le'), ('=', 'eq'), ('<>', 'ne'), ('>=', 'ge'), ('>', 'gt') LOOP
    EXECUTE format('CREATE FUNCTION @extschema@.vector_%s(@extschema@.vector, @extschema@.vector) RETURNS boolean
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::real[] OPERATOR(pg_catalog.%s) $2::real[]', name, sign);
  END LOOP;
END $each$;
CREATE OPERATOR < (LEFTARG = vector, RIGHTARG = vector, FUNCTION = vector_lt, COMMUTATOR = >, NEGATOR = >=);
CREATE OPERATOR <= (LEFTARG = vector, RIGHTARG = vector, FUNCTION = vector_le, COMMUTATOR = >=, NEGATOR = >);
CREATE OPERATOR = (LEFTARG = vector, RIGHTARG = vector, FUNCTION = vector_eq, COMMUTATOR = =, NEGATOR = <>);
CREATE OPERATOR <> (LEFTARG = vector, RIGHTARG = vector, FUNCTION = vector_ne, COMMUTATOR = <>, NEGATOR = =);
CREATE OPERATOR >= (LEFTARG = vector, RIGHTARG = vector, FUNCTION = vector_ge, COMMUTATOR = <=, NEGATOR = <);
CREATE OPERATOR > (LEFTARG = vector, RIGHTARG = vector, FUNCTION = vector_gt, COMMUTATOR = <, NEGATOR = <=);
CREATE OPERATOR CLASS vector_ops DEFAULT FOR TYPE vector USING btree AS
  OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 vector_cmp(vector, vector);

CREATE FUNCTION vector_hash(vector) RETURNS int LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN pg_catalog.hash_array($1::real[]);
CREATE ACCESS METHOD hnsw TYPE INDEX HANDLER hashhandler;
CREATE ACCESS METHOD ivfflat TYPE INDEX HANDLER hashhandler;
CREATE OPERATOR CLASS vector_l2_ops FOR TYPE vector USING hnsw AS OPERATOR 1 =, FUNCTION 1 vector_hash(vector);
CREATE OPERATOR CLASS vector_ip_ops FOR TYPE vector USING hnsw AS OPERATOR 1 =, FUNCTION 1 vector_hash(vector);
CREATE OPERATOR CLASS vector_cosine_ops FOR TYPE vector USING hnsw AS OPERATOR 1 =, FUNCTION 1 vector_hash(vector);
CREATE OPERATOR CLASS vector_l1_ops FOR TYPE vector USING hnsw AS OPERATOR 1 =, FUNCTION 1 vector_hash(vector);
CREATE OPERATOR CLASS vector_l2_ops DEFAULT FOR TYPE vector USING ivfflat AS OPERATOR 1 =, FUNCTION 1 vector_hash(vector);
CREATE OPERATOR CLASS vector_ip_ops FOR TYPE vector USING ivfflat AS OPERATOR 1 =, FUNCTION 1 vector_hash(vector);
CREATE OPERATOR CLASS vector_cosine_ops FOR TYPE vector USING ivfflat AS OPERATOR 1 =, FUNCTION 1 vector_hash(vector);
