/** Fills the empty tables of a database with rows, so that a migration has data to lose. */
import { queryRows, type Session, StatementError } from '#postgres/session'

const rowCount = 20

interface Column {
  name: string
  type: string
  /** `pg_type.typcategory`, and `e` for an enum. */
  category: string
  limit: number | null
  isNullable: boolean
  /** The referenced table and column of a foreign key. */
  parent: string | null
  parentColumn: string | null
}

interface EmptyTable {
  name: string
  columns: Column[]
}

const columnsQuery = `
  select c.oid::regclass::text as name, (select jsonb_agg(jsonb_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, null),
      'category', case when t.typtype = 'e' then 'e' else t.typcategory end, 'limit', nullif(a.atttypmod, -1) - 4,
      'isNullable', not a.attnotnull, 'parent', k.parent, 'parentColumn', k.parent_column) order by a.attnum)
    from pg_attribute a join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      left join lateral (select confrelid::regclass::text as parent, (select quote_ident(attname) from pg_attribute
          where attrelid = confrelid and attnum = confkey[array_position(conkey, a.attnum)]) as parent_column
        from pg_constraint where contype = 'f' and conrelid = c.oid and a.attnum = any (conkey) limit 1) k on true
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
      and coalesce(pg_get_expr(d.adbin, d.adrelid), '') !~ '^nextval') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^(pg_|information_schema$)' and c.oid >= 16384`

/** SQL for the value in row `g`, by the category of the type. */
const values: Record<string, (column: Column) => string> = {
  N: ({ type }) => `g::${type}`,
  B: () => 'g % 2 = 0',
  D: ({ type }) => `(timestamp '2026-01-01' + g * interval '1 day')::${type}`,
  T: () => `g * interval '1 hour'`,
  A: ({ type }) => `array[]::${type}`,
  I: () => `('10.0.0.' || g)::inet`,
  e: ({ type }) => `(enum_range(null::${type}))[1]`,
  S: ({ type, limit }) => `left('v' || g, ${limit ?? 100})::${type}`,
  R: ({ type }) => `'empty'::${type}`,
}

/** Types whose category does not decide. */
const byType: Record<string, string> = {
  uuid: 'md5(g::text)::uuid',
  json: `'{"a": 1}'::json`,
  jsonb: `jsonb_build_object('a', g)`,
  bytea: `decode(md5(g::text), 'hex')`,
  ltree: `('0.' || g)::ltree`,
  tsvector: `to_tsvector('simple', 'v' || g)`,
}

function sqlFor(column: Column): string {
  const { parent, parentColumn, type, category } = column
  if (parent !== null)
    return `(select (array_agg(p.${parentColumn} order by p.${parentColumn}))[1 + g % greatest(count(*), 1)] from ${parent} p)`
  return byType[type] ?? values[category]?.(column) ?? 'null'
}

/** Tries all columns, then only those that must have a value, then a single row. */
function* insertsFor({ name, columns }: EmptyTable): Generator<string> {
  const needed = columns.filter(({ isNullable }) => !isNullable)
  for (const [some, rows] of [
    [columns, rowCount],
    [needed, rowCount],
    [needed, 1],
  ] as const) {
    if (some.length === 0) continue
    const [names, row] = [some.map(one => one.name).join(), some.map(sqlFor).join()]
    yield `insert into ${name} (${names}) select ${row} from generate_series(1, ${rows}) g on conflict do nothing`
  }
}

/** The tables without a row. */
async function findEmpty(session: Session): Promise<EmptyTable[]> {
  const tables = await queryRows<EmptyTable>(session, columnsQuery)
  const questions = tables.map(
    ({ name }) => `select '${name}' as name where not exists (select from ${name})`,
  )
  if (questions.length === 0) return []
  const empty = await queryRows<{ name: string }>(session, questions.join(' union all '))
  const names = new Set(empty.map(({ name }) => name))
  return tables.filter(({ name, columns }) => columns && names.has(name))
}

/** Tries to insert rows. Returns whether the table has any. */
async function fill(session: Session, table: EmptyTable): Promise<boolean> {
  for (const insert of insertsFor(table)) {
    const answer = await session.attempt(insert)
    if (!(answer instanceof StatementError) && answer.rowCount > 0) return true
  }
  return false
}

/**
 * Fills tables again and again, since a foreign key needs the rows of its table first. `refused`: tables that were tried in vain,
 * and are tried again once another table was filled.
 */
export async function fillTables(session: Session, refused: Set<string>): Promise<void> {
  for (let isNew = true; isNew; ) {
    isNew = false
    for (const table of await findEmpty(session)) {
      const key = JSON.stringify(table)
      if (refused.has(key)) continue
      if (await fill(session, table)) isNew = true
      else refused.add(key)
    }
    if (!isNew) return
    refused.clear()
    await session.query('analyze')
  }
}
