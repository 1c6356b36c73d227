/** Attributes locks, new files and changed rows to statements, by their text. */
import { isNonBlocking, isSessionControl } from '#contents/sql/split-statements'
import { isStronger, type LockMode } from '../result/lock-modes.ts'
import { essenceOf } from '../result/statement-text.ts'
import type { ChangedRows, MeasuredStatement } from '../result/stored.ts'
import { isTable, type Relation, type Tables } from './catalog.ts'

/** A statement with its whole text. The text may contain values of rows. */
export interface RecordedStatement extends Omit<MeasuredStatement, 'text'> {
  sql: string
  sentAt: number
  startedAt: number
  endedAt: number
}

const wordCharacter = /[\w$\u0080-\uffff]/

/** True if a statement contains the last part of a table's name as a whole word. */
export function mentions({ sql }: Pick<RecordedStatement, 'sql'>, name: string): boolean {
  const word = (name.split('.').at(-1) ?? name).replaceAll('"', '').toLowerCase()
  const text = sql.toLowerCase()
  const isWordAt = (at: number) =>
    !wordCharacter.test(text[at - 1] ?? '') && !wordCharacter.test(text[at + word.length] ?? '')
  let at = text.indexOf(word)
  while (at >= 0 && !isWordAt(at)) at = text.indexOf(word, at + 1)
  return at >= 0
}

/** Statements that never take a stronger lock on a table (PostgreSQL documentation, 13.3.1). */
const strongestModes: [RegExp, LockMode][] = [
  [/^\s*create\s+(?:unique\s+)?index\b/i, 'SHARE'],
  [/^\s*create\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\b/i, 'SHARE ROW EXCLUSIVE'],
  [/^\s*comment\b/i, 'SHARE UPDATE EXCLUSIVE'],
]

/** False if the statement is known to take only weaker locks. */
export const canTake = ({ sql }: Pick<RecordedStatement, 'sql'>, mode: LockMode): boolean =>
  !strongestModes.some(([statement, strongest]) => isStronger(mode, strongest) && statement.test(sql))

/** The statement since the last snapshot that most probably took a lock. `span`: the time in which it was taken. */
export function chooseLocker(
  unread: RecordedStatement[],
  table: string,
  mode: LockMode,
  span: { from: number; until: number },
): RecordedStatement | undefined {
  const during = unread.filter(({ startedAt, endedAt }) => startedAt <= span.until && endedAt >= span.from)
  const isBlocking = (statement: RecordedStatement) =>
    !isNonBlocking(statement.sql) && canTake(statement, mode)
  const namesTable = (statement: RecordedStatement) => mentions(statement, table)
  // The server answers the statements of one message at once, so their times may be too close to compare. A statement that
  // names the table is therefore preferred to one that ran during the span.
  const candidates = [
    during.filter(isBlocking).find(namesTable),
    unread.filter(isBlocking).find(namesTable),
    during.find(isBlocking),
    unread.find(isBlocking),
    during.find(namesTable),
    unread.find(namesTable),
    unread.findLast(({ sql }) => !isSessionControl(sql)),
    unread.at(-1),
  ]
  return candidates.find(candidate => candidate !== undefined)
}

/** The statement that gave a table a new file. Of several, the one that wrote the most WAL. */
export function chooseRewriter(possible: RecordedStatement[], table: string): RecordedStatement | undefined {
  const named = possible.filter(one => mentions(one, table))
  return (named.length > 0 ? named : possible).toSorted((first, second) => second.wal - first.wal)[0]
}

const verbs = {
  UPDATE: { counter: 'updated', target: /\bUPDATE (?:ONLY )?(\S+)/i },
  DELETE: { counter: 'deleted', target: /\bDELETE FROM (?:ONLY )?(\S+)/i },
  MERGE: { counter: 'updated', target: /\bMERGE INTO (?:ONLY )?(\S+)/i },
} as const

const partsOf = (name: string) => name.split('.').map(part => part.replace(/^"(.*)"$/, '$1'))

/** Tables by their names in statements: the full name, or the last part alone if only one table has it. */
export type TablesByName = Map<string, Relation | undefined>

export function tablesByName({ relations }: Tables): TablesByName {
  const tables = [...relations.values()].filter(isTable)
  const byLast = Map.groupBy(tables, ({ name }) => partsOf(name).at(-1) ?? name)
  const similar = [...byLast].map(([name, all]) => [name, all.length === 1 ? all[0] : undefined] as const)
  return new Map([...similar, ...tables.map(one => [partsOf(one.name).join('.'), one] as const)])
}

/** Undefined if the statement changed no earlier row, or the table did not exist before the migration. */
export function readChange(
  tables: TablesByName,
  sql: string,
  tag: string,
): Omit<ChangedRows, 'held'> | undefined {
  const [, word = '', number = ''] = /^(\w+) (\d+)$/.exec(tag) ?? []
  const verb = Object.entries(verbs).find(([name]) => name === word)?.[1]
  const count = Number(number)
  if (verb === undefined || count === 0) return undefined
  const [, written = ''] = verb.target.exec(essenceOf(sql).replaceAll(' . ', '.')) ?? []
  const parts = partsOf(written.includes('"') ? written : written.toLowerCase())
  const table =
    tables.get(parts.filter(part => part !== 'public').join('.')) ?? tables.get(parts.at(-1) ?? '')
  return table && { table: table.name, updated: 0, deleted: 0, [verb.counter]: count }
}
