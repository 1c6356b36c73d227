/** Finds the locks that were too short for a sample, by the changes that they left in the catalog. */
import type { LockMode } from '../result/lock-modes.ts'
import { isPlain } from '../tap/statements.ts'
import { mentions, type Recorded } from './attribution.ts'
import { type Catalog, type Relation, tableOf } from './catalog.ts'
import type { Recorder } from './recorder.ts'
import { describeLock } from './strongest-locks.ts'

/** Milliseconds: a longer lock is in a sample. */
export const shortest = 5

/** The tables that got an index. */
function findIndexed(before: Catalog, after: Catalog): Set<number | undefined> {
  const added = [...after.relations.values()].filter(
    ({ id, kind }) => /^[iI]$/.test(kind) && !before.relations.has(id),
  )
  return new Set(added.map(({ id }) => tableOf(after, id)?.id))
}

/** The mode of the lock that a change of a table or of its part needs. Undefined if its definition is as it was. */
function modeOf(one: Relation, after: Catalog, indexed: Set<number | undefined>): LockMode | undefined {
  const now = after.relations.get(one.id)
  if (now === undefined || now.shape !== one.shape || now.file !== one.file) return 'ACCESS EXCLUSIVE'
  return indexed.has(one.id) ? 'SHARE' : undefined
}

/** Statements that can change a table: those that say so, and then functions, which SELECT calls. */
const possibleIn = ({ statements }: Recorder): Recorded[] => {
  const alone = statements.filter(one => !one.exact && !one.failure)
  const calling = alone.filter(({ sql }) => /^\s*(?:select|with)\b/i.test(sql))
  return [...alone.filter(({ sql }) => !isPlain(sql)), ...calling]
}

/** Adds a lock to the statement outside a transaction that names a changed table, where no lock on it was seen. */
export function addShortLocks(before: Catalog, after: Catalog, recorder: Recorder): void {
  const possible = possibleIn(recorder)
  if (possible.length === 0) return
  const indexed = findIndexed(before, after)
  for (const one of before.relations.values()) {
    const table = tableOf(before, one.id)
    if (table === undefined || !/^[rpmf]$/.test(one.kind) || recorder.touched.has(table.id)) continue
    const mode = modeOf(one, after, indexed)
    const statement = mode && possible.find(sent => mentions(sent, one.name) || mentions(sent, table.name))
    if (mode === undefined || statement === undefined) continue
    recorder.touched.add(table.id)
    const isConcurrent = /^\s*create\b.*\bconcurrently\b/is.test(statement.sql)
    const taken = {
      table,
      mode: isConcurrent ? 'SHARE UPDATE EXCLUSIVE' : mode,
      relations: new Set<number>(),
    } as const
    statement.locks.push({ ...describeLock(before, taken), held: shortest, isShort: true })
    const now = after.relations.get(one.id)
    if (now?.file !== undefined && now.file !== one.file)
      statement.rewrites.push({ table: table.name, bytes: now.bytes })
  }
}
