/** Finds the data that a migration dropped, narrowed, emptied or deleted. */
import { renderCount } from '#base/bytes'
import { type Relation, tableOf } from './catalog.ts'
import { grownCounters } from './changed-rows.ts'
import type { Comparison, Finding } from './comparison.ts'
import { isNarrowed } from './types.ts'

/** By the statistics; an estimate of none is no proof that there was none. */
const isEstimate = true

const isTable = ({ kind }: Relation) => /^[rmpf]$/.test(kind)

/** Tables of which nothing is left. One without a byte loses no data. */
export function findDroppedTables({ before, after, extents }: Comparison): Finding[] {
  const gone = [...before.relations.values()].filter(
    one => isTable(one) && tableOf(before, one.id) === one && !after.relations.has(one.id),
  )
  return gone.map(({ id, name, kind }) => {
    const { bytes = 0, rows: count } = extents.get(id) ?? {}
    const noun = kind === 'm' ? 'materialized view' : 'table'
    // A materialized view can be computed again.
    const isHarmless = kind === 'm' || (bytes === 0 && kind !== 'f')
    return { object: name, detail: `${noun} ${name}`, count, isEstimate, isHarmless }
  })
}

/** Partitions and chunks that were dropped, or detached and dropped, as one finding for each whole. */
export function findDroppedParts({ before, after }: Comparison): Finding[] {
  const gone = [...before.relations.values()].filter(
    one => one.isPart && isTable(one) && !after.relations.has(one.id) && one.bytes > 0,
  )
  const byTable = Map.groupBy(gone, one => tableOf(before, one.id))
  return [...byTable].flatMap(([table, parts]) => {
    if (table === undefined || !after.relations.has(table.id)) return []
    const known = parts.flatMap(({ rows }) => rows ?? [])
    const count = known.length === 0 ? undefined : Math.round(known.reduce((sum, one) => sum + one, 0))
    const detail = `${renderCount(parts.length)} ${parts.length === 1 ? 'part' : 'parts'} of ${table.name}`
    return [{ object: table.name, detail, count, isEstimate }]
  })
}

/** The columns of tables that are still there, with the type that each has now; undefined for one that was dropped. */
function compareColumns({ before, after, extents }: Comparison) {
  return [...before.columns].flatMap(([key, { table, name, type, filled }]) => {
    const relation = before.relations.get(table)
    // A table that is a partition now has the columns of the whole.
    const isWhole = after.relations.get(table)?.isPart === false
    if (relation === undefined || !isWhole) return []
    const { rows, bytes = 0 } = extents.get(table) ?? {}
    const count = rows === undefined || filled === undefined ? undefined : Math.round(rows * filled)
    const finding: Finding = {
      ...{ object: `${relation.name}.${name}`, count, isEstimate, isHarmless: bytes === 0 },
    }
    return [{ finding, type, now: after.columns.get(key)?.type }]
  })
}

export const findDroppedColumns = (comparison: Comparison): Finding[] =>
  compareColumns(comparison).flatMap(({ finding, now }) => (now === undefined ? [finding] : []))

export const findNarrowedColumns = (comparison: Comparison): Finding[] =>
  compareColumns(comparison).flatMap(({ finding, type, now }) =>
    now !== undefined && isNarrowed(type, now) ? [{ ...finding, detail: `from ${type} to ${now}` }] : [],
  )

/** Tables that have a new file, with nothing in it. */
export const findEmptiedTables = ({ before, after, extents }: Comparison): Finding[] =>
  [...before.relations.values()].flatMap(({ id, kind, name: object, file, bytes }) => {
    const now = after.relations.get(id)
    const isEmptied = kind === 'r' && bytes > 0 && now?.bytes === 0 && now.file !== file
    return isEmptied ? [{ object, count: extents.get(id)?.rows, isEstimate }] : []
  })

/** Deleted rows, by the counters of the server. */
export const findDeletedRows = ({ before, after }: Comparison): Finding[] =>
  [...grownCounters(before, after)].flatMap(([id, { deleted: count }]) => {
    const object = before.relations.get(id)?.name
    return object === undefined || count === 0 || !after.relations.has(id) ? [] : [{ object, count }]
  })
