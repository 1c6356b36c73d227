/** SQL queries for every place that can contain originals: columns, definitions, large objects, statements. */
import { firstUserId, isOfExtension, quoteText, systemSchemas } from '#postgres/sql'
import { isCounted } from '../mask/progress.ts'
import { columnName, rowsOf, type TableKind } from '../plan/catalog.ts'
import { largeObjects } from '../plan/catalog-queries.ts'
import type { Plan, PlannedColumn, PlannedTable } from '../plan/plan.ts'
import { bytesAsText, textOf } from './texts.ts'

/** A place to search, and the query that reads its texts. */
export interface Haystack {
  /** Their names in the report. */
  places: string[]
  /** A query for `place` and `value`. */
  texts: string
  /** The text comes from developers, so ordinary words in it are no copies of data. */
  isSchema?: boolean
}

/** The kinds searched as columns. A materialized view is empty or computed from masked rows. */
const searchedKinds: TableKind[] = ['table', 'continuous aggregate']

/** The columns of a table that can contain text. Rows outside this database are excluded. */
export function haystackOf(
  table: PlannedTable,
  read: (column: PlannedColumn) => string = textOf,
  rows = rowsOf,
): Haystack[] {
  const columns = table.columns.filter(({ holdsText }) => holdsText)
  if (columns.length === 0 || !searchedKinds.includes(table.kind)) return []
  const cells = columns.map(column => `(${quoteText(columnName(table, column))}, ${read(column)})`)
  return [
    {
      places: columns.map(column => columnName(table, column)),
      texts: `select cell.place, cell.value from ${rows(table)} as target, lateral (values ${cells.join()}) as cell(place, value) where ${isCounted}`,
    },
  ]
}

/** The texts of extensions are no copies of data. */
const isOfNoExtension = (catalog: string, id: string) => `not ${isOfExtension(catalog, id)}`

const relation = "'pg_class'::regclass"
const type = "'pg_type'::regclass"

const isOwnFunction = `pronamespace not in ${systemSchemas} and ${isOfNoExtension("'pg_proc'::regclass", 'oid')}`

/** Comments of users in `pg_description`, also on `public` (2200). Users choose the ids of large objects. */
const isOwnComment = `classoid <> 'pg_extension'::regclass and ${isOfNoExtension('classoid', 'objoid')}
  and (objoid >= ${firstUserId} or classoid = 'pg_largeobject'::regclass
    or classoid = 'pg_namespace'::regclass and objoid = 2200 and description <> 'standard public schema')`

/** A condition for a partition by a text or an expression: a text may equal a date in a bound by chance. */
const isByText = `exists (select from pg_inherits join pg_partitioned_table on partrelid = inhparent
  left join pg_attribute on attrelid = partrelid and attnum = any (partattrs) left join pg_type on pg_type.oid = atttypid
  where inhrelid = part.oid and (typcategory = 'S' or 0 = any (partattrs)))`

const publicationFilters = `union all select 'publication of ' || prrelid::regclass, pg_get_expr(prqual, prrelid)
  from pg_publication_rel where prqual is not null`

/** Queries for definitions that may contain values: a label, and the text as SQL. */
const definitions = (version: number) => `
  select 'view ' || oid::regclass, pg_get_viewdef(oid) from pg_class
    where relkind in ('v', 'm') and relnamespace not in ${systemSchemas} and ${isOfNoExtension(relation, 'oid')}
  union all select 'default of ' || adrelid::regclass, pg_get_expr(adbin, adrelid)
    from pg_attrdef where ${isOfNoExtension(relation, 'adrelid')}
  -- The values of a new column in existing rows.
  union all select 'default of ' || attrelid::regclass, quote_literal(attmissingval::text) from pg_attribute where atthasmissing
  -- Constraints of chunks repeat the bounds of their times or the constraints of the table.
  union all select 'constraint ' || conname, pg_get_constraintdef(oid) from pg_constraint
    where connamespace not in ${systemSchemas} and connamespace::regnamespace::text !~ '^_timescaledb_'
      and ${isOfNoExtension(relation, 'conrelid')} and ${isOfNoExtension(type, 'contypid')}
  union all select 'index ' || indexrelid::regclass, pg_get_indexdef(indexrelid)
    from pg_index where indpred is not null or indexprs is not null
  union all select 'partition ' || oid::regclass, pg_get_expr(relpartbound, oid)
    from pg_class as part where relpartbound is not null and ${isByText}
  union all select 'policy ' || polname, pg_get_expr(polqual, polrelid) from pg_policy
  union all select 'policy ' || polname, pg_get_expr(polwithcheck, polrelid) from pg_policy
  union all select 'rule ' || rulename, pg_get_ruledef(oid) from pg_rewrite where rulename <> '_RETURN'
  union all select 'trigger ' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select 'function ' || oid::regproc, pg_get_function_arguments(oid)
    from pg_proc where proargdefaults is not null and ${isOwnFunction}
  union all select 'function ' || oid::regproc, pg_get_function_sqlbody(oid)
    from pg_proc where prosqlbody is not null and ${isOwnFunction}
  ${version >= 150_000 ? publicationFilters : ''}
  union all select 'type ' || enumtypid::regtype, quote_literal(enumlabel)
    from pg_enum where ${isOfNoExtension(type, 'enumtypid')}
  union all select 'type ' || oid::regtype, quote_literal(typdefault) from pg_type
    where typdefault is not null and typnamespace not in ${systemSchemas} and ${isOfNoExtension(type, 'oid')}
  union all select 'foreign server ' || srvname, quote_literal(array_to_string(srvoptions, ' ')) from pg_foreign_server
  union all select 'foreign table ' || ftrelid::regclass, quote_literal(array_to_string(ftoptions, ' ')) from pg_foreign_table
  union all select 'settings of roles and databases', quote_literal(array_to_string(setconfig, ' ')) from pg_db_role_setting
  union all select 'comments of roles and databases', quote_literal(description) from pg_shdescription where objoid >= ${firstUserId}`

/** A text in single quotes. A name in double quotes may contain a single quote. */
const literal = `"(?:[^"]|"")*"|('(?:[^']|'')*')`

/** A query for the literals in definitions. Names of tables and columns also occur as values, so they are excluded. */
const textsOfDefinitions = (version: number): string => `
  select place, found[1] from (${definitions(version)}) as definition(place, text),
    regexp_matches(text, '${literal.replaceAll("'", "''")}', 'g') as found where found[1] is not null`

/** Bytes of a large object per search, and the overlap with the next piece. */
const pieceBytes = 500_000
const overlapBytes = 10_000

/** The end of a large object, with INV_READ and SEEK_END (PostgreSQL documentation, "Large Objects"). */
const endOfObject = 'lo_lseek64(lo_open(object.oid, 262144), 0, 2)'

export const otherHaystacks = ({ version, pgStatStatements }: Plan): Haystack[] => [
  {
    places: ['large objects'],
    texts: `select 'large object ' || object.oid, ${bytesAsText(`lo_get(object.oid, start, ${pieceBytes + overlapBytes})`)}
      from ${largeObjects.replace('where', `, generate_series(0::bigint, ${endOfObject}, ${pieceBytes}) as start where`)}`,
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
  ...(pgStatStatements === null
    ? []
    : [
        {
          places: ['pg_stat_statements'],
          texts: `select 'pg_stat_statements', query from ${pgStatStatements}.pg_stat_statements`,
        },
      ]),
  { places: ['definitions and settings'], isSchema: true, texts: textsOfDefinitions(version) },
]
