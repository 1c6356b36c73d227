import { isCounted } from '../mask/progress.ts'
import { rowsOf, tableName } from '../plan/catalog.ts'
import { foreignObjects, isNameOfExtension } from '../plan/catalog-queries.ts'
import { quoteText } from '../plan/expressions.ts'
import type { Plan, PlannedColumn, PlannedTable } from '../plan/planned.ts'
import { isOwnComment, isOwnFunction, textsOfDefinitions } from './definitions.ts'
import { bytesAsText, textOf } from './texts.ts'

/** What is searched with one statement. */
export interface Haystack {
  places: string[]
  /** A query for `place` and `value`. */
  texts: string
}

export const placeOf = (table: PlannedTable, { name }: PlannedColumn) => `${tableName(table)}.${name}`

/** The columns of a table that can hold a text; nothing where there are none, or its rows are elsewhere. */
export function haystackOf(table: PlannedTable): Haystack[] {
  const columns = table.columns.filter(({ holdsText }) => holdsText)
  if (columns.length === 0 || table.kind === 'foreign table' || table.kind === 'large objects') return []
  const cells = columns.map(column => `(${quoteText(placeOf(table, column))}, ${textOf(column)})`)
  return [
    {
      places: columns.map(column => placeOf(table, column)),
      texts: `select cell.place, cell.value from ${rowsOf(table)} as target, lateral (values ${cells.join()}) as cell(place, value) where ${isCounted}`,
    },
  ]
}

/** Bytes of a large object that are searched at once, and how many of them with the next ones again. */
const piece = 500_000
const overlap = 10_000

/** Opened for reading (PostgreSQL documentation, "Large Objects", INV_READ), to learn where it ends (SEEK_END). */
const size = 'lo_lseek64(lo_open(object.oid, 262144), 0, 2)'

/** What holds texts beside tables. */
export const otherHaystacks = ({ version, statements }: Plan): Haystack[] => [
  {
    places: ['large objects'],
    texts: `select 'large objects', ${bytesAsText(`lo_get(object.oid, start, ${piece + overlap})`)}
      from ${foreignObjects.replace('where', `, generate_series(0::bigint, ${size}, ${piece}) as start where`)}`,
  },
  {
    places: ['statistics'],
    texts: `select 'statistics of ' || concat_ws('.', schemaname, tablename, attname), value from pg_stats,
        lateral (values (most_common_vals::text), (histogram_bounds::text), (most_common_elems::text)) as kept(value)
      where schemaname not in ('pg_catalog', 'information_schema') and not exists (select from pg_attribute join pg_type on pg_type.oid = atttypid
        where attrelid = format('%I.%I', schemaname, tablename)::regclass and pg_attribute.attname = pg_stats.attname
          -- A text may be a day; those of other columns are no copies of it.
          and (typcategory in ('D', 'T') or ${isNameOfExtension}))
      union all select 'statistics ' || concat_ws('.', statistics_schemaname, statistics_name), array_to_string(most_common_vals, ' ')
        from pg_stats_ext
      ${
        version >= 140_000
          ? `union all select 'statistics ' || concat_ws('.', statistics_schemaname, statistics_name), value from pg_stats_ext_exprs,
               lateral (values (most_common_vals::text), (histogram_bounds::text), (most_common_elems::text)) as kept(value)`
          : ''
      }`,
  },
  { places: ['comments'], texts: `select 'comments', description from pg_description where ${isOwnComment}` },
  {
    places: ['function bodies'],
    texts: `select 'function bodies', prosrc from pg_proc where ${isOwnFunction}`,
  },
  // A statement that is no query keeps its literals: ALTER ROLE … PASSWORD, DO.
  ...(statements === null
    ? []
    : [
        {
          places: ['pg_stat_statements'],
          texts: `select 'pg_stat_statements', query from ${statements}.pg_stat_statements`,
        },
      ]),
  { places: ['definitions and settings'], texts: textsOfDefinitions(version) },
]
