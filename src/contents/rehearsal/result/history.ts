/** Chooses the runs that count for the verdict on a preview, and the runs that its note stores. */
import { counted } from '#base/bytes'
import { isUnapprovedLoss } from './limits.ts'
import { losingRuns } from './losses.ts'
import {
  longestText,
  type MeasuredStatement,
  type MigrationRun,
  mostItems,
  mostRuns,
  type Rehearsal,
  type Violation,
} from './stored.ts'

/** The most statements that an earlier run keeps: the worst ones. */
const mostEarlierStatements = 5

/** The violations that are neither ignored for a reason nor replaced by a later run. */
export const countingViolations = ({ violations }: Pick<Rehearsal, 'violations'>): Violation[] =>
  violations.filter(({ ignored, replaced }) => ignored === undefined && replaced !== true)

const longestLock = ({ locks }: MeasuredStatement) =>
  Math.max(0, ...locks.filter(({ blocks }) => blocks.length > 0).map(({ held }) => held))

/** True if a statement has a finding, an error, a rewrite or a blocking lock. */
const isNotable = (statement: MeasuredStatement, index: number, { violations }: Rehearsal) =>
  violations.some(one => one.statement === index) ||
  statement.failure !== undefined ||
  statement.rewrites.length > 0 ||
  longestLock(statement) > 0

/** The indexes of notable statements, the worst first. */
export function worstFirst(rehearsal: Rehearsal): number[] {
  const counting = countingViolations(rehearsal)
  // A failed statement comes first, before any number of violations.
  const rank = (index: number, { failure }: MeasuredStatement) =>
    failure === undefined ? counting.filter(({ statement }) => statement === index).length : 100
  return rehearsal.statements
    .map((statement, index) => ({ statement, index, rank: rank(index, statement) }))
    .filter(({ statement, index }) => isNotable(statement, index, rehearsal))
    .sort(
      (first, second) =>
        second.rank - first.rank || longestLock(second.statement) - longestLock(first.statement),
    )
    .map(({ index }) => index)
}

/** Cuts all texts and lists to the lengths that the schema of the note allows. */
function cutAll<Value>(value: Value): Value {
  const cut = (inner: unknown): unknown => {
    if (typeof inner === 'string') return inner.slice(0, longestText).toWellFormed()
    if (Array.isArray(inner)) return inner.slice(0, mostItems).map(cut)
    if (typeof inner !== 'object' || inner === null) return inner
    return Object.fromEntries(Object.entries(inner).map(([name, of]) => [name, cut(of)]))
  }
  // Cutting keeps the fields and their types.
  return cut(value) as Value
}

/** The run with only the statements at these indexes. */
export function pickStatements(run: MigrationRun, places: number[]): MigrationRun {
  const { rehearsal } = run
  const kept = places.toSorted((first, second) => first - second)
  const violations = rehearsal.violations.map(({ statement, ...rest }) => {
    const place = statement === undefined ? -1 : kept.indexOf(statement)
    return place < 0 ? rest : { ...rest, statement: place }
  })
  const statements = kept.flatMap(index => rehearsal.statements[index] ?? [])
  const omitted = run.omitted + rehearsal.statements.length - statements.length
  return { ...run, rehearsal: { ...rehearsal, statements, violations }, omitted }
}

/** At most `most` items of a list: those that count first. */
const keepFirst = <Item>(items: Item[], most: number, counts: (item: Item) => boolean): Item[] =>
  items.length > most
    ? items.toSorted((first, second) => Number(counts(second)) - Number(counts(first))).slice(0, most)
    : items

/** Keeps at most `most` violations and effects, those that decide the verdict first. */
function keepFindings(run: MigrationRun, most: number): MigrationRun {
  const { rehearsal } = run
  const counting = countingViolations(rehearsal)
  const violations = keepFirst(rehearsal.violations, most, one => counting.includes(one))
  const effects = keepFirst(rehearsal.effects, most, ({ destructive }) => destructive)
  // If violations are left out, only a repetition of the whole migration may replace the rest.
  const isWhole = violations.length === rehearsal.violations.length
  const kept = isWhole ? violations : violations.map(({ of: _, ...violation }) => violation)
  return { ...run, rehearsal: { ...rehearsal, violations: kept, effects } }
}

/** Cuts a run to the limits of the note: the worst statements stay, then the first others. */
export function capRun(given: MigrationRun): MigrationRun {
  const run = keepFindings(given, mostItems)
  const worst = worstFirst(run.rehearsal)
  const others = run.rehearsal.statements.map((_, index) => index).filter(index => !worst.includes(index))
  return cutAll(pickStatements(run, [...worst, ...others].slice(0, mostItems)))
}

/** An earlier run: the verdict and its reasons, with the worst statements. */
export const slimRun = (run: MigrationRun): MigrationRun =>
  pickStatements(run, worstFirst(run.rehearsal).slice(0, mostEarlierStatements))

/** A run with its verdict and the first reason only. */
const bareRun = (run: MigrationRun): MigrationRun => keepFindings(pickStatements(run, []), 1)

/** True if the migration ran to its end and was measured. */
export const hasResult = ({ rehearsal: { problem, verdict } }: MigrationRun): boolean =>
  problem === undefined && verdict !== 'not measured'

/** True if a later run replaces this run, except its violations. */
function isSuperseded({ rehearsal }: MigrationRun, later: MigrationRun[]): boolean {
  const { problem, verdict, destructive, ran } = rehearsal
  if (verdict !== 'not measured') return problem !== undefined && later.length > 0
  // A run without any change has not measured the earlier migration.
  const isUnknown = ran !== undefined || destructive
  return later.some(one => hasResult(one) && (!isUnknown || one.rehearsal.ran !== undefined))
}

/** The part of a run that still counts after the later runs. Undefined if none does. */
function applyLaterRuns(run: MigrationRun, later: MigrationRun[]): MigrationRun | undefined {
  const { problem, ...rehearsal } = run.rehearsal
  const isExceeded = countingViolations(rehearsal).length > 0
  if (run.replaced) return undefined
  if (isSuperseded(run, later))
    return isExceeded ? { ...run, rehearsal: { ...rehearsal, verdict: 'failed' } } : undefined
  const isResolved = problem === undefined && !isExceeded && rehearsal.violations.some(one => one.replaced)
  return isResolved && rehearsal.verdict === 'failed'
    ? { ...run, rehearsal: { ...rehearsal, verdict: 'passed' } }
    : run
}

/** Each run, and the part of it that still counts. */
const findStanding = (runs: MigrationRun[]) =>
  runs.map((run, index) => ({ run, standing: applyLaterRuns(run, runs.slice(index + 1)) }))

/**
 * The runs that count for the database, the oldest first, without replaced measurements. A failed migration counts until the next
 * run. A migration that was not measured counts until the next run with a change.
 */
export const standingRuns = (runs: MigrationRun[]): MigrationRun[] =>
  findStanding(runs).flatMap(({ standing }) => standing ?? [])

/** The runs whose effects on data count. Later runs do not undo a loss. */
export const runsWithEffects = (runs: MigrationRun[]): MigrationRun[] =>
  findStanding(runs)
    .filter(({ run, standing }) => run.rehearsal.destructive || standing !== undefined)
    .map(({ run }) => run)

/** The worst verdict of all runs that count. */
export function verdictOf(runs: MigrationRun[]): Rehearsal['verdict'] {
  const verdicts = standingRuns(runs).map(({ rehearsal }) => rehearsal.verdict)
  if (verdicts.includes('failed')) return 'failed'
  return verdicts.includes('not measured') || verdicts.length === 0 ? 'not measured' : 'passed'
}

/** The most characters of all runs in the note. */
const mostCharacters = 100_000

/** Runs that decide the verdict of the preview or an approval. */
const decidingRuns = (runs: MigrationRun[]) =>
  new Set([
    ...losingRuns(runs),
    ...findStanding(runs)
      .filter(({ standing }) => standing !== undefined && standing.rehearsal.verdict !== 'passed')
      .map(({ run }) => run),
  ])

/**
 * The runs to store, within the limits. Only the last run keeps all of its statements. Runs that decide nothing are removed
 * first, the oldest before others, and then details. The verdict of the remaining runs is the verdict of all runs.
 */
export function keepNewest(runs: MigrationRun[]): MigrationRun[] {
  const isTooMuch = (kept: MigrationRun[]) =>
    kept.length > mostRuns || JSON.stringify(kept).length > mostCharacters
  let kept = runs.map((run, index) => (index < runs.length - 1 ? slimRun(run) : run))
  const deciding = decidingRuns(kept)
  for (const run of kept.slice(0, -1)) {
    if (!isTooMuch(kept)) return kept
    if (!deciding.has(run)) kept = kept.filter(one => one !== run)
  }
  if (isTooMuch(kept)) kept = kept.map(slimRun)
  if (isTooMuch(kept)) kept = kept.map(bareRun)
  return kept.slice(-mostRuns)
}

export type MigrationsSum = Pick<Rehearsal, 'verdict' | 'violations' | 'destructive'>

/** Combines the runs that count. */
export function sumUp(runs: MigrationRun[]): MigrationsSum {
  const all = standingRuns(runs).map(({ rehearsal }) => rehearsal)
  return {
    verdict: verdictOf(runs),
    violations: all.flatMap(({ violations }) => violations.filter(({ replaced }) => !replaced)),
    destructive: losingRuns(runs).length > 0,
  }
}

/** A verdict in words. Only an error of the migration is called a failure. */
export function describeVerdict(sum: MigrationsSum & Pick<Rehearsal, 'problem'>): string {
  const { verdict, violations, problem, destructive } = sum
  if (verdict === 'passed' && destructive) return 'passed, but data is lost'
  if (verdict !== 'failed') return verdict
  const counting = countingViolations({ violations })
  const losses = counting.filter(isUnapprovedLoss).length
  const limits = counting.length - losses
  const parts = [
    problem !== undefined && 'the migration failed',
    losses > 0 && 'data lost without approval',
    limits > 0 && `${counted(limits, 'limit')} exceeded`,
  ]
  return parts.filter(Boolean).join(', ') || 'an earlier migration failed'
}
