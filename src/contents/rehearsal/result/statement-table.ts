/** Measured statements as lines and tables of a report. */
import { renderBytes, renderCount } from '#base/bytes'
import { renderDuration } from '#base/duration'
import { type Block, joined, type Line, table } from '#base/report'
import { describeWaiting } from './rehearsal.ts'
import type { HeldLock, MeasuredStatement } from './stored.ts'

/** Characters of a text in a cell that fits a phone, and of a word in it, where no line can be broken. */
const longestCell = 48
const longestWord = 26

/** A long word is cut in its middle: names and paths differ at their ends. */
function shortWord(word: string): string {
  const characters = [...word]
  if (characters.length <= longestWord) return word
  return [...characters.slice(0, 10), '…', ...characters.slice(-15)].join('')
}

function short(text: string): string {
  const characters = [...text.replace(/\S+/g, shortWord)]
  return characters.length > longestCell
    ? `${characters.slice(0, longestCell).join('')}…`
    : characters.join('')
}

export const renderTime = (milliseconds: number) =>
  milliseconds < 1000 ? `${Math.ceil(milliseconds)}ms` : renderDuration(milliseconds)

const renderHeld = (lock: HeldLock) =>
  lock.isShort ? `below ${renderTime(lock.held)}` : `${renderTime(lock.held)}${describeWaiting(lock)}`

/** The lock of a statement that most have to wait for. */
const worstLock = ({ locks }: MeasuredStatement): HeldLock | undefined =>
  locks.toSorted((one, other) => other.blocks.length - one.blocks.length || other.held - one.held)[0]

const shortStatement = ({ place, text, failure }: MeasuredStatement): Line =>
  joined(
    [
      place && { code: short(`${place.file.split('/').at(-1)}:${place.line}`) },
      { code: short(text) },
      failure && `failed: ${failure}`,
    ],
    ' ',
  )

const rewrittenBytes = ({ rewrites }: MeasuredStatement) =>
  rewrites.reduce((sum, { bytes }) => sum + bytes, 0)

function shortRow(statement: MeasuredStatement): Line[] {
  const lock = worstLock(statement)
  const others = statement.locks.length - 1
  return [
    shortStatement(statement),
    lock
      ? joined(
          [
            `${lock.mode} ${short(lock.table)}`,
            lock.parts !== undefined && `${lock.parts} parts`,
            others > 0 && `and ${others} more`,
          ],
          ', ',
        )
      : '–',
    lock ? renderHeld(lock) : '–',
    lock?.blocks.join(', ') || '–',
    statement.rewrites.length > 0 ? renderBytes(rewrittenBytes(statement)) : '–',
    renderBytes(statement.wal),
  ]
}

/** The strongest lock of each statement, and its cost. */
export const worstTable = (statements: MeasuredStatement[]): Block =>
  table(['statement', 'lock', 'held', 'blocks', 'rewritten', 'WAL'], statements.map(shortRow))

/** Each statement and its duration, for a narrow page. `omitted`: how many statements are not among them. */
export const durationTable = (statements: MeasuredStatement[], omitted: number): Block =>
  table(
    ['statement', 'time'],
    statements.map(statement => [shortStatement(statement), renderTime(statement.duration)]),
    { total: statements.length + omitted },
  )

const renderLock = ({ mode, table: name, parts }: HeldLock) =>
  `${mode} on ${name}${parts === undefined ? '' : `, ${renderCount(parts)} parts`}`

/** A row for each lock of a statement, or one row if it took none. The first one also shows the facts of the whole statement. */
function rowsOf(statement: MeasuredStatement): Line[][] {
  const { locks, rewrites, rows, wal, text, duration, failure, place } = statement
  const changed = rows.map(({ table: name, inserted, updated, deleted }) => {
    const counts = Object.entries({ inserted, updated, deleted }).filter(([, count]) => count > 0)
    return `${counts.map(([verb, count]) => `${renderCount(count)} ${verb}`).join(', ')} in ${name}`
  })
  const facts = [
    rewrites.length > 0 ? renderBytes(rewrittenBytes(statement)) : '',
    changed.join('; '),
    wal > 0 ? renderBytes(wal) : '',
    renderTime(duration),
  ]
  const head = joined(
    [place && { code: `${place.file}:${place.line}` }, { code: text }, failure && `failed: ${failure}`],
    ' ',
  )
  if (locks.length === 0) return [[head, '', '', '', ...facts]]
  return locks.map((lock, index) => [
    index === 0 ? head : '',
    renderLock(lock),
    renderHeld(lock),
    lock.blocks.join(', '),
    ...(index === 0 ? facts : ['', '', '', '']),
  ])
}

/** All that was measured of each statement. */
export const statementTable = (statements: MeasuredStatement[]): Block =>
  table(
    ['statement', 'lock', 'held', 'blocks', 'rewritten', 'rows', 'WAL', 'took'],
    statements.flatMap(rowsOf),
  )
