import { renderBytes } from '../../../base/bytes.ts'
import { renderDuration } from '../../../base/duration.ts'
import { describeWaiting } from './rehearsal.ts'
import type { HeldLock, MeasuredStatement } from './stored.ts'

/** Where it is to stand: how a text is made harmless there, and how much room there is. */
export interface Page {
  /** For sentences and names in them. */
  words(text: string): string
  /** For code. */
  code(text: string): string
  /** The same for a text of several lines. */
  block(text: string): string
  /** Characters. */
  room: number
  /** The page of a run as a link; undefined where the address is none to link to. */
  link(url: string | undefined): string | undefined
}

/** Characters of a text in a cell, and of a word in it, where no line can be broken. */
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

/** The lock of a statement that most have to wait for. */
const worstLock = ({ locks }: MeasuredStatement): HeldLock | undefined =>
  locks.toSorted((one, other) => other.blocks.length - one.blocks.length || other.held - one.held)[0]

export const renderStatement = ({ place, text, failure }: MeasuredStatement, { code, words }: Page) =>
  [
    place && code(short(`${place.file.split('/').at(-1)}:${place.line}`)),
    code(short(text)),
    failure && `failed: ${words(failure)}`,
  ]
    .filter(Boolean)
    .join(' ')

export function renderRow(statement: MeasuredStatement, page: Page): string {
  const lock = worstLock(statement)
  const others = statement.locks.length - 1
  const rewritten = statement.rewrites.reduce((sum, { bytes }) => sum + bytes, 0)
  const locked = lock && [
    `${lock.mode} ${page.words(short(lock.table))}`,
    lock.parts && `${lock.parts} parts`,
    others > 0 && `and ${others} more`,
  ]
  const cells = [
    renderStatement(statement, page),
    locked ? locked.filter(Boolean).join(', ') : '–',
    lock ? `${renderTime(lock.held)}${describeWaiting(lock)}` : '–',
    lock?.blocks.join(', ') || '–',
    statement.rewrites.length > 0 ? renderBytes(rewritten) : '–',
    renderBytes(statement.wal),
  ]
  return `| ${cells.join(' | ')} |`
}

export const head = ['| statement | lock | held | blocks | rewritten | WAL |', '|---|---|---|---|---|---|']
