/** Renders the findings of a rehearsal as blocks of a report: counts and names, never values of rows. */
import { counted, renderBytes } from '#base/bytes'
import { type Block, code, details, heading, joinPieces, line, list, type Span, small } from '#base/report'
import type { SchemaDiff } from '#contents/schema/schema'
import { findingsTable, renderMessage, violationsTable } from './findings.ts'
import {
  countingViolations,
  describeVerdict,
  type MigrationsSum,
  runsWithEffects,
  standingRuns,
  sumUp,
  verdictOf,
} from './history.ts'
import type { Approval } from './losses.ts'
import { renderTime, statementTable } from './statement-table.ts'
import { isRead } from './statement-text.ts'
import type { MeasuredOn, MigrationRun, Rehearsal } from './stored.ts'

export interface MigrationsReport {
  /** The oldest first. */
  runs: MigrationRun[]
  runUrl: string
  explanation?: string | undefined
  /** The difference from the schema baseline, if it is known. */
  diff?: SchemaDiff | undefined
  /** The decision on the loss of data, if an approval is required. */
  approval?: Approval | undefined
}

const icons: Record<Rehearsal['verdict'], string> = { passed: '✅', failed: '❌', 'not measured': '❔' }

/** A loss of data gets no green icon, even within all limits. */
export const iconOf = ({ verdict, destructive }: Pick<Rehearsal, 'verdict' | 'destructive'>) =>
  verdict === 'passed' && destructive ? '❗' : icons[verdict]

/** `2026-01-31 04:10 UTC`; undefined for an invalid date. */
function renderMoment(at: number): string | undefined {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

const renderCommit = (commit: string | undefined) =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit ?? '') ? `commit ${commit?.slice(0, 7)}` : undefined

/** The result of a run in a few words. */
function describeRun({ rehearsal }: MigrationRun): Span[] {
  const counting = countingViolations(rehearsal)
  const notIgnored = rehearsal.violations.filter(({ ignored }) => ignored === undefined)
  // If later runs replaced all violations of a run, the summary still shows them.
  const [first, ...others] = counting.length > 0 ? counting : notIgnored
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  const { verdict, problem } = rehearsal
  if (problem !== undefined) return [verdict === 'failed' ? 'failed: ' : 'not measured: ', problem]
  if (first) return [...renderMessage(first), more]
  return [verdict === 'passed' ? 'within all limits' : verdict]
}

/** Code of the pull request can change the notes, so only runs of this repository become links. */
function isOwnRun(url: string, runUrl: string): boolean {
  const [runs] = /^https?:\/\/[\w.:-]+(?:\/[\w.-]+)+\/actions\/runs\//.exec(runUrl) ?? []
  return (
    runs !== undefined && url.startsWith(runs) && /^\d+(?:\/attempts\/\d+)?$/.test(url.slice(runs.length))
  )
}

function originOf({ commit, at, url = '' }: MigrationRun, runUrl: string): readonly Span[] {
  const log = isOwnRun(url, runUrl) && { link: url, name: 'log' }
  return joinPieces([renderCommit(commit), renderMoment(at), log], ' · ')
}

/** @param run the run that decides the verdict */
function headingOf({ runs, approval }: MigrationsReport, run: MigrationRun | undefined): Block {
  if (run === undefined) return heading('Migration: nothing was rehearsed')
  const verdict = verdictOf(runs)
  if (approval?.isApproved === false && verdict === 'passed')
    return heading(`${icons.failed} Migration: data is lost without approval`)
  const { destructive } = sumUp(runs)
  if (verdict !== 'passed' || !destructive)
    return heading(`${icons[verdict]} Migration: `, ...describeRun(run))
  const end = approval ? 'and the loss of data is approved' : 'but data is lost'
  return heading(`${iconOf({ verdict, destructive: !approval })} Migration: within all limits, ${end}`)
}

/** An unmeasured run may have lost data. */
const unknownLossOf = (rehearsals: Rehearsal[]): Block[] =>
  rehearsals.some(one => one.destructive && one.effects.length === 0)
    ? [line({ strong: 'Data:' }, ' it is unknown whether data is lost')]
    : []

function approvalOf({ approval }: MigrationsReport): Block[] {
  if (approval === undefined) return []
  const { isApproved, message, next } = approval
  return [
    line({ strong: isApproved ? 'Approved:' : 'Not approved:' }, ' ', ...joinPieces([message, next], ' — ')),
  ]
}

/** A line for each earlier run, the newest first. */
function earlierRuns({ runs, runUrl }: MigrationsReport): Block {
  const earlier = runs.slice(0, -1).toReversed()
  const items = earlier.map(run => [
    `${iconOf(run.rehearsal)} `,
    ...originOf(run, runUrl),
    ': ',
    ...describeRun(run),
  ])
  return details(`Earlier runs: ${earlier.length}`, list(items))
}

/** `on a fork of the parent as of 2026-01-31 04:10 UTC, 2 CPU (parent 8), PostgreSQL 17.6` */
function describeConditions({ serverVersion, fork = {} }: MeasuredOn): string {
  const { data, createdAt = '', cpuMillis, parentCpuMillis } = fork
  const at = renderMoment(Date.parse(createdAt))
  let moment = `${at} or earlier`
  if (data === 'snapshot') moment = `its last snapshot before ${at}`
  else if (data === 'now') moment = `${at}`
  const parent = parentCpuMillis === undefined ? '' : ` (parent ${parentCpuMillis / 1000})`
  return [
    data && at && `on a fork of the parent as of ${moment}`,
    cpuMillis !== undefined && `${cpuMillis / 1000} CPU${parent}`,
    serverVersion && `PostgreSQL ${serverVersion}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function conditionsOf({ measuredOn, duration, wal, temporaryBytes }: Rehearsal): Block {
  const at = renderMoment(Date.parse(measuredOn.at))
  const pieces = [at && `at ${at}`, describeConditions(measuredOn), 'without other traffic']
  return details(
    'How this was measured',
    line('Measured ', ...joinPieces(pieces, ', '), '.'),
    list([
      'Queues behind locks and deadlocks cannot be measured.',
      'WAL includes the writes of other sessions.',
      `The migration took ${renderTime(duration)}, with ${renderBytes(wal)} of WAL and ${renderBytes(temporaryBytes)} of temporary files.`,
    ]),
  )
}

/** `+3 −1 ~2`. */
export const renderCounts = ({ added, removed, changed }: SchemaDiff) => `+${added} −${removed} ~${changed}`

/** Renders a schema difference. Collapses it if it has more than 40 lines, or if `isFolded` is set. */
export function reportDiff(diff: MigrationsReport['diff'], isFolded: boolean): Block[] {
  if (diff === undefined) return []
  if (diff.text === '') return isFolded ? [] : [line('Schema: no difference')]
  const title = `Schema: ${renderCounts(diff)}`
  const block = code('diff', diff.text)
  const isLong = isFolded || diff.text.split('\n').length > 40
  return isLong ? [details(title, block)] : [line(title), block]
}

/** All statements of a run, except those that only read. */
function statementsOf(run: MigrationRun, runUrl: string): Block {
  const statements = run.rehearsal.statements.filter(one => !isRead(one))
  const count = statements.length + run.omitted
  return details(
    `${counted(count, 'statement')}, locks and WAL`,
    statementTable(statements, run.omitted, { run, runUrl }),
    line(
      count > 0 ? 'Without BEGIN, COMMIT, SET and reads. A lock is held to the end of its transaction.' : '',
    ),
  )
}

/** The report on a preview's migrations: the verdict, findings with advice, then folded sections. */
export function reportMigrations(report: MigrationsReport): Block[] {
  const { runs, diff, runUrl, approval, explanation } = report
  const newest = runs.at(-1)
  const standing = standingRuns(runs)
  const decisive = standing.findLast(({ rehearsal }) => rehearsal.verdict === verdictOf(runs))
  const worstRuns = standing
    .toReversed()
    .toSorted((first, second) => Number(second === decisive) - Number(first === decisive))
  const losing = runsWithEffects(runs)
  const help = explanation !== undefined && { link: explanation, name: 'what this comment means' }
  return [
    headingOf(report, decisive),
    findingsTable(worstRuns, losing, { runUrl, isLossRefused: approval?.isApproved === false }),
    ...unknownLossOf(losing.map(({ rehearsal }) => rehearsal)),
    ...approvalOf(report),
    ...reportDiff(diff, true),
    ...(newest ? [statementsOf(newest, runUrl)] : []),
    earlierRuns(report),
    ...(newest ? [conditionsOf(newest.rehearsal)] : []),
    small(joinPieces([newest && originOf(newest, runUrl), help], ' · ')),
  ]
}

export const reportSum = (sum: MigrationsSum | undefined): Block[] =>
  sum === undefined
    ? []
    : [line(`Migrations: ${iconOf(sum)} ${describeVerdict(sum)}`), violationsTable(sum.violations)]

export function reportRehearsal(rehearsal: Rehearsal): Block[] {
  const run = { at: 0, rehearsal, omitted: 0 }
  return [
    line(rehearsal.problem ?? ''),
    findingsTable([run], [run], { runUrl: '', isLossRefused: false }),
    ...unknownLossOf([rehearsal]),
    statementsOf(run, ''),
    conditionsOf(rehearsal),
  ]
}
