import { renderBytes, renderCount } from '../../base/bytes.ts'
import { renderDuration } from '../../base/duration.ts'
import { describeVerdict, type MigrationsSum } from '../../contents/rehearsal/result/history.ts'
import {
  describeConditions,
  describeWaiting,
  renderMoment,
} from '../../contents/rehearsal/result/rehearsal.ts'
import type {
  HeldLock,
  MeasuredStatement,
  Rehearsal,
  Violation,
} from '../../contents/rehearsal/result/stored.ts'
import type { Cell } from './cell.ts'
import { renderFolded } from './folded.ts'

/** How many rows of a table are shown: GitHub takes a summary of 1 MiB. */
const mostRows = 200

const marks: Record<Rehearsal['verdict'], string> = { passed: '✅', failed: '❌', 'not measured': '❔' }

const renderPlace = ({ place }: Pick<MeasuredStatement, 'place'>) =>
  place ? `${place.file}:${place.line} ` : ''

const renderLock = ({ mode, table, parts }: HeldLock) =>
  `${mode} on ${table}${parts === undefined ? '' : `, ${renderCount(parts)} parts`}`

const renderTime = (milliseconds: number) =>
  milliseconds < 1000 ? `${Math.ceil(milliseconds)}ms` : renderDuration(milliseconds)

/** A row for each lock of a statement, or one where it took none; what is about the whole statement stands in the first. */
function rowsOf(statement: MeasuredStatement): string[][] {
  const { locks, rewrites, rows, wal, text, duration, failure } = statement
  const bytes = rewrites.reduce((sum, one) => sum + one.bytes, 0)
  const changed = rows.map(({ table, inserted, updated, deleted }) => {
    const counts = Object.entries({ inserted, updated, deleted }).filter(([, count]) => count > 0)
    return `${counts.map(([what, count]) => `${renderCount(count)} ${what}`).join(', ')} in ${table}`
  })
  const first = [
    rewrites.length > 0 ? renderBytes(bytes) : '',
    changed.join('; '),
    wal > 0 ? renderBytes(wal) : '',
    renderTime(duration),
  ]
  const head = `${renderPlace(statement)}${text}${failure ? ` failed: ${failure}` : ''}`
  if (locks.length === 0) return [[head, '', '', '', ...first]]
  return locks.map((lock, index) => [
    index === 0 ? head : '',
    renderLock(lock),
    `${renderTime(lock.held)}${describeWaiting(lock)}`,
    lock.blocks.join(', '),
    ...(index === 0 ? first : ['', '', '', '']),
  ])
}

const heads = ['statement', 'lock', 'held', 'blocks', 'rewritten', 'rows', 'WAL', 'took']

function renderStatements(statements: MeasuredStatement[], cell: Cell): string {
  const all = statements.flatMap(rowsOf)
  const shown = all.slice(0, mostRows).map(cells => cells.map(text => cell(text)))
  const lines = [heads, heads.map(() => '---'), ...shown].map(cells => `| ${cells.join(' | ')} |`)
  const more = all.length - mostRows
  return [lines.join('\n'), ...(more > 0 ? [`… and ${more} more rows.`] : [])].join('\n\n')
}

const isNotable = ({ locks, rewrites, rows, failure }: MeasuredStatement) =>
  failure !== undefined ||
  rewrites.length > 0 ||
  rows.some(({ updated, deleted }) => updated + deleted > 0) ||
  locks.some(({ blocks }) => blocks.length > 0)

/** How many violations are listed, and characters of each text. */
const mostViolations = 50
const longestText = 500

/** A line for each limit that was exceeded, and what to do, or why that is ignored. */
function renderViolations(violations: Violation[], cell: Cell): string {
  const lines = violations.slice(0, mostViolations).map(one => {
    const { message, advice, ignored } = one
    const end =
      ignored === undefined
        ? `: ${cell(advice, longestText)}`
        : `; ignored because ${cell(ignored, longestText)}`
    return `- ${cell(`${renderPlace(one)}${message}`, longestText)}${end}`
  })
  const more = violations.length - mostViolations
  return [...lines, ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n')
}

/** What all migrations of a preview come to, as parts of a summary. */
export function renderMigrationsSum(sum: MigrationsSum | undefined, cell: Cell): string[] {
  if (sum === undefined) return []
  return [`Migrations: ${marks[sum.verdict]} ${describeVerdict(sum)}`, renderViolations(sum.violations, cell)]
}

/** What a migration did, as parts of a summary. `cell` makes any text harmless. */
export function renderRehearsalSection(rehearsal: Rehearsal | undefined, cell: Cell): string[] {
  if (rehearsal === undefined) return []
  const { verdict, violations, statements, effects, problem, duration, wal, temporaryBytes, measuredOn } =
    rehearsal
  const notable = statements.filter(isNotable)
  const at = renderMoment(Date.parse(measuredOn.at))
  const where = [at && `at ${at}`, describeConditions(measuredOn, cell)].filter(Boolean).join(', ')
  const counts = `${renderTime(duration)}, ${renderBytes(wal)} of WAL, ${renderBytes(temporaryBytes)} of temporary files`
  return [
    `Migration: ${marks[verdict]} ${cell([describeVerdict(rehearsal), problem].filter(Boolean).join(': '))} (${counts})`,
    renderViolations(violations, cell),
    notable.length > 0 ? renderStatements(notable, cell) : '',
    effects.map(({ message }) => `- Data: ${cell(message)}`).join('\n'),
    statements.length > 0
      ? renderFolded(`Statements ${statements.length}`, renderStatements(statements, cell))
      : '',
    `Measured ${where}, without other traffic: queues behind locks and deadlocks of production cannot be seen. What is written to the log of the server counts whoever wrote it.`,
  ]
}
