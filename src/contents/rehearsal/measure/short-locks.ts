/** Finds locks that were too short for a sample, from their changes in the catalog. */
import { isNonBlocking } from '#contents/sql/split-statements'
import { isStronger, type LockMode } from '../result/lock-modes.ts'
import { canTake, mentions, type RecordedStatement } from './attribution.ts'
import { isIndex, type Relation, type Tables, tableOf } from './catalog.ts'
import { describeLock, isShown } from './locks.ts'
import type { Recorder } from './recorder.ts'

/** Milliseconds. A sample contains every longer lock. */
const longestUnsampled = 5

/** The locks of adding and changing a dependent of a table. Dropping one takes ACCESS EXCLUSIVE. */
const dependentModes: Record<string, { added: LockMode; changed: LockMode }> = {
  trigger: { added: 'SHARE ROW EXCLUSIVE', changed: 'SHARE ROW EXCLUSIVE' },
  reference: { added: 'SHARE ROW EXCLUSIVE', changed: 'SHARE UPDATE EXCLUSIVE' },
  referenced: { added: 'SHARE ROW EXCLUSIVE', changed: 'ROW SHARE' },
  constraint: { added: 'ACCESS EXCLUSIVE', changed: 'SHARE UPDATE EXCLUSIVE' },
  index: { added: 'SHARE', changed: 'SHARE UPDATE EXCLUSIVE' },
  policy: { added: 'ACCESS EXCLUSIVE', changed: 'ACCESS EXCLUSIVE' },
  rule: { added: 'ACCESS EXCLUSIVE', changed: 'ACCESS EXCLUSIVE' },
  options: { added: 'ACCESS EXCLUSIVE', changed: 'SHARE UPDATE EXCLUSIVE' },
}

/** A change of a table or its part: the strongest lock that the change needs, and the names that its statement may contain. */
interface Trace {
  mode: LockMode | undefined
  names: string[]
}

/** Compares a table or its part before and after the migration. */
function findTrace(before: Tables, was: Relation, table: Relation, now: Relation | undefined): Trace {
  const names = [was.name, table.name]
  const modes: LockMode[] = []
  if (now === undefined || now.shape !== was.shape) modes.push('ACCESS EXCLUSIVE')
  else if (now.file !== was.file) modes.push(was.kind === 'S' ? 'SHARE ROW EXCLUSIVE' : 'ACCESS EXCLUSIVE')
  for (const key of new Set([...Object.keys(was.dependents), ...Object.keys(now?.dependents ?? {})])) {
    const [earlier, later] = [was.dependents[key], now?.dependents[key]]
    const modesOfKind = dependentModes[key.split(' ')[0] ?? '']
    const dependent = earlier ?? later
    if (earlier?.state === later?.state || modesOfKind === undefined || dependent === undefined) continue
    if (later === undefined) modes.push('ACCESS EXCLUSIVE')
    else modes.push(earlier === undefined ? modesOfKind.added : modesOfKind.changed)
    names.push(dependent.name, ...dependent.tables.flatMap(id => tableOf(before, id)?.name ?? []))
  }
  const [strongest] = modes.sort((first, second) => (isStronger(first, second) ? -1 : 1))
  return { mode: strongest, names }
}

/** Statements that can change a table: DDL first, then SELECT and others that call functions. */
const findPossible = ({ statements }: Recorder): RecordedStatement[] => {
  const outsideTransactions = statements.filter(statement => !statement.exact && !statement.failure)
  const calling = outsideTransactions.filter(({ sql }) => /^\s*(?:select|with)\b/i.test(sql))
  return [...outsideTransactions.filter(({ sql }) => !isNonBlocking(sql)), ...calling]
}

const concurrent = /^\s*(?:create|drop|reindex)\b.*\bconcurrently\b/is

/** Adds a lock to the statement outside a transaction that names a changed table, if only weaker locks were seen. */
export function addShortLocks(before: Tables, after: Tables, recorder: Recorder): void {
  const possible = findPossible(recorder)
  if (possible.length === 0) return
  for (const relation of before.relations.values()) {
    const table = tableOf(before, relation.id)
    if (table === undefined || isIndex(relation) || relation.kind === 't') continue
    const now = after.relations.get(relation.id)
    const { mode: needed, names } = findTrace(before, relation, table, now)
    if (needed === undefined || !isShown(needed)) continue
    const naming = possible.filter(sent => names.some(name => mentions(sent, name)))
    let statement = naming.find(sent => canTake(sent, needed)) ?? naming[0]
    // DROP also drops dependents that it does not name, such as the sequence of a column.
    if (now === undefined) statement ??= possible.find(({ sql }) => /\bdrop\b/i.test(sql))
    if (statement === undefined) continue
    const mode = concurrent.test(statement.sql) ? 'SHARE UPDATE EXCLUSIVE' : needed
    const known = recorder.statements.flatMap(({ locks }) => locks).filter(lock => lock.table === table.name)
    if (known.some(lock => !isStronger(mode, lock.mode))) continue
    recorder.touched.add(table.id)
    const taken = { table, mode, relations: new Set<number>() }
    statement.locks.push({ ...describeLock(before, taken), held: longestUnsampled, isShort: true })
    const isKnown = statement.rewrites.some(rewrite => rewrite.table === table.name)
    if (!isKnown && relation.kind !== 'S' && now && now.file !== null && now.file !== relation.file)
      statement.rewrites.push({ table: table.name, bytes: now.bytes })
  }
}
