/** The findings of a rehearsal as blocks of a report: counts and names, never a value of a row. */
import { renderBytes } from '#base/bytes'
import { type Block, code, details, heading, joined, type Line, line, list, type Span } from '#base/report'
import {
  countingViolations,
  describeVerdict,
  type MigrationsSum,
  runsWithEffects,
  standingRuns,
  sumUp,
  verdictOf,
  worstFirst,
} from './history.ts'
import { describeConditions, renderMoment } from './rehearsal.ts'
import { durationTable, renderTime, statementTable, worstTable } from './statement-table.ts'
import { isRead } from './statement-text.ts'
import type { MigrationRun, Rehearsal, Violation } from './stored.ts'

/** Everything that is known about the migrations of a preview. */
export interface MigrationsReport {
  /** The oldest first. */
  runs: MigrationRun[]
  /** The page of this run. */
  runUrl: string
  /** The difference from the schema baseline of the preview, if that is known. */
  diff?: { added: number; removed: number; changed: number; text: string } | undefined
  /** Whether the loss of data was approved: one line, where that is required. */
  approval?: { isApproved: boolean; message: string; next?: string | undefined } | undefined
}

const icons: Record<Rehearsal['verdict'], string> = { passed: '✅', failed: '❌', 'not measured': '❔' }

/** A loss of data is no success, within all limits or not. */
const iconOf = ({ verdict, destructive }: Pick<Rehearsal, 'verdict' | 'destructive'>) =>
  verdict === 'passed' && destructive ? '❗' : icons[verdict]

/** The most effects of one line. */
const mostEffects = 10

const renderCommit = (commit: string | undefined) =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit ?? '') ? `commit ${commit?.slice(0, 7)}` : undefined

/** The result of a run in a few words. */
function describe({ rehearsal }: MigrationRun): Span[] {
  const counting = countingViolations(rehearsal)
  const unignored = rehearsal.violations.filter(({ ignored }) => ignored === undefined)
  // An earlier run had its violations, also where they were replaced since.
  const [first, ...others] = counting.length > 0 ? counting : unignored
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  const { verdict, problem } = rehearsal
  if (problem !== undefined) return [verdict === 'failed' ? 'it failed: ' : 'not measured: ', problem]
  if (first) return [first.message, more]
  if (verdict === 'not measured') return [verdict]
  return [verdict === 'failed' ? 'failed' : 'within all limits']
}

/** Whether an address is that of a run of this repository: code of the pull request can change the notes of a database. */
function isOwnRun(url: string, runUrl: string): boolean {
  const [runs] = /^https?:\/\/[\w.:-]+(?:\/[\w.-]+)+\/actions\/runs\//.exec(runUrl) ?? []
  return (
    runs !== undefined && url.startsWith(runs) && /^\d+(?:\/attempts\/\d+)?$/.test(url.slice(runs.length))
  )
}

function originOf({ commit, at, url = '' }: MigrationRun, runUrl: string): readonly Span[] {
  const log = isOwnRun(url, runUrl) && { link: url, name: 'log' }
  return joined([renderCommit(commit), renderMoment(at), log], ' · ')
}

/** The violation in the heading. */
function headlined({ rehearsal }: Partial<MigrationRun> = {}): Violation | undefined {
  return rehearsal?.problem === undefined ? rehearsal && countingViolations(rehearsal)[0] : undefined
}

/** @param run the one that decides */
function headingOf({ runs, approval }: MigrationsReport, run: MigrationRun | undefined): Block {
  if (run === undefined) return heading('Migration: nothing was rehearsed')
  const verdict = verdictOf(runs)
  if (approval?.isApproved === false && verdict === 'passed')
    return heading(`Migration: ${icons.failed} data is lost, and nobody has approved that`)
  const { destructive } = sumUp(runs)
  if (verdict !== 'passed' || !destructive) return heading(`Migration: ${icons[verdict]} `, ...describe(run))
  const end = approval ? 'the loss of data is approved' : 'data is lost'
  return heading(`Migration: ${iconOf({ verdict, destructive: !approval })} within all limits, and ${end}`)
}

/** Each violation with the usual alternative, those that count first. The heading shows the message of `first`. */
function violationList(violations: Violation[], first?: Violation): Block {
  const rank = (one: Violation) => (one === first ? 0 : one.ignored === undefined ? 1 : 2)
  const items = violations
    .toSorted((one, other) => rank(one) - rank(other))
    .map((one): Line => {
      const { message, advice, ignored, place } = one
      const where = place && first === undefined ? [{ code: `${place.file}:${place.line}` }, ' '] : []
      if (ignored !== undefined) return [...where, message, '. Ignored: ', ignored]
      return one === first ? ['Instead: ', advice] : [...where, message, '. Instead: ', advice]
    })
  return list(items)
}

/** The effects on data, over all runs. */
function effectsOf(rehearsals: Rehearsal[]): Block[] {
  const effects = rehearsals.flatMap(one => one.effects)
  if (rehearsals.some(one => one.destructive && one.effects.length === 0))
    return [line({ strong: 'Data:' }, ' whether any is lost is not known')]
  if (effects.length === 0) return []
  const worst = effects.toSorted((one, other) => Number(other.destructive) - Number(one.destructive))
  const more = effects.length - mostEffects
  const pieces = [
    ...worst.slice(0, mostEffects).map(({ message }) => message),
    more > 0 && `and ${more} more`,
  ]
  return [line({ strong: 'Data:' }, ' ', ...joined(pieces, ' · '))]
}

function approvalOf({ approval }: MigrationsReport): Block[] {
  if (approval === undefined) return []
  const { isApproved, message, next } = approval
  return [
    line({ strong: isApproved ? 'Approved:' : 'Not approved:' }, ' ', ...joined([message, next], ' — ')),
  ]
}

/** A line for each run but the newest, the newest of them first. */
function earlierRuns({ runs, runUrl }: MigrationsReport): Block {
  const earlier = runs.slice(0, -1).toReversed()
  const items = earlier.map(run => [
    `${iconOf(run.rehearsal)} `,
    ...originOf(run, runUrl),
    ': ',
    ...describe(run),
  ])
  return details(`Earlier ${earlier.length}`, list(items))
}

function conditionsOf({ measuredOn }: Rehearsal): Block {
  const at = renderMoment(Date.parse(measuredOn.at))
  const pieces = [at && `at ${at}`, describeConditions(measuredOn), 'without other traffic']
  return line(
    'Measured ',
    ...joined(pieces, ', '),
    ': queues behind locks and deadlocks cannot be seen. WAL includes the writes of other sessions.',
  )
}

/** The difference of a schema. More than 40 lines are shown on request. */
export function reportDiff(diff: MigrationsReport['diff'], isFolded: boolean): Block[] {
  if (diff === undefined) return []
  if (diff.text === '') return isFolded ? [] : [line('Schema: no difference')]
  const title = `Schema +${diff.added} −${diff.removed} ~${diff.changed}`
  const block = code('diff', diff.text)
  const isLong = isFolded || diff.text.split('\n').length > 40
  return isLong ? [details(title, block)] : [line(title), block]
}

/**
 * The migrations of a preview, for their reviewers: the verdict, what blocks whom for how long, lost data, and on request the
 * difference of the schema and every statement.
 */
export function reportMigrations(report: MigrationsReport): Block[] {
  const { runs, diff } = report
  const newest = runs.at(-1)
  const standing = standingRuns(runs)
  const decisive = standing.findLast(({ rehearsal }) => rehearsal.verdict === verdictOf(runs))
  const worst = standing
    .toReversed()
    .toSorted((one, other) => Number(other === decisive) - Number(one === decisive))
    .flatMap(({ rehearsal }) => worstFirst(rehearsal).flatMap(index => rehearsal.statements[index] ?? []))
  const { violations } = sumUp(runs)
  const count = newest === undefined ? 0 : newest.rehearsal.statements.length + newest.omitted
  return [
    headingOf(report, decisive),
    ...(newest ? [line(...originOf(newest, report.runUrl))] : []),
    violationList(violations, headlined(decisive)),
    worstTable(worst),
    ...effectsOf(runsWithEffects(runs).map(({ rehearsal }) => rehearsal)),
    ...approvalOf(report),
    ...reportDiff(diff, true),
    ...(newest
      ? [details(`Statements ${count}`, durationTable(newest.rehearsal.statements, newest.omitted))]
      : []),
    earlierRuns(report),
    ...(newest ? [conditionsOf(newest.rehearsal)] : []),
  ]
}

/** The result of all migrations of a preview. */
export const reportSum = (sum: MigrationsSum | undefined): Block[] =>
  sum === undefined
    ? []
    : [line(`Migrations: ${iconOf(sum)} ${describeVerdict(sum)}`), violationList(sum.violations)]

/** The result of one migration. */
export function reportRehearsal(rehearsal: Rehearsal): Block[] {
  const { violations, statements, problem, duration, wal, temporaryBytes } = rehearsal
  const counts = `${renderTime(duration)}, ${renderBytes(wal)} of WAL, ${renderBytes(temporaryBytes)} of temporary files`
  const shown = statements.filter(one => !isRead(one))
  const result = [describeVerdict(rehearsal), problem].filter(Boolean).join(': ')
  return [
    line(`Migration: ${iconOf(rehearsal)} ${result} (${counts})`),
    violationList(violations),
    worstTable(worstFirst(rehearsal).flatMap(index => statements[index] ?? [])),
    ...effectsOf([rehearsal]),
    details(`Statements ${shown.length}`, statementTable(shown)),
    conditionsOf(rehearsal),
  ]
}
