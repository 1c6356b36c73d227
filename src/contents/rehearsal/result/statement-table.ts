/** Renders measured statements as lines and tables of a report. */
import { cap, renderBytes, renderCount } from '#base/bytes'
import { renderDuration } from '#base/duration'
import { type Block, joinPieces, type Line, type Span, table } from '#base/report'
import type { HeldLock, MeasuredStatement, MigrationRun, StatementPlace } from './stored.ts'

/** The most characters in a cell on a phone, and in a word there, which cannot be broken. */
const longestCell = 48
const longestWord = 26

/** Cuts a long word in its middle, since names and paths differ at their ends. */
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

const renderHeld = ({ isShort, held }: HeldLock) => `${isShort ? 'below ' : ''}${renderTime(held)}`

/** The lock that blocks the most comes first. */
const sortLocks = ({ locks }: MeasuredStatement): HeldLock[] =>
  locks.toSorted((first, second) => second.blocks.length - first.blocks.length || second.held - first.held)

const mostLocks = 3

const renderLock = ({ mode, table: name, parts }: HeldLock) =>
  `${mode} ${short(name)}${parts === undefined ? '' : `, ${renderCount(parts)} parts`}`

/** A run, and the page of the run that reports it. It is empty in a summary, which is on that page. */
interface Shown {
  run: Pick<MigrationRun, 'commit'>
  runUrl: string
}

/** The address of a line at the commit of the run. Empty for unsafe names, which a pull request may choose. */
function addressOf({ file, line }: StatementPlace, { run: { commit = '' }, runUrl }: Shown): string {
  const [, repository] = /^(https?:\/\/[\w.:-]+\/[\w.-]+\/[\w.-]+)\/actions\/runs\//.exec(runUrl) ?? []
  const isPlain = /^[0-9a-f]{40,64}$/.test(commit) && !file.split('/').includes('..')
  return repository !== undefined && isPlain ? `${repository}/blob/${commit}/${file}#L${line}` : ''
}

/** The name of a file; of its folder, if a tool gives the same name to the files of all migrations. */
const nameOf = (file: string) => /([^/]+?)(?:\/(?:migration|up|down)\.sql)?$/.exec(file)?.[1]

/** A link with a name that is short enough for a phone. The summary has no links, so it has the whole path. */
function renderPlace(place: StatementPlace, shown: Shown): Span {
  const { file, line } = place
  if (shown.runUrl === '') return { code: `${file}:${line}` }
  return { link: addressOf(place, shown), name: short(`${nameOf(file)}:${line}`) }
}

/** A statement with its place in a file. */
export const renderStatement = ({ place, text }: MeasuredStatement, shown: Shown): Line =>
  joinPieces([place && renderPlace(place, shown), { code: short(text) }], ' ')

export const rewrittenBytes = ({ rewrites }: MeasuredStatement) =>
  rewrites.reduce((sum, { bytes }) => sum + bytes, 0)

function rowOf(statement: MeasuredStatement, shown: Shown): Line[] {
  const locks = sortLocks(statement)
  const [worst] = locks
  const { failure } = statement
  return [
    joinPieces([renderStatement(statement, shown), failure && `failed: ${failure}`], ' '),
    renderTime(statement.duration),
    cap(locks.map(renderLock), mostLocks).join('; ') || '–',
    worst ? renderHeld(worst) : '–',
    worst?.blocks.join(', ') || '–',
    statement.rewrites.length > 0 ? renderBytes(rewrittenBytes(statement)) : '–',
    renderBytes(statement.wal),
  ]
}

/** Statements with locks and cost. `held` and `blocks` belong to the first lock. `omitted` counts further statements. */
export const statementTable = (statements: MeasuredStatement[], omitted: number, shown: Shown): Block =>
  table(
    ['statement', 'time', 'lock', 'held', 'blocks', 'rewritten', 'WAL'],
    statements.map(statement => rowOf(statement, shown)),
    { noun: 'statements', total: statements.length + omitted },
  )
