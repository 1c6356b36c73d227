import { countingViolations, standingRuns, verdictOf, worstFirst } from './history.ts'
import { losingRuns } from './losses.ts'
import { describeConditions, renderMoment } from './rehearsal.ts'
import { head, type Page, renderRow, renderStatement, renderTime } from './render-statement.ts'
import type { MigrationRun, Rehearsal, Violation } from './stored.ts'

/** What is said of the migrations of a preview. */
export interface MigrationsReport {
  /** The oldest first. */
  runs: MigrationRun[]
  /** How the schema differs from that at the birth of the preview, where that is known. */
  diff?: { added: number; removed: number; changed: number; text: string } | undefined
  /** Whether the loss of data was approved: one line, where that is asked for. */
  approval?: { isApproved: boolean; message: string; next?: string | undefined } | undefined
}

const icons: Record<Rehearsal['verdict'], string> = { passed: '✅', failed: '❌', 'not measured': '❔' }

/** Lines of each list. */
const mostLines = 10

const theRest = 'The rest is in the summary.'

const renderCommit = (commit: string | undefined) =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit ?? '') ? `commit ${commit?.slice(0, 7)}` : undefined

/** What a run comes to, in a few words. */
function describe({ rehearsal }: MigrationRun, { words }: Page): string {
  const [first, ...others] = countingViolations(rehearsal)
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  if (rehearsal.problem !== undefined)
    return `${rehearsal.verdict === 'failed' ? 'it failed' : 'not measured'}: ${words(rehearsal.problem)}`
  if (first) return `${words(first.message)}${more}`
  if (rehearsal.verdict === 'not measured') return 'not measured'
  return rehearsal.verdict === 'failed' ? 'failed' : 'within all limits'
}

const renderOrigin = (run: MigrationRun, page: Page) =>
  [renderCommit(run.commit), renderMoment(run.at), page.link(run.url)].filter(Boolean).join(' · ')

/** The run that decides: the newest with the verdict of all. */
const decisive = (runs: MigrationRun[]) =>
  standingRuns(runs).findLast(({ rehearsal }) => rehearsal.verdict === verdictOf(runs))

/** The violation that the heading tells. */
function headlined(runs: MigrationRun[]): Violation | undefined {
  const { rehearsal } = decisive(runs) ?? {}
  return rehearsal?.problem === undefined ? rehearsal && countingViolations(rehearsal)[0] : undefined
}

function renderHeading({ runs, approval }: MigrationsReport, page: Page): string {
  const run = decisive(runs)
  if (run === undefined) return '### Migration: nothing was rehearsed'
  const verdict = verdictOf(runs)
  if (approval?.isApproved === false && verdict === 'passed')
    return `### Migration: ${icons.failed} data is lost, and nobody has approved that`
  return `### Migration: ${icons[verdict]} ${describe(run, page)}`
}

const listed = (lines: string[]) =>
  [
    ...lines.slice(0, mostLines),
    ...(lines.length > mostLines ? [`- and ${lines.length - mostLines} more`] : []),
  ].join('\n')

/** Each violation, and what is usual to do instead. */
function renderViolations(runs: MigrationRun[], { words }: Page): string[] {
  const first = headlined(runs)
  const render = (one: Violation) => {
    const { message, advice, ignored } = one
    if (ignored !== undefined) return `- ${words(message)}. Ignored: ${words(ignored)}`
    return `- ${one === first ? 'Instead' : `${words(message)}. Instead`}: ${words(advice)}`
  }
  const all = standingRuns(runs).flatMap(({ rehearsal }) => rehearsal.violations)
  const rank = (one: Violation) => (one === first ? 0 : one.ignored === undefined ? 1 : 2)
  const lines = all.toSorted((one, other) => rank(one) - rank(other)).map(render)
  return lines.length === 0 ? [] : [listed(lines)]
}

/** What somebody may have to wait for, the worst of each run first, and the run that decides before the others. */
function renderTable(runs: MigrationRun[], page: Page): string[] {
  const first = decisive(runs)
  const standing = standingRuns(runs).toReversed()
  const all = standing
    .toSorted((one, other) => Number(other === first) - Number(one === first))
    .flatMap(({ rehearsal }) => worstFirst(rehearsal).flatMap(index => rehearsal.statements[index] ?? []))
  if (all.length === 0) return []
  const more = all.length - mostLines
  return [
    [...head, ...all.slice(0, mostLines).map(row => renderRow(row, page))].join('\n'),
    ...(more > 0 ? [`And ${more} more. ${theRest}`] : []),
  ]
}

/** What becomes of data, over all runs. */
function renderEffects(runs: MigrationRun[], { words }: Page): string[] {
  const counting = new Set([...losingRuns(runs), ...standingRuns(runs)])
  const all = [...counting].map(({ rehearsal }) => rehearsal)
  const effects = all.flatMap(one => one.effects)
  if (all.some(one => one.destructive && one.effects.length === 0))
    return ['**Data:** whether any is lost is not known']
  if (effects.length === 0) return []
  const worst = effects.toSorted((one, other) => Number(other.destructive) - Number(one.destructive))
  const shown = worst.slice(0, mostLines).map(({ message }) => words(message))
  const more = effects.length - shown.length
  return [`**Data:** ${[...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(' · ')}`]
}

function renderApproval({ approval }: MigrationsReport, { words }: Page): string[] {
  if (approval === undefined) return []
  const { isApproved, message, next } = approval
  const told = [message, next].filter(part => part !== undefined).map(words)
  return [`**${isApproved ? 'Approved' : 'Not approved'}:** ${told.join(' — ')}`]
}

const fold = (title: string, content: string) =>
  `<details><summary>${title}</summary>\n\n${content}\n\n</details>`

/** As many of the first lines as there is room for. */
function cutLines(lines: string[], room: number): { shown: string[]; isCut: boolean } {
  let left = room
  const cut = lines.findIndex(line => {
    left -= line.length + 1
    return left < 0
  })
  return cut < 0 ? { shown: lines, isCut: false } : { shown: lines.slice(0, cut), isCut: true }
}

function renderDiff({ diff }: MigrationsReport, page: Page, room: number): string[] {
  if (diff === undefined || diff.text === '') return []
  const { shown, isCut } = cutLines(diff.text.split('\n'), room)
  const title = `Schema +${diff.added} −${diff.removed} ~${diff.changed}`
  return [fold(title, [page.block(shown.join('\n')), isCut && theRest].filter(Boolean).join('\n\n'))]
}

/** All statements, in their order. */
function renderStatements({ rehearsal, omitted }: MigrationRun, page: Page, room: number): string[] {
  const count = rehearsal.statements.length + omitted
  if (count === 0) return []
  const lines = rehearsal.statements.map(
    one => `| ${renderStatement(one, page)} | ${renderTime(one.duration)} |`,
  )
  const { shown, isCut } = cutLines(lines, room)
  const table = ['| statement | time |', '|---|---|', ...shown].join('\n')
  return [
    fold(`Statements ${count}`, [table, (isCut || omitted > 0) && theRest].filter(Boolean).join('\n\n')),
  ]
}

/** A line for each run but the newest, the newest of them first. */
function renderEarlier(runs: MigrationRun[], page: Page): string[] {
  const earlier = runs.slice(0, -1).toReversed()
  if (earlier.length === 0) return []
  const lines = earlier.map(
    run => `- ${icons[run.rehearsal.verdict]} ${renderOrigin(run, page)}: ${describe(run, page)}`,
  )
  return [fold(`Earlier ${earlier.length}`, listed(lines))]
}

function renderClosing({ rehearsal: { measuredOn } }: MigrationRun, { words }: Page): string {
  const at = renderMoment(Date.parse(measuredOn.at))
  const measured = [at && `at ${at}`, describeConditions(measuredOn, words), 'without other traffic']
  return `Measured ${measured.filter(Boolean).join(', ')}: queues behind locks and deadlocks cannot be seen.`
}

/**
 * What the migrations of a preview do, for whoever reviews them: the verdict, what blocks whom for how long, what is lost,
 * and folded how the schema changes. All of it is counts and names, never a value of a row.
 */
export function renderMigrations(report: MigrationsReport, page: Page): string {
  const { runs } = report
  const newest = runs.at(-1)
  const before = [
    renderHeading(report, page),
    ...(newest
      ? [renderOrigin(newest, page), ...renderViolations(runs, page), ...renderTable(runs, page)]
      : []),
    ...renderEffects(runs, page),
    ...renderApproval(report, page),
  ]
  const after = [...renderEarlier(runs, page), ...(newest ? [renderClosing(newest, page)] : [])]
  const used = [...before, ...after].join('\n\n').length
  const half = Math.max(0, (page.room - used) / 2 - 500)
  const statements = newest ? renderStatements(newest, page, half) : []
  const left = page.room - used - statements.join('').length - 500
  return [...before, ...renderDiff(report, page, Math.max(0, left)), ...statements, ...after].join('\n\n')
}
