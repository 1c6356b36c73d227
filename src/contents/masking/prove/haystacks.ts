/** SQL queries for every place that can contain originals: columns, definitions, large objects, statements. */
import { isCounted } from '../mask/progress.ts'
import { rowsOf, type TableKind, tableName } from '../plan/catalog.ts'
import { largeObjects } from '../plan/catalog-queries.ts'
import { quoteText } from '../plan/expressions.ts'
import type { Plan, PlannedColumn, PlannedTable } from '../plan/planned.ts'
import { isOwnComment, isOwnFunction, textsOfDefinitions } from './definitions.ts'
import { bytesAsText, textOf } from './texts.ts'

export interface Haystack {
  places: string[]
  /** A query for `place` and `value`. */
  texts: string
  /** The text comes from developers, so ordinary words in it are no copies of data. */
  isSchema?: boolean
}

export const placeOf = (table: PlannedTable, { name }: PlannedColumn) => `${tableName(table)}.${name}`

/** The kinds searched as columns. A materialized view is empty or computed from masked rows. */
const searched: TableKind[] = ['table', 'continuous aggregate']

/** The columns of a table that can contain text. Rows outside this database are excluded. */
export function haystackOf(table: PlannedTable): Haystack[] {
  const columns = table.columns.filter(({ holdsText }) => holdsText)
  if (columns.length === 0 || !searched.includes(table.kind)) return []
  const cells = columns.map(column => `(${quoteText(placeOf(table, column))}, ${textOf(column)})`)
  return [
    {
      places: columns.map(column => placeOf(table, column)),
      texts: `select cell.place, cell.value from ${rowsOf(table)} as target, lateral (values ${cells.join()}) as cell(place, value) where ${isCounted}`,
    },
  ]
}

/** Bytes of a large object per search, and the overlap with the next piece. */
const piece = 500_000
const overlap = 10_000

/**
 * The end of a large object. It is opened for reading (INV_READ) and moved to its end (SEEK_END; PostgreSQL
 * documentation, "Large Objects").
 */
const size = 'lo_lseek64(lo_open(object.oid, 262144), 0, 2)'

export const otherHaystacks = ({ version, statements }: Plan): Haystack[] => [
  {
    places: ['large objects'],
    texts: `select 'large object ' || object.oid, ${bytesAsText(`lo_get(object.oid, start, ${piece + overlap})`)}
      from ${largeObjects.replace('where', `, generate_series(0::bigint, ${size}, ${piece}) as start where`)}`,
  },
  {
    places: ['comments'],
    isSchema: true,
    texts: `select 'comment on ' || pg_describe_object(classoid, objoid, objsubid), description from pg_description where ${isOwnComment}`,
  },
  {
    places: ['function bodies'],
    isSchema: true,
    texts: `select 'function ' || oid::regproc, prosrc from pg_proc where ${isOwnFunction}`,
  },
  // pg_stat_statements keeps the literals of utility statements: ALTER ROLE … PASSWORD, DO.
  ...(statements === null
    ? []
    : [
        {
          places: ['pg_stat_statements'],
          texts: `select 'pg_stat_statements', query from ${statements}.pg_stat_statements`,
        },
      ]),
  { places: ['definitions and settings'], isSchema: true, texts: textsOfDefinitions(version) },
]
