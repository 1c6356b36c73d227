/** Finds extensions, functions and views that can reach other servers or run programs. */

/** Extensions whose functions or workers reach other servers or run programs, apart from foreign data wrappers. */
const extensions =
  '{ai, aws_lambda, aws_s3, azure_storage, http, pg_background, pg_curl, pg_net, pglogical, plrust}'

/** Matches a call of their functions in source code. False matches are acceptable: the list is only shown. */
const callPattern =
  '\\mdblink(_\\w+)?\\s*\\(|\\mhttp(_\\w+)?\\s*\\(|\\mnet\\.http_|\\maws_(s3|lambda)\\.|\\mcopy\\M.*\\mprogram\\M'

const mostCallers = 50

const isOfExtension = (catalog: string) =>
  `exists (select from pg_depend where classid = '${catalog}'::regclass and objid = object.oid and deptype = 'e')`

const systemSchemas = "('pg_catalog'::regnamespace, 'information_schema'::regnamespace)"

/** A query for these extensions, and for functions and views that call one of their functions or use an untrusted language. */
export const callers = `
  (select current_database()::text as database, 'extension ' || extname as name from pg_extension as extension
    where extname = any ('${extensions}') or exists (select from pg_depend
      where refclassid = 'pg_extension'::regclass and refobjid = extension.oid and deptype = 'e'
        and (classid = 'pg_foreign_data_wrapper'::regclass
          or classid = 'pg_language'::regclass and objid in (select oid from pg_language where not lanpltrusted)))
    order by extname)
  union all
  (select current_database()::text, format('function %s', object.oid::regprocedure)
    from pg_proc as object join pg_language on pg_language.oid = prolang
    where pronamespace not in ${systemSchemas} and not ${isOfExtension('pg_proc')}
      and (not lanpltrusted and lanname not in ('internal', 'c') or prosrc ~* '${callPattern}'
        -- The body of a function with BEGIN ATOMIC is stored parsed.
        or prosqlbody is not null and pg_get_function_sqlbody(object.oid) ~* '${callPattern}')
    order by 2 limit ${mostCallers})
  union all
  (select current_database()::text, format('view %s', object.oid::regclass) from pg_class as object
    where relkind in ('v', 'm') and relnamespace not in ${systemSchemas} and not ${isOfExtension('pg_class')}
      -- There may be thousands of views, and few that call more than PostgreSQL's own functions.
      and case when exists (select from pg_rewrite join pg_depend on classid = 'pg_rewrite'::regclass and objid = pg_rewrite.oid
          where ev_class = object.oid and refclassid = 'pg_proc'::regclass)
        then pg_get_viewdef(object.oid) ~* '${callPattern}' else false end
    order by 2 limit ${mostCallers})`
