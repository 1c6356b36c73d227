import { renderCount } from '../../../base/bytes.ts'
import { type Session, StatementError } from '../../../postgres/session.ts'
import type { Effect } from '../result/stored.ts'
import {
  type Catalog,
  type Extent,
  measureTables,
  type Relation,
  tableOf,
  type Unfinished,
} from './catalog.ts'
import type { Recorder } from './recorder.ts'
import { isNarrowed } from './types.ts'

/** Milliseconds that counting the rows which break a constraint may take. */
const longestCount = 10_000

interface Comparison {
  before: Catalog
  after: Catalog
  recorder: Recorder
}

const aboutMany = (count: number | undefined, noun: string) =>
  count === undefined ? `an unknown number of ${noun}` : `about ${renderCount(count)} ${noun}`

const counted = (count: number, noun: string) => `${renderCount(count)} ${noun}${count === 1 ? '' : 's'}`

/** A loss by the statistics; an estimate of none is no proof that there was none. */
const lost = (kind: Effect['kind'], object: string, message: string, count: number | undefined): Effect => ({
  ...{ kind, object, message, isEstimate: true, destructive: true },
  ...(count !== undefined && { count }),
})

const isTable = ({ kind }: Relation) => /^[rmpf]$/.test(kind)

/** Tables of which nothing is left. One without a byte loses no data. */
function findDroppedTables({ before, after }: Comparison, extents: Map<number, Extent>): Effect[] {
  const gone = [...before.relations.values()].filter(
    one => isTable(one) && tableOf(before, one.id) === one && !after.relations.has(one.id),
  )
  return gone.map(({ id, name, kind }) => {
    const { bytes = 0, rows } = extents.get(id) ?? {}
    const noun = kind === 'm' ? 'materialized view' : 'table'
    return {
      ...lost('table dropped', name, `${noun} ${name} dropped, ${aboutMany(rows, 'rows')}`, rows),
      // What a materialized view holds can be made anew.
      destructive: kind !== 'm' && (bytes > 0 || kind === 'f'),
    }
  })
}

/** Partitions and chunks that were dropped, or taken off and dropped, as one line for each whole. */
function findDroppedParts({ before, after }: Comparison): Effect[] {
  const gone = [...before.relations.values()].filter(
    one => one.isPart && isTable(one) && !after.relations.has(one.id) && one.bytes > 0,
  )
  const byTable = Map.groupBy(gone, one => tableOf(before, one.id))
  return [...byTable].flatMap(([table, parts]) => {
    if (table === undefined || !after.relations.has(table.id)) return []
    const known = parts.flatMap(({ rows }) => rows ?? [])
    const rows = known.length === 0 ? undefined : Math.round(known.reduce((sum, one) => sum + one, 0))
    const message = `${counted(parts.length, 'part')} of ${table.name} dropped, ${aboutMany(rows, 'rows')}`
    return [lost('table dropped', table.name, message, rows)]
  })
}

function findColumns({ before, after }: Comparison, extents: Map<number, Extent>): Effect[] {
  return [...before.columns].flatMap(([key, { table, name, type, filled }]): Effect[] => {
    const relation = before.relations.get(table)
    // A table that is a partition now has the columns of the whole.
    const isWhole = after.relations.get(table)?.isPart === false
    if (relation === undefined || !isWhole) return []
    const { rows, bytes = 0 } = extents.get(table) ?? {}
    const values = rows === undefined || filled === undefined ? undefined : Math.round(rows * filled)
    const object = `${relation.name}.${name}`
    const now = after.columns.get(key)
    if (now === undefined) {
      const message = `column ${object} dropped, ${aboutMany(values, 'values')}`
      return [{ ...lost('column dropped', object, message, values), destructive: bytes > 0 }]
    }
    if (!isNarrowed(type, now.type)) return []
    const message = `column ${object} narrowed from ${type} to ${now.type}, ${aboutMany(values, 'values')}`
    return [{ ...lost('type narrowed', object, message, values), destructive: bytes > 0 }]
  })
}

/** Whether a statement may have committed by itself, where no census saw what it did before. */
export const mayCommitInside = ({ statements }: Recorder) =>
  statements.some(({ exact, text }) => !exact && /^(?:call|do)\b/i.test(text))

/**
 * Rows of tables that a procedure may have deleted and committed by itself: only the counters of the server tell of them. They
 * count what was rolled back, too, such as the first try of a file, in a transaction.
 */
function findDeletedInside({ before, after, recorder }: Comparison): Effect[] {
  if (!mayCommitInside(recorder)) return []
  const sums = new Map<Relation, number>()
  for (const [id, { deleted }] of after.relations) {
    const table = tableOf(before, id)
    const grown = deleted - (before.relations.get(id)?.deleted ?? 0)
    if (table !== undefined && before.relations.has(table.id) && grown > 0)
      sums.set(table, (sums.get(table) ?? 0) + grown)
  }
  return [...sums].flatMap(([{ id, name: object }, sum]): Effect[] => {
    const count = sum - (recorder.changed.get(id)?.deleted ?? 0)
    if (count <= 0) return []
    const message = `up to ${counted(count, 'row')} deleted from ${object} by what commits by itself`
    return [{ kind: 'rows deleted', object, message, count, isEstimate: true, destructive: true }]
  })
}

function findRows({ before, after, recorder }: Comparison, extents: Map<number, Extent>): Effect[] {
  const emptied = [...recorder.emptied].flatMap(id => {
    const name = before.relations.get(id)?.name
    if (name === undefined || !after.relations.has(id)) return []
    const { rows } = extents.get(id) ?? {}
    return [lost('table emptied', name, `${name} emptied, ${aboutMany(rows, 'rows')}`, rows)]
  })
  const deleted = [...recorder.changed].flatMap(([id, { deleted: count }]): Effect[] => {
    const object = before.relations.get(id)?.name
    if (object === undefined || count === 0 || !after.relations.has(id)) return []
    const message = `${counted(count, 'row')} deleted from ${object}`
    return [{ kind: 'rows deleted', object, message, count, destructive: true }]
  })
  return [...emptied, ...deleted]
}

/** How many rows break a constraint; undefined where counting takes too long, or is refused. */
async function countBroken(session: Session, { count: sql }: Unfinished): Promise<number | undefined> {
  if (sql === undefined) return undefined
  await session.query(`set statement_timeout = ${longestCount}`)
  const answer = await session.attempt(sql)
  await session.query('reset statement_timeout')
  return answer instanceof StatementError ? undefined : Number(answer.rows[0]?.count)
}

async function findUnfinished(session: Session, { before, after }: Comparison): Promise<Effect[]> {
  const effects: Effect[] = []
  const nameOf = (table: number) => after.relations.get(table)?.name ?? 'a table'
  for (const [id, constraint] of after.constraints) {
    if (before.constraints.has(id)) continue
    const { name, table } = constraint
    const count = await countBroken(session, constraint)
    const broken =
      count === undefined
        ? 'how many rows break it is not known'
        : `${counted(count, 'row')} of ${nameOf(table)} break it`
    effects.push({
      ...{ kind: 'constraint not valid', object: name, destructive: false },
      message: `constraint ${name} is left NOT VALID, ${broken}`,
      ...(count !== undefined && { count }),
    })
  }
  for (const [id, { name, table }] of after.indexes)
    if (!before.indexes.has(id))
      effects.push({
        ...{ kind: 'index invalid', object: name, destructive: false },
        message: `index ${name} of ${nameOf(table)} is left invalid, and slows writes down without serving a query`,
      })
  return effects
}

/** What a migration did to data, and what it left unfinished, by what was there before and after. */
export async function findEffects(session: Session, comparison: Comparison): Promise<Effect[]> {
  const extents = measureTables(comparison.before)
  return [
    ...findDroppedTables(comparison, extents),
    ...findDroppedParts(comparison),
    ...findColumns(comparison, extents),
    ...findRows(comparison, extents),
    ...findDeletedInside(comparison),
    ...(await findUnfinished(session, comparison)),
  ]
}
