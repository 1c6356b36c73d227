/** Finds the locks that were too short for a sample, by the changes that they left in the catalog. */
import { isStronger, type LockMode } from '../result/lock-modes.ts'
import { isPlain } from '../tap/statements.ts'
import { mentions, type Recorded } from './attribution.ts'
import { type Catalog, type Relation, tableOf } from './catalog.ts'
import type { Recorder } from './recorder.ts'
import { describeLock } from './strongest-locks.ts'

/** Milliseconds: a longer lock is in a sample. */
export const shortest = 5

/** The locks that adding and changing a dependent of a table takes. Dropping one takes ACCESS EXCLUSIVE. */
const dependentModes: Record<string, { added: LockMode; changed: LockMode }> = {
  trigger: { added: 'SHARE ROW EXCLUSIVE', changed: 'SHARE ROW EXCLUSIVE' },
  reference: { added: 'SHARE ROW EXCLUSIVE', changed: 'SHARE UPDATE EXCLUSIVE' },
  constraint: { added: 'ACCESS EXCLUSIVE', changed: 'SHARE UPDATE EXCLUSIVE' },
  index: { added: 'SHARE', changed: 'SHARE UPDATE EXCLUSIVE' },
  policy: { added: 'ACCESS EXCLUSIVE', changed: 'ACCESS EXCLUSIVE' },
  rule: { added: 'ACCESS EXCLUSIVE', changed: 'ACCESS EXCLUSIVE' },
}

const strongestOf = <Mode extends string>(modes: Mode[]): Mode | undefined =>
  modes.toSorted((one, other) => (isStronger(one, other) ? -1 : 1))[0]

/** The strongest lock that the changes of a table or of its part need. Undefined if its definition is as it was. */
function modeOf(was: Relation, after: Catalog): LockMode | undefined {
  const now = after.relations.get(was.id)
  if (now === undefined || now.shape !== was.shape || now.file !== was.file) return 'ACCESS EXCLUSIVE'
  const keys = new Set([...Object.keys(was.dependents), ...Object.keys(now.dependents)])
  return strongestOf(
    [...keys].flatMap(key => {
      const [earlier, later] = [was.dependents[key], now.dependents[key]]
      const modes = dependentModes[key.split(' ')[0] ?? '']
      if (earlier === later || modes === undefined) return []
      return earlier === undefined ? modes.added : later === undefined ? 'ACCESS EXCLUSIVE' : modes.changed
    }),
  )
}

/** Statements that can change a table: those that say so, and then functions, which SELECT calls. */
const possibleIn = ({ statements }: Recorder): Recorded[] => {
  const alone = statements.filter(one => !one.exact && !one.failure)
  const calling = alone.filter(({ sql }) => /^\s*(?:select|with)\b/i.test(sql))
  return [...alone.filter(({ sql }) => !isPlain(sql)), ...calling]
}

/** The strongest lock on each table that was seen, by the name of the table. */
function seenIn({ statements }: Recorder): Map<string, string | undefined> {
  const locks = Map.groupBy(
    statements.flatMap(one => one.locks),
    ({ table }) => table,
  )
  return new Map([...locks].map(([table, all]) => [table, strongestOf(all.map(({ mode }) => mode))]))
}

const concurrent = /^\s*(?:create|drop|reindex)\b.*\bconcurrently\b/is

/** Adds a lock to the statement outside a transaction that names a changed table, where only weaker locks on it were seen. */
export function addShortLocks(before: Catalog, after: Catalog, recorder: Recorder): void {
  const possible = possibleIn(recorder)
  if (possible.length === 0) return
  const seen = seenIn(recorder)
  for (const one of before.relations.values()) {
    const table = tableOf(before, one.id)
    if (table === undefined || !/^[rpmf]$/.test(one.kind)) continue
    const needed = modeOf(one, after)
    if (needed === undefined) continue
    const statement = possible.find(sent => mentions(sent, one.name) || mentions(sent, table.name))
    if (statement === undefined) continue
    const mode = concurrent.test(statement.sql) ? 'SHARE UPDATE EXCLUSIVE' : needed
    const known = seen.get(table.name)
    if (known !== undefined && !isStronger(mode, known)) continue
    recorder.touched.add(table.id)
    seen.set(table.name, mode)
    const taken = { table, mode, relations: new Set<number>() }
    statement.locks.push({ ...describeLock(before, taken), held: shortest, isShort: true })
    const now = after.relations.get(one.id)
    const isKnown = statement.rewrites.some(rewrite => rewrite.table === table.name)
    if (!isKnown && now?.file !== undefined && now.file !== one.file)
      statement.rewrites.push({ table: table.name, bytes: now.bytes })
  }
}
