/** Repairs the statistics of PostGIS columns. ANALYZE keeps the old ones if no row of its sample has a value. */
import { quoteText } from '#postgres/sql'
import { workSchema } from '../plan/expressions.ts'
import type { Plan } from '../plan/plan.ts'

/** The PostGIS types of columns, and of the values in their indexes. */
const types = "('geometry', 'geography', 'box2df', 'box3d', 'gidx')"

/** A condition for a column with a PostGIS type, or a domain over one. */
export const isShape = `exists (select from pg_type as shape left join pg_type as below on below.oid = shape.typbasetype
  where shape.oid = atttypid and (shape.typname in ${types} or below.typname in ${types}))`

/** A condition for a row of `pg_stats` of a PostGIS column. The view does not show its coordinates. */
export const holdsShapes = `exists (select from pg_attribute where attrelid = relation and pg_attribute.attname = pg_stats.attname and ${isShape})`

/** A condition for `from` without any value. query_to_xml() runs a query whose table is known only from a row. */
const isEmpty = (value: string, from: string) =>
  `query_to_xml(format('select 1 from %s where %s is not null limit 1', ${from}, ${value}), true, true, '')::text = ''`

/** A condition for a row of `stale`: its PostGIS column or index has no value. */
export const hasNoShapes = `exists (select from pg_attribute join pg_class as owner on owner.oid = attrelid left join pg_index as own on indexrelid = attrelid
  where attrelid = stale.relation and pg_attribute.attname = stale.attname and case when ${isShape} then
    ${isEmpty(
      "case owner.relkind when 'i' then pg_get_indexdef(attrelid, attnum, true) else quote_ident(pg_attribute.attname) end",
      "case when stale.inherited or owner.relkind <> 'r' then '' else 'only ' end || coalesce(indrelid, attrelid)::regclass",
    )} end)`

/** The coordinates of a shape of each kind: `P`, `Q` and `R` stand for points, `D` for their further dimensions, such as `zm`. */
const coordinates = {
  point: '(P)',
  linestring: '(P,Q)',
  polygon: '((P,Q,R,P))',
  multipoint: '((P))',
  multilinestring: '((P,Q))',
  multipolygon: '(((P,Q,R,P)))',
  geometrycollection: '(pointD(P))',
}

/** SQL for the text of a shape that fits the type of a column, such as `geometry(PointZ,4326)`; null for rare kinds of shapes. */
export const anyShape = `(
  select format('%s%s%s%s', 'SRID=' || substring(declared from ',(\\d+)\\)$') || ';', kind, dimensions,
      replace(replace(replace(replace(written, 'D', dimensions), 'P', '0 0' || more), 'Q', '0 1' || more), 'R', '1 1' || more))
  from format_type(atttypid, atttypmod) as own(declared),
    regexp_match(coalesce(substring(lower(declared) from '\\((\\w+)'), 'point'), '^(\\w+?)(zm?|m)?$') as part(found),
    lateral (select case found[1] when 'geometry' then 'point' else found[1] end, coalesce(found[2], '')) as made(kind, dimensions),
    lateral (select repeat(' 0', length(dimensions))) as rest(more),
    (values ${Object.entries(coordinates)
      .map(([kind, text]) => `(${quoteText(kind)}, ${quoteText(text)})`)
      .join()}) as shape(name, written)
  where name = kind)`

/**
 * Fills the PostGIS columns without values, and empties them after the next ANALYZE. ANALYZE then replaces the statistics
 * of these columns, and of the indexes, generated columns and materialized views computed from them.
 */
export function fillShapes({ derived }: Pick<Plan, 'derived'>): string {
  const views = derived.flatMap(({ name, isAggregate }) =>
    isAggregate ? [] : [quoteText(`refresh materialized view ${name}`)],
  )
  return `
  select format('update only %s set ', relation::regclass) || string_agg(format('%I = %L', attname, filling), ', ') as act,
    format('update only %s set ', relation::regclass) || string_agg(format('%I = null', attname), ', ') as undo
  from ${workSchema}.renewed join pg_class on pg_class.oid = relation and relkind = 'r' join pg_attribute on attrelid = relation,
    lateral (select ${anyShape}) as made(filling)
  where attnum > 0 and not attisdropped and attgenerated = '' and filling is not null
    and (root in (select other.root from ${workSchema}.stale join ${workSchema}.renewed as other using (relation) where ${hasNoShapes})
      or exists (select from ${workSchema}.stale join pg_class as view on view.oid = stale.relation where view.relkind = 'm'))
    and case when ${isShape} then ${isEmpty('quote_ident(attname)', "'only ' || relation::regclass")} end
    and not exists (select from pg_trigger where tgrelid = relation and not tgisinternal and tgenabled <> 'D')
  group by relation
  union all select act, act from unnest(array[${views.join()}]::text[]) as view(act)
  where exists (select from ${workSchema}.stale join pg_class on pg_class.oid = relation where relkind = 'm')`
}
