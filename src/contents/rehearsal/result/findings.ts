/** The findings of rehearsals as table rows: the worst first, each with its advice in the same cell. */
import { renderBytes } from '#base/bytes'
import { type Block, joinPieces, type Line, type Span, table, withCode } from '#base/report'
import { countingViolations, worstFirst } from './history.ts'
import { renderStatement, rewrittenBytes } from './statement-table.ts'
import { isRead } from './statement-text.ts'
import type { Effect, MeasuredStatement, MigrationRun, Rehearsal, Violation } from './stored.ts'

/** Groups of findings with their icons, the worst first. */
const grades = {
  failed: '❌',
  exceeded: '❌',
  'lost without approval': '❌',
  lost: '❗',
  ignored: '⚠',
  advised: '⚠',
} as const

type Grade = keyof typeof grades

interface FindingRow {
  grade: Grade
  statement: Line
  effect: readonly Span[]
}

/** A message with the name of its table as code. */
export function renderMessage({ message, table: name }: Pick<Violation, 'message' | 'table'>): Span[] {
  const at = name === undefined ? -1 : ` ${message} `.indexOf(` ${name} `)
  if (name === undefined || at < 0) return [message]
  return [message.slice(0, at), { code: name }, message.slice(at + name.length)]
}

const renderAdvice = (text: string): Span => ({
  advice: withCode(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`),
})

/** The finding of a statement, or of the whole migration. */
function rowOf(shown: Line, violations: Violation[], statement?: MeasuredStatement): FindingRow {
  const failure = statement?.failure
  const counting = countingViolations({ violations })
  // A violation of max_rewrite already names the bytes.
  const isReported = violations.some(({ limit }) => limit === 'max_rewrite')
  const isRewritten = statement !== undefined && statement.rewrites.length > 0 && !isReported
  const parts: (Line | false)[] = [
    failure !== undefined && [{ strong: 'failed:' }, ' ', failure],
    ...violations.map(one => [
      ...renderMessage(one),
      ...(one.ignored === undefined ? [] : ['; ignored because ', one.ignored]),
    ]),
    isRewritten && `rewrites ${renderBytes(rewrittenBytes(statement))}`,
  ]
  const [first] = counting
  return {
    grade: failure !== undefined ? 'failed' : first ? 'exceeded' : 'ignored',
    statement: shown,
    effect: [...joinPieces(parts, ', '), ...(first ? [renderAdvice(first.advice)] : [])],
  }
}

function rowOfViolation(violation: Violation): FindingRow {
  const { place } = violation
  return rowOf(place ? { code: `${place.file}:${place.line}` } : '', [violation])
}

/** Statements with violations or an error, then violations of the whole migration. */
function rowsOfViolations(run: MigrationRun, runUrl: string): FindingRow[] {
  const { rehearsal } = run
  const violations = rehearsal.violations.filter(({ replaced }) => replaced !== true)
  const ofStatements = worstFirst(rehearsal).flatMap((index): FindingRow[] => {
    const statement = rehearsal.statements[index]
    const own = violations.filter(one => one.statement === index)
    if (statement === undefined || (own.length === 0 && statement.failure === undefined)) return []
    return [rowOf(renderStatement(statement, { run, runUrl }), own, statement)]
  })
  const others = violations.filter(one => rehearsal.statements[one.statement ?? -1] === undefined)
  return [...ofStatements, ...others.map(rowOfViolation)]
}

const namesIn = (text: string) => text.split(/[^\p{L}\p{N}_]+/u).map(name => name.toLowerCase())

/** The only statement that names an object. Undefined if none or several do. */
function findStatement({ object }: Effect, { statements }: Rehearsal): MeasuredStatement | undefined {
  const names = namesIn(object).filter(name => name !== 'public')
  const [first, ...others] = statements.filter(one => {
    const words = namesIn(one.text)
    return !isRead(one) && names.every(name => words.includes(name))
  })
  return others.length === 0 ? first : undefined
}

function rowsOfEffects(run: MigrationRun, runUrl: string, lost: Grade): FindingRow[] {
  // An effect without loss or advice needs no attention, such as a dropped column without a value.
  const shown = run.rehearsal.effects.filter(({ destructive, advice }) => destructive || advice !== undefined)
  return shown.map(effect => {
    const statement = findStatement(effect, run.rehearsal)
    return {
      grade: effect.destructive ? lost : 'advised',
      statement: statement ? renderStatement(statement, { run, runUrl }) : { code: effect.object },
      effect: [
        ...(effect.destructive ? [{ strong: 'data loss:' }, ' '] : []),
        effect.message,
        ...(effect.advice === undefined ? [] : [renderAdvice(effect.advice)]),
      ],
    }
  })
}

function renderTable(findings: FindingRow[]): Block {
  const order = Object.keys(grades)
  const rows = findings
    .toSorted((first, second) => order.indexOf(first.grade) - order.indexOf(second.grade))
    .map(({ grade, statement, effect }): Line[] => [grades[grade], statement, effect])
  return table(['', 'statement', 'effect'], rows, { noun: 'findings' })
}

export const violationsTable = (violations: Violation[]) => renderTable(violations.map(rowOfViolation))

/** The findings of the runs that count, and the effects of `withEffects`. Within a grade, earlier runs come first. */
export function findingsTable(
  runs: MigrationRun[],
  withEffects: MigrationRun[],
  { runUrl, isLossRefused }: { runUrl: string; isLossRefused: boolean },
): Block {
  return renderTable([
    ...runs.flatMap(run => rowsOfViolations(run, runUrl)),
    ...withEffects.flatMap(run =>
      rowsOfEffects(run, runUrl, isLossRefused ? 'lost without approval' : 'lost'),
    ),
  ])
}
