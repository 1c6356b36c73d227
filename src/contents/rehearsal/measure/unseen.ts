/** Finds changes to tables that no measured statement touched. */
import { holdsRows, type Relation, type Tables, tableOf } from './catalog.ts'
import type { Column } from './catalog-queries.ts'
import type { Recorder } from './recorder.ts'

/** Texts that differ after a change. */
const tableKey = (table: Relation | undefined) => table && `${table.name} ${table.file}`
const columnKey = (column: Column | undefined) => column && `${column.name} ${column.typeId}`

const isPart = ({ relations }: Tables, id: number) => relations.get(id)?.isPart ?? false

function* findChanged(before: Tables, after: Tables): Generator<number> {
  for (const [id, was] of before.relations) {
    const isChanged = tableKey(was) !== tableKey(after.relations.get(id))
    if (isChanged && holdsRows(was)) yield id
  }
  for (const [key, { table }] of [...before.columns, ...after.columns]) {
    // Attaching or detaching a partition changes none of its columns.
    if (isPart(before, table) !== isPart(after, table)) continue
    const [was, is] = [before.columns.get(key), after.columns.get(key)]
    if (columnKey(was) !== columnKey(is)) yield table
  }
}

/** The reason if a table changed that no statement touched: a connection may bypass the tap. */
export function findUnseen(before: Tables, after: Tables, { touched }: Recorder): string | undefined {
  for (const id of findChanged(before, after)) {
    const table = tableOf(before, id)
    if (table === undefined || touched.has(table.id)) continue
    return `${table.name} was changed by a connection that was not measured: use DATABASE_URL for the whole command, and change the preview in no other way meanwhile`
  }
  return undefined
}
