/** Decides which of several statements took a lock or rewrote a table. */
import type { MeasuredStatement } from '../result/stored.ts'
import { isPlain, isSteering } from '../tap/statements.ts'

/** A statement with its whole text. The text may contain values of rows. */
export interface Recorded extends MeasuredStatement {
  sql: string
  sentAt: number
  startedAt: number
  endedAt: number
}

const wordCharacter = /[\w$\u0080-\uffff]/

/** Whether a statement contains the last part of a table's name as a whole word. */
export function mentions({ sql }: Pick<Recorded, 'sql'>, name: string): boolean {
  const word = (name.split('.').at(-1) ?? name).replaceAll('"', '').toLowerCase()
  const text = sql.toLowerCase()
  const isWordAt = (at: number) =>
    !wordCharacter.test(text[at - 1] ?? '') && !wordCharacter.test(text[at + word.length] ?? '')
  let at = text.indexOf(word)
  while (at >= 0 && !isWordAt(at)) at = text.indexOf(word, at + 1)
  return at >= 0
}

/** Of the statements since the last lock snapshot, the one that took a lock on a table. */
export function chooseTaker(
  unread: Recorded[],
  table: string,
  seen: { from: number; until: number } | undefined,
): Recorded | undefined {
  const during = unread.filter(one => seen && one.startedAt <= seen.until && one.endedAt >= seen.from)
  const changing = (some: Recorded[]) => some.filter(({ sql }) => !isPlain(sql))
  const naming = (some: Recorded[]) => some.find(one => mentions(one, table))
  // The server answers the statements of one message at once, so their times differ too little to compare.
  return (
    naming(changing(during)) ??
    naming(changing(unread)) ??
    changing(during)[0] ??
    changing(unread)[0] ??
    naming(during) ??
    naming(unread) ??
    unread.findLast(({ sql }) => !isSteering(sql)) ??
    unread.at(-1)
  )
}

/** The statement that gave a table a new file. Of several, the one that wrote the most WAL. */
export function chooseRewriter(possible: Recorded[], table: string): Recorded | undefined {
  const named = possible.filter(one => mentions(one, table))
  return (named.length > 0 ? named : possible).toSorted((one, other) => other.wal - one.wal)[0]
}
