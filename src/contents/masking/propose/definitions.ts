/** Reads how the schema's definitions use each column. */
import { queryRows, type Session } from '#postgres/session'

export interface Use {
  table: string
  name: string
  /** Its type or a constraint lists its values, or a definition compares it with literals, as for a status. */
  isListed: boolean
  /** A constraint restricts its values, other than by a length that all new values have. */
  hasCheck: boolean
  /** New rows get a non-empty default text. */
  hasDefaultText: boolean
}

/** `status = 'open'` and its variants, with the casts and lists that PostgreSQL adds. The group captures the name. */
const comparison = String.raw`(\w+)"?(?:\)?::[\w ]+\)?)? *(?:=|<>|!=|\min\M)\s*(?:any)?[ (]*(?:array\[)?[ (]*''(?!\{\}|\[\])[^'']`

/** Rules write at most 100 characters, or as many as before. */
const lengthCheck = String.raw`^CHECK \(\((char_|character_)?length\(\(?("[^"]+"|\w+)\)?(::text)?\) <= [0-9]{3,}\)\)( NOT VALID)?$`

/** Definitions with their tables: constraints, indexes, views, policies, and functions that name a table. */
const usesQuery = `with definition(ids, text) as (
    select array[conrelid], pg_get_constraintdef(oid) from pg_constraint where contype = 'c' and conrelid <> 0
    union all select array[indrelid], pg_get_expr(indpred, indrelid) from pg_index where indpred is not null
    union all select array[polrelid], concat(pg_get_expr(polqual, polrelid), ' ', pg_get_expr(polwithcheck, polrelid)) from pg_policy
    union all select array_agg(distinct refobjid), pg_get_viewdef(ev_class) from pg_rewrite
      join pg_depend on classid = 'pg_rewrite'::regclass and objid = pg_rewrite.oid and refclassid = 'pg_class'::regclass
      join pg_class as view on view.oid = ev_class where relkind in ('v', 'm') and refobjid <> ev_class and ev_class >= 16384 group by ev_class
    union all select array_agg(class.oid), prosrc from pg_proc join pg_class as class on relkind in ('r', 'p')
      and not relispartition and class.oid >= 16384 and strpos(prosrc, relname::text) > 0
      where pg_proc.oid >= 16384 and prosrc ~ '''' and not exists (select from pg_depend
        where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e') group by pg_proc.oid),
  compared(ids, name) as (select ids, lower(found[1]) from definition, regexp_matches(text, '${comparison}', 'gi') as found),
  listed(id, name) as materialized (select distinct id, name from compared, unnest(ids) as id)
  select attrelid::text as table, attname::text as name,
    coalesce(type.typtype = 'e' or element.typtype = 'e', false)
      or (attrelid, lower(attname)) in (select id, name from listed) as "isListed",
    exists (select from pg_constraint where conrelid = attrelid and contype = 'c' and attnum = any (conkey)
      and pg_get_constraintdef(oid) !~ '${lengthCheck}') as "hasCheck",
    coalesce(pg_get_expr(adbin, adrelid) ~ '^''[^'']+''::', false) as "hasDefaultText"
  from pg_attribute join pg_class as class on class.oid = attrelid join pg_type as type on type.oid = atttypid
    left join pg_type as element on element.oid = type.typelem and type.typcategory = 'A'
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attnum > 0 and not attisdropped and relkind in ('r', 'p') and not relispartition and attrelid >= 16384`

export const readUses = (session: Session): Promise<Use[]> => queryRows(session, usesQuery)
