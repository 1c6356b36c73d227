/** The operation `rehearse-migration`. */
import { ActionError } from '#base/errors'
import { forkOf, type Noted } from '#contents/notes/migration-history'
import { type Rehearsed, rehearse } from '#contents/rehearsal/rehearse'
import { describeVerdict } from '#contents/rehearsal/result/history'
import { iconOf, reportDiff, reportRehearsal } from '#contents/rehearsal/result/report'
import { renderTime } from '#contents/rehearsal/result/statement-table'
import { isChange } from '#contents/rehearsal/result/statement-text'
import type { Rehearsal, StatementPlace } from '#contents/rehearsal/result/stored'
import { compareSchemas } from '#contents/schema/compare-schemas'
import { readSchema } from '#contents/schema/read-schema'
import type { Schema } from '#contents/schema/schema'
import type { Commands, Databases, GivenParameters, Waiting } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import { concludeRehearsal } from './conclusion.ts'
import type { DatabaseContext, WithSettings } from './context.ts'
import { FailedCommandError, type Migration, omitRunFiles, readMigration, runMigration } from './migration.ts'
import { readFacts } from './notes.ts'
import { linesOf, logDiff, readBaselineOf, tryToReadSchema } from './schemas.ts'
import { describeDatabase } from './scripts.ts'
import { findTarget, inDatabase, type Target, timeLeft } from './target.ts'
import { logViolations } from './violations.ts'

const operation = 'rehearse-migration'

/** Bytes. The observing session polls for as long as the migration runs, so it may receive many. */
const largestWatchTraffic = 4 * 1024 * 1024 * 1024

/** Milliseconds that remain for the measurements after the migration. */
const conclusionTime = 20_000

function measure(
  context: Databases & Commands & WithSettings<'contents' | 'rehearsal'>,
  target: Target,
  migration: Migration,
) {
  const options = {
    timeout: timeLeft(context) + conclusionTime,
    mostBytes: largestWatchTraffic,
    forJson: true,
  }
  return inDatabase(context, target, options, session =>
    rehearse(session, context.seam, {
      limits: context.settings.rehearsal,
      files: migration.files,
      run: watch => runMigration(context, target, migration, watch),
    }),
  )
}

/** Ends the error of each statement after the failed one in its transaction (PostgreSQL documentation, appendix A). */
const inFailedTransaction = '(SQLSTATE 25P02)'

/** Adds the refused statement to the error of a command: some migration tools do not print the reason. */
export function explainCommand(measured: Rehearsed): Rehearsed {
  const { failure, rehearsal } = measured
  const refused = rehearsal.statements.findLast(
    ({ failure: reason }) => reason?.endsWith(inFailedTransaction) === false,
  )
  if (!(failure instanceof FailedCommandError) || refused === undefined) return measured
  const { place, text } = refused
  const where = place ? `${place.file}:${place.line}` : `"${text}"`
  const explained = new FailedCommandError(failure.exitCode ?? 1, `${where}: ${refused.failure}`)
  if (place) explained.place = { ...place, column: 1 }
  const problem = rehearsal.problem === failure.message ? explained.message : rehearsal.problem
  return { ...measured, failure: explained, rehearsal: { ...rehearsal, problem } }
}

const urlUnused =
  'the command did not use DATABASE_URL. If it ran migrations, they ran on another database: let it connect by DATABASE_URL'

/** The measurements, with the verdict `not measured` for a command that never used the tap. */
const checkUrlUse = ({ failure, rehearsal }: Rehearsed, { command }: Migration): Rehearsal =>
  command !== undefined &&
  failure === undefined &&
  rehearsal.statements.length === 0 &&
  rehearsal.problem === undefined
    ? { ...rehearsal, verdict: 'not measured', problem: urlUnused }
    : rehearsal

const howToIgnore =
  '`-- managed-database: ignore lock because REASON`, or rewrite or wal; loss of data cannot be ignored'

/** Warns of comments that look like a request to ignore a finding, but are malformed. */
function logMalformed({ log }: Waiting, places: StatementPlace[]): void {
  for (const place of places)
    log.warning(
      `${place.file}:${place.line}: this comment is not applied — expected ${howToIgnore}`,
      'comment not applied',
      { ...place, column: 1 },
    )
}

/** Logs the effects. A refused loss already has a warning, as a violation. */
function logEffects({ log }: Waiting, { effects }: Rehearsal, isLossRefused: boolean): void {
  for (const { message, advice, destructive } of effects)
    if (destructive && !isLossRefused) log.warning(`data: ${message}`, 'data lost')
    else log.info(`data: ${message}${advice === undefined ? '' : ` — ${advice}`}`)
}

/** `2 statements of m.sql ran in 1.6s; 1 limit exceeded (on_violation: warn)`. `all`: the verdict on all runs. */
function describeResult(
  { settings }: WithSettings<'rehearsal'>,
  { what, command, scripts }: Migration,
  rehearsal: Rehearsal,
  all: string,
): string {
  const { duration, verdict, problem, statements } = rehearsal
  if (problem !== undefined && verdict === 'failed') {
    if (command === undefined) return `${what} failed after ${renderTime(duration)}`
    if (statements.length === 0) return 'the command failed, and no statement was measured'
    return `the command failed; its statements took ${renderTime(duration)}`
  }
  const own = describeVerdict(rehearsal)
  const verdicts = own === all ? own : `this run: ${own}; all runs: ${all}`
  if (command === undefined && scripts.length === 0)
    return `all files already ran on this preview; ${verdicts}`
  const end = verdict === 'failed' ? ` (on_violation: ${settings.rehearsal.onViolation})` : ''
  const took = command === undefined ? `${what} ran in` : 'the statements of the command took'
  return `${took} ${renderTime(duration)}; ${verdicts}${end}`
}

/** A migration changes its database permanently, so the URL of a production database must not be enough to run it. */
function requirePreview(
  { settings, log }: Waiting & WithSettings<'rehearsal'>,
  { connection }: Target,
  { preview }: Noted,
): void {
  if (preview) return
  const message = `${describeDatabase(connection)} is not a preview of this action: create-preview left no valid note in it`
  if (!settings.rehearsal.allowAnyDatabase)
    throw new ActionError(
      `${message}. Nothing was run`,
      'set database_url to that of a preview, or set `allow_any_database: true` if the migration may change this database permanently',
    )
  log.warning(`${message}. The migration changes it permanently`, 'not a preview')
}

/** The schema changes of this migration (`own`), and all changes since the schema baseline (`all`), if there is one. */
async function readDiffs(context: Databases & WithSettings<'contents'>, target: Target, before: Schema) {
  const read = await tryToReadSchema(context, target, async session => ({
    after: await readSchema(session, context.settings.contents),
    baseline: (await readBaselineOf(session, target))?.schema,
  }))
  if (read === undefined) return {}
  const own = compareSchemas(before, read.after)
  logDiff(context, own)
  return { own, all: read.baseline ? compareSchemas(read.baseline, read.after) : own }
}

/** Runs a migration on a copy, and measures locks, rewrites and losses. @throws as `readMigration` and `findTarget` */
export async function rehearseMigration(given: GivenParameters, context: DatabaseContext): Promise<Outcome> {
  const requested = await readMigration(context)
  const target = await findTarget(given, context)
  const { ids, pullRequest } = target
  if (context.settings.dryRun)
    return { operation, ids, pullRequest, skipped: `dry run: would rehearse ${requested.what}` }
  if ('skipped' in target) return { operation, ...target }
  const facts = await readFacts(context, target)
  const { noted } = facts
  requirePreview(context, target, noted)
  const before = await tryToReadSchema(context, target, session =>
    readSchema(session, context.settings.contents),
  )
  const migration = omitRunFiles(context, requested, noted.history.files)
  const measured = explainCommand(
    await context.timeline.time(`rehearsing ${migration.what}`, () => measure(context, target, migration)),
  )
  const usable = checkUrlUse(measured, migration)
  const { own: ownDiff, all: diffFromBaseline } = before ? await readDiffs(context, target, before) : {}
  const rehearsal = { ...usable, measuredOn: { ...usable.measuredOn, fork: forkOf(noted) } }
  const { log } = context
  logMalformed(context, measured.malformed)
  const { sum, ownLoss, commentUrl, problem } = await concludeRehearsal(context, target, rehearsal, {
    ...facts,
    diff: diffFromBaseline,
    files: migration.ran,
  })
  const judged: Rehearsal = ownLoss
    ? { ...rehearsal, verdict: 'failed', violations: [ownLoss, ...rehearsal.violations] }
    : rehearsal
  const { verdict, violations, destructive, duration } = judged
  if (sum && sum.verdict !== verdict) log.info(`over all runs on this preview: ${describeVerdict(sum)}`)
  if (rehearsal.verdict === 'not measured') log.warning(`not measured: ${rehearsal.problem}`, 'not measured')
  logViolations(context, violations, problem)
  logEffects(context, rehearsal, ownLoss !== undefined)
  return {
    operation,
    ids,
    pullRequest,
    commentUrl,
    changed: rehearsal.verdict === 'not measured' || rehearsal.statements.some(isChange),
    icon: iconOf(judged),
    report: [...reportRehearsal(judged), ...reportDiff(ownDiff, false)],
    outputs: {
      verdict,
      violations,
      destructive,
      duration: duration / 1000,
      diff: ownDiff && linesOf(ownDiff),
    },
    done: describeResult(context, migration, judged, describeVerdict(sum ?? judged)),
    problem: measured.failure ?? problem,
  }
}
