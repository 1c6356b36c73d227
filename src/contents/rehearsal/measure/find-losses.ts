/** Finds the data that a migration dropped, converted, emptied or deleted. */
import { renderCount } from '#base/bytes'
import { queryRow, queryRows, queryValue, type Session } from '#postgres/session'
import { mentions } from './attribution.ts'
import { type Catalog, holdsRows, isCompressed, type Relation, tableOf } from './catalog.ts'
import { type Column, largeObjectsUpTo } from './catalog-queries.ts'
import { converts, dependsOnZone, keepsValues, usesExpression } from './conversions.ts'
import { countRows, type Fingerprints, sum } from './fingerprints.ts'
import type { Recorder } from './recorder.ts'
import type { Change } from './table-changes.ts'

/** The state of a database before and after a migration, from which effects are found. */
export interface Comparison {
  session: Session
  before: Catalog
  after: Catalog
  recorder: Recorder
  fingerprints: Record<'before' | 'after', Fingerprints>
  /** By table id. */
  changes: Map<number, Change>
}

/** An effect of a migration. The table of effects has a description for its kind. */
export interface Finding {
  /** The table, column, constraint or index. */
  object: string
  /** An additional fact for the sentence, such as a type or a table. */
  detail?: string
  /** Rows or values; undefined if the number is unknown. */
  count?: number | undefined
  isEstimate?: true
  /** Set for an effect without loss whose kind usually loses data. */
  isHarmless?: boolean
}

/** The number from the fingerprint or the statistics. An estimate of 0 does not prove that a table was empty. */
const countOf = (exact: number | undefined, estimate: number | undefined): Omit<Finding, 'object'> =>
  exact === undefined
    ? { count: estimate && Math.round(estimate), isEstimate: true }
    : { count: exact, isHarmless: exact === 0 }

const rowsBefore = ({ fingerprints, before }: Comparison, id: number) => {
  const fingerprint = fingerprints.before.get(id)
  return countOf(fingerprint && countRows(fingerprint), before.extents.get(id)?.rows)
}

/** Dropped tables. A table without a byte loses no data. */
export function findDroppedTables(comparison: Comparison): Finding[] {
  const { before, after } = comparison
  const dropped = [...before.relations.values()].filter(
    relation =>
      holdsRows(relation) && tableOf(before, relation.id) === relation && !after.relations.has(relation.id),
  )
  return dropped.map(({ id, name, kind }) => {
    const noun = kind === 'm' ? 'materialized view' : 'table'
    // A materialized view can be computed again. A foreign table may lead to the only copy, such as tiered data.
    const isEmpty = (before.extents.get(id)?.bytes ?? 0) === 0 && kind !== 'f'
    const rows = rowsBefore(comparison, id)
    const isHarmless = rows.isHarmless === true || isEmpty || kind === 'm'
    return { object: name, detail: `${noun} ${name}`, ...rows, isHarmless }
  })
}

/** Partitions and chunks that were dropped, or detached and dropped: one finding for each parent. */
export function findDroppedParts({ before, after, fingerprints, changes }: Comparison): Finding[] {
  // A chunk and its compressed table are one part.
  const partOf = (one: Relation) => (isCompressed(before, one) ? (one.partOf ?? one.id) : one.id)
  const dropped = [...before.relations.values()].filter(
    one => one.isPart && holdsRows(one) && !after.relations.has(partOf(one)) && one.bytes > 0,
  )
  const byTable = Map.groupBy(dropped, one => tableOf(before, one.id))
  return [...byTable].flatMap(([table, relations]) => {
    if (table === undefined || !after.relations.has(table.id) || changes.get(table.id)?.isSame) return []
    const rows = fingerprints.before.get(table.id)?.rows
    const parts = new Set(relations.map(partOf))
    const known = relations.flatMap(one => (isCompressed(before, one) ? [] : (one.rows ?? [])))
    const estimate = known.length < parts.size ? undefined : sum(known)
    const detail = `${renderCount(parts.size)} ${parts.size === 1 ? 'part' : 'parts'} of ${table.name}`
    const exact = rows && sum([...parts].map(id => rows.get(id) ?? 0))
    return [{ object: table.name, detail, ...countOf(exact, estimate) }]
  })
}

/** A column before and after, of a table that still exists. */
interface ComparedColumn {
  key: string
  was: Column
  /** Undefined if it was dropped. */
  now: Column | undefined
  table: Relation
  finding: Finding
}

/** The columns of tables that still exist. Values of a generated column can be computed again. */
function compareColumns({ before, after, fingerprints }: Comparison): ComparedColumn[] {
  return [...before.columns].flatMap(([key, was]) => {
    const table = before.relations.get(was.table)
    // A table that became a partition has the columns of its parent.
    const isWhole = after.relations.get(was.table)?.isPart === false
    if (table === undefined || !isWhole || was.isGenerated) return []
    const { rows, bytes = 0 } = before.extents.get(was.table) ?? {}
    const estimate = rows === undefined || was.filled === null ? undefined : rows * was.filled
    const values = countOf(fingerprints.before.get(was.table)?.columns.get(key)?.filled, estimate)
    const isHarmless = values.isHarmless === true || bytes === 0
    const finding = { object: `${table.name}.${was.name}`, ...values, isHarmless }
    return [{ key, was, now: after.columns.get(key), table, finding }]
  })
}

/** Finds the columns whose change fulfills a condition. `now` is undefined for a dropped column. */
export const columnsThat =
  (isFound: (was: Column, now: Column | undefined) => boolean) =>
  (comparison: Comparison): Finding[] =>
    compareColumns(comparison).flatMap(({ was, now, finding }) => (isFound(was, now) ? [finding] : []))

/** Whether a column has new values, apart from renamed labels of an enum. Undefined without comparable fingerprints. */
function haveValuesChanged(
  { fingerprints }: Comparison,
  { key, table }: ComparedColumn,
): boolean | undefined {
  const [was, now] = [fingerprints.before.get(table.id), fingerprints.after.get(table.id)]
  const [earlier, later] = [was?.columns.get(key), now?.columns.get(key)]
  if (!was || !now || !earlier || !later || countRows(was) !== countRows(now)) return undefined
  const isRenamed =
    earlier.labels !== undefined && earlier.labels === later.labels && earlier.filled === later.filled
  return earlier.hash !== later.hash && !isRenamed
}

/** True if a new type or `USING` may have lost values of a column. */
function mayLoseValues(comparison: Comparison, column: ComparedColumn): boolean {
  const { recorder, changes, after } = comparison
  const { was, now, table } = column
  const change = changes.get(table.id)
  const isChanged = haveValuesChanged(comparison, column)
  const isSameType = was.typeId === now?.typeId
  if (now === undefined || isChanged === false || (isSameType && !change?.hasNewFile)) return false
  const names = [table.name, after.relations.get(table.id)?.name ?? table.name]
  const columns = [was.name, now.name]
  const statements = recorder.statements.filter(one => names.some(name => mentions(one, name)))
  const isByExpression = statements.some(({ sql }) => columns.some(name => usesExpression(sql, name)))
  // The text of a function is unknown, and may contain any USING.
  const isHidden = !isSameType && !statements.some(({ sql }) => columns.some(name => converts(sql, name)))
  if (isChanged === undefined && isHidden) return true
  const isSurelyChanged =
    isChanged === true && change?.isUntouched === true && !dependsOnZone(was.type, now.type)
  return isByExpression || isSurelyChanged || !(isSameType || keepsValues(was.type, now.type))
}

/** The loss of a conversion. Undefined if it kept all values. */
function findConversion(comparison: Comparison, column: ComparedColumn): string | undefined {
  const { was, now } = column
  if (now === undefined) return undefined
  const isSameType = was.typeId === now.typeId
  const dropped = Object.entries(was.fields).filter(([key]) => isSameType && now.fields[key] === undefined)
  if (dropped.length > 0) return `by DROP ATTRIBUTE ${dropped.map(([, name]) => name).join(', ')}`
  if (!mayLoseValues(comparison, column)) return undefined
  return isSameType ? 'by USING' : `from ${was.type} to ${now.type}`
}

export const findNarrowedColumns = (comparison: Comparison): Finding[] =>
  compareColumns(comparison).flatMap(column => {
    const detail = column.finding.isHarmless ? undefined : findConversion(comparison, column)
    return detail === undefined ? [] : [{ ...column.finding, detail }]
  })

/** True for a table with a new file, and without rows in the table or its parts. */
function isEmptied({ before, after, changes }: Comparison, id: number): boolean {
  const { kind, bytes } = before.relations.get(id) ?? {}
  const isEmptyNow = after.extents.get(id)?.bytes === 0
  return kind === 'r' && bytes !== 0 && isEmptyNow && changes.get(id)?.hasNewFile === true
}

export const findEmptiedTables = (comparison: Comparison): Finding[] =>
  [...comparison.before.relations.values()].flatMap(({ id, name: object }) =>
    isEmptied(comparison, id) ? [{ object, ...rowsBefore(comparison, id) }] : [],
  )

/** Rows that DELETE removed, or TRUNCATE before new rows were inserted. Emptied tables are another finding. */
export const findDeletedRows = (comparison: Comparison): Finding[] =>
  [...comparison.changes].flatMap(([id, { lost: count }]) => {
    const object = comparison.before.relations.get(id)?.name
    const isShown = count !== 0 && !isEmptied(comparison, id)
    return object !== undefined && isShown ? [{ object, count }] : []
  })

/** Ids of large objects only grow, so ids up to the earlier maximum existed before. */
export async function findLargeObjects({ session, before }: Comparison): Promise<Finding[]> {
  const { count: earlier, highest } = before.largeObjects
  const left = await queryRow<{ count: number }>(session, largeObjectsUpTo(highest))
  const count = earlier - left.count
  return count > 0 ? [{ object: 'large objects', count }] : []
}

/** The number of runs of a job of TimescaleDB, also of one that has not ended. */
const countRuns = (session: Session, job: number): Promise<number> =>
  queryValue(
    session,
    'select coalesce(sum(total_runs), 0)::int from timescaledb_information.job_stats where job_id = $1',
    [job],
  )

/** New policies of TimescaleDB that delete old chunks, with the rows that they delete at once. */
export async function findRetention(comparison: Comparison): Promise<Finding[]> {
  const { session, before, after, fingerprints } = comparison
  const findings: Finding[] = []
  for (const { id, table, name: object, age, chunksQuery } of after.retention.values()) {
    if (before.retention.get(id)?.age === age) continue
    const chunks = chunksQuery === null ? undefined : await queryRows<{ id: number }>(session, chunksQuery)
    const rows = (fingerprints.after.get(table) ?? fingerprints.before.get(table))?.rows
    const exact = rows && chunks && sum(chunks.map(chunk => rows.get(chunk.id) ?? 0))
    // If the job has run, it may have deleted the chunks already.
    const isNone = chunks?.length === 0 && (rows !== undefined || (await countRuns(session, id)) === 0)
    findings.push({ object, detail: age, ...countOf(isNone ? 0 : exact, undefined) })
  }
  return findings
}
