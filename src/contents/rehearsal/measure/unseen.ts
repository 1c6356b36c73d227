/** Finds changes to tables that no measured statement touched. */
import { type Catalog, type Column, type Relation, tableOf } from './catalog.ts'
import type { Recorder } from './recorder.ts'

/** A text that differs after a change. */
const describeTable = ({ name, file }: Relation) => `${name} ${file}`
const describeColumn = ({ name, typeId }: Column) => `${name} ${typeId}`

const isPart = ({ relations }: Catalog, id: number) => relations.get(id)?.isPart ?? false

function* findChanged(before: Catalog, after: Catalog): Generator<number> {
  for (const [id, relation] of before.relations) {
    const now = after.relations.get(id)
    if (
      /^[rpmf]$/.test(relation.kind) &&
      (now === undefined || describeTable(now) !== describeTable(relation))
    )
      yield id
  }
  for (const [key, column] of [...before.columns, ...after.columns]) {
    // Attaching or detaching a partition changes none of its columns.
    if (isPart(before, column.table) !== isPart(after, column.table)) continue
    const [was, is] = [before.columns.get(key), after.columns.get(key)]
    if (was === undefined || is === undefined || describeColumn(was) !== describeColumn(is))
      yield column.table
  }
}

/**
 * Returns the reason if a table changed that no measured statement touched. Some connections of a command may bypass the tap, or
 * another session may change the database.
 */
export function findUnseen(before: Catalog, after: Catalog, { touched }: Recorder): string | undefined {
  for (const id of findChanged(before, after)) {
    const table = tableOf(before, id)
    if (table === undefined || touched.has(table.id)) continue
    return `${table.name} was changed by a connection that was not measured: use DATABASE_URL for the whole command, and change the preview in no other way meanwhile`
  }
  return undefined
}
