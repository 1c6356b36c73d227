import type { Session } from '../../postgres/session.ts'
import { tableName } from './catalog.ts'
import { foreignObjects } from './catalog-queries.ts'
import { keepsNull, maskedValue } from './expressions.ts'
import { quoteName, type Rule } from './mask-file.ts'
import { isMasked, type Plan, type PlannedColumn, type PlannedTable } from './planned.ts'
import { fromOnly } from './texts.ts'
import { during, inParallel, type OpenSession } from './work.ts'

/** How far masking has come. Rows are about as many as the statistics say. */
export interface Progress {
  /** The table that was masked last. */
  table: string
  rows: number
  allRows: number
  /** Seconds since masking began, and about how many are left. */
  seconds: number
  left: number
}

type Ruled = PlannedColumn & { rule: Rule }

const maskedColumns = (table: PlannedTable): Ruled[] =>
  table.columns.flatMap(column => (column.rule && isMasked(column) ? [{ ...column, rule: column.rule }] : []))

/** Tables whose rows get other values. */
export const findMasked = ({ tables }: Plan): PlannedTable[] =>
  tables.filter(table => !table.dropRows && table.kind === 'table' && maskedColumns(table).length > 0)

const findDropped = ({ tables }: Plan) => tables.filter(({ dropRows, kind }) => dropRows && kind === 'table')

/** Gives each row the value of another one, each value to one row. */
function shuffling(table: PlannedTable, columns: Ruled[]): string {
  const from = fromOnly(table)
  const others = columns.map(
    ({ name }, at) => `, (select ${quoteName(name)} as shuffled_value_${at},
      row_number() over (order by random()) as shuffled_number_${at} from ${from}) as shuffled_${at}`,
  )
  const sameNumber = columns.map((_, at) => ` and shuffled_number_${at} = own_number`)
  return `from (select tableoid as own_table, ctid as own_row, row_number() over () as own_number from ${from}) as numbered
    ${others.join('')} where target.tableoid = own_table and target.ctid = own_row${sameNumber.join('')}`
}

/** One statement for all columns of a table. */
export function updateOf(table: PlannedTable): string {
  const columns = maskedColumns(table)
  const shuffled = columns.filter(({ rule }) => rule.kind === 'shuffle')
  const values = columns.map(column => {
    const at = shuffled.indexOf(column)
    return `${quoteName(column.name)} = ${at < 0 ? maskedValue(column, column.rule) : `shuffled_value_${at}`}`
  })
  const filled = columns.map(({ name }) => `${quoteName(name)} is not null`).join(' or ')
  const which =
    shuffled.length > 0
      ? shuffling(table, shuffled)
      : columns.every(({ rule }) => keepsNull(rule))
        ? `where ${filled}`
        : ''
  return `update ${fromOnly(table)} as target set ${values.join(', ')} ${which}`
}

/** Rows that are masked to try the rules. */
const mostTried = 1000

/**
 * Masks some rows of each table into a temporary one with the same constraints, which is gone at once: what a constraint, a
 * type or an expression refuses is known before anything is changed.
 *
 * @throws MaskingError
 */
export async function tryRules(session: Session, plan: Plan): Promise<void> {
  for (const table of findMasked(plan)) {
    const own = table.columns.filter(({ isGenerated }) => !isGenerated)
    const names = own.map(({ name }) => quoteName(name)).join()
    const values = own.map(column => maskedValue(column, column.rule ?? { kind: 'keep' })).join()
    await during(`the rules for ${tableName(table)}, tried on some rows`, async () => {
      await session.query('begin')
      try {
        await session.query(
          `create temp table tried (like ${quoteName(table.schema)}.${quoteName(table.name)}
             including constraints including defaults including generated including indexes) on commit drop`,
        )
        await session.query(
          `insert into pg_temp.tried (${names}) select ${values} from ${fromOnly(table)} as target limit ${mostTried}`,
        )
      } finally {
        await session.attempt('rollback')
      }
    })
  }
}

/** What stands in the way while rows change: foreign keys, and triggers of users. */
function findObstacles(plan: Plan): { lift: string; restore: string }[] {
  const dropped = findDropped(plan).map(({ id }) => id)
  const masked = findMasked(plan)
  const changed = new Set([...dropped, ...masked.map(({ id }) => id)])
  const changes = (id: string, columns: string[]) =>
    dropped.includes(id) ||
    masked.some(table => table.id === id && maskedColumns(table).some(({ name }) => columns.includes(name)))
  const keys = plan.foreignKeys
    .filter(key => changes(key.table, key.columns) || changes(key.target, key.targetColumns))
    .map(({ relation, name, definition }) => ({
      lift: `alter table ${relation} drop constraint ${quoteName(name)}`,
      restore: `alter table ${relation} add constraint ${quoteName(name)} ${definition}`,
    }))
  return [...keys, ...plan.obstacles.filter(({ table, isPolicy }) => !isPolicy && changed.has(table))]
}

async function emptyTables(session: Session, plan: Plan): Promise<void> {
  const dropped = findDropped(plan)
  const names = dropped.map(({ schema, name }) => `${quoteName(schema)}.${quoteName(name)}`)
  if (names.length > 0) await session.query(`truncate ${names.join(', ')}`)
  if (plan.tables.some(table => table.kind === 'large objects' && table.dropRows))
    await session.query(`select lo_unlink(object.oid) from ${foreignObjects}`)
}

const secondsOf = async (session: Session) =>
  Number((await session.query('select extract(epoch from clock_timestamp())::float8 as now')).rows[0]?.now)

async function updateAll(
  open: OpenSession,
  plan: Plan,
  { sessions, onProgress }: { sessions: number; onProgress?: ((progress: Progress) => void) | undefined },
): Promise<number> {
  const tables = findMasked(plan).toSorted((one, other) => other.rows - one.rows)
  const allRows = tables.reduce((sum, { rows }) => sum + rows, 0)
  const start = await open(secondsOf)
  let estimated = 0
  let changed = 0
  await inParallel(open, plan, { sessions, tasks: tables }, async (session, table) => {
    const named = tableName(table)
    changed += (await during(`masking ${named}`, () => session.query(updateOf(table)))).rowCount
    estimated += table.rows
    const seconds = (await secondsOf(session)) - start
    const left = estimated > 0 ? (seconds / estimated) * (allRows - estimated) : 0
    onProgress?.({ table: named, rows: estimated, allRows, seconds, left })
  })
  return changed
}

/** From this version on statistics can be cleared (PostgreSQL 18 release notes). */
const withClearing = 180_000

/** ANALYZE leaves the statistics of what has become empty as they were: of tables, partitions, indexes on expressions. */
const clearEmpty = `
  with recursive part(id) as (
    select $1::regclass::oid union select inhrelid from part join pg_inherits on inhparent = part.id)
  select pg_clear_attribute_stats(schemaname, tablename, attname, inherited)
  from pg_stats join pg_class on pg_class.oid = format('%I.%I', schemaname, tablename)::regclass
  where reltuples = 0 and (pg_class.oid in (select id from part)
    or pg_class.oid in (select indexrelid from pg_index where indrelid in (select id from part)))`

/** As far as the version lets us: the proof finds what is left. */
async function clearStatistics(session: Session, { version }: Plan, name: string, table?: PlannedTable) {
  if (version >= withClearing) {
    await session.query(clearEmpty, [name])
    return
  }
  // A column that gets its type anew loses them, unless a view or an index is in the way.
  for (const { name: column, type, holdsText } of table?.dropRows ? table.columns : [])
    if (holdsText) await session.attempt(`alter table ${name} alter column ${quoteName(column)} type ${type}`)
}

/** The chunks of a hypertable that are compressed. */
const compressedChunks = `
  select format('%I.%I', chunk_schema, chunk_name) as chunk from timescaledb_information.chunks
  where is_compressed and hypertable_schema = $1 and hypertable_name = $2`

/** Rows are analyzed before they are compressed again: afterwards the chunk has none to look at. */
async function rewrite(session: Session, plan: Plan, table: PlannedTable): Promise<void> {
  const name = `${quoteName(table.schema)}.${quoteName(table.name)}`
  if (!table.isCompressed) {
    await session.query(`vacuum (analyze) ${name}`)
    await clearStatistics(session, plan, name, table)
    return
  }
  const { rows } = await session.query(compressedChunks, [table.schema, table.name])
  await session.query(`analyze ${name}`)
  for (const { chunk } of rows)
    await session.query(
      `select ${plan.timescaledb}.compress_chunk($1::regclass, if_not_compressed => true)`,
      [chunk],
    )
  await session.query(`vacuum ${name}`)
}

/** Where compressed rows are: their statistics name the first and the last value of columns (TimescaleDB, `_ts_meta_min_1`). */
const compressedTables = `
  select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
  where attname = '_ts_meta_count' and relkind = 'r' and relnamespace = '_timescaledb_internal'::regnamespace
    and pg_has_role(relowner, 'usage')`

async function derive(session: Session, plan: Plan): Promise<void> {
  const { derived, timescaledb } = plan
  if (findMasked(plan).some(({ isCompressed }) => isCompressed))
    for (const { name } of (await session.query(compressedTables)).rows)
      await session.query(`vacuum (analyze) ${name}`)
  for (const { name, stored, isAggregate } of derived)
    await during(`refreshing ${name}`, async () => {
      if (isAggregate)
        await session.query(
          `call ${timescaledb}.refresh_continuous_aggregate('${name.replaceAll("'", "''")}', null, null)`,
        )
      else await session.query(`refresh materialized view ${name}`)
      await session.query(`vacuum (analyze) ${stored}`)
      await clearStatistics(session, plan, stored)
    })
}

/**
 * Gives all masked columns their new values, and computes anew what was computed from the old ones. Foreign keys
 * and triggers are back afterwards; after a failure they are not, and the copy is of no use. Gives how many rows changed.
 *
 * @throws MaskingError
 */
export async function maskRows(
  open: OpenSession,
  plan: Plan,
  options: { sessions: number; onProgress?: ((progress: Progress) => void) | undefined },
): Promise<number> {
  const obstacles = findObstacles(plan)
  const one = (what: string, act: (session: Session) => Promise<void>) =>
    inParallel(open, plan, { sessions: 1, tasks: [what] }, session => during(what, () => act(session)))
  await one('what stands in the way of masking', async session => {
    for (const { lift } of obstacles) await session.query(lift)
  })
  await one('dropping rows', session => emptyTables(session, plan))
  const changed = await updateAll(open, plan, options)
  await one('a constraint or trigger, put back after masking', async session => {
    for (const { restore } of obstacles) await session.query(restore)
  })
  const { sessions } = options
  await inParallel(
    open,
    plan,
    { sessions, tasks: [...findMasked(plan), ...findDropped(plan)] },
    (session, table) => during(`cleaning up ${tableName(table)}`, () => rewrite(session, plan, table)),
  )
  await one('what is computed from the masked rows', session => derive(session, plan))
  return changed
}
