import { renderDuration } from '../base/duration.ts'
import { type Rehearsed, rehearse } from '../contents/rehearsal/rehearse.ts'
import type { Rehearsal, StatementPlace } from '../contents/rehearsal/result/rehearsal.ts'
import type { Schema } from '../contents/schema/schema.ts'
import type { GivenParameters } from '../operations/base/context.ts'
import type { Outcome } from '../operations/base/outcome.ts'
import { timed } from '../operations/base/parts.ts'
import type { PreviewContext } from '../preview/base/context.ts'
import { type Migration, readMigration, timeLeft } from './migration.ts'
import { logViolations, tellRehearsal } from './migrations.ts'
import { requirePreview } from './require-preview.ts'
import { compare, logDiff, tryToReadAfter, tryToReadBefore } from './schemas.ts'
import { explain } from './talk.ts'
import { findTarget, type Target } from './target.ts'

const operation = 'rehearse-migration'

/** What looks on may be told much, since it asks for as long as the migration runs. */
const mostOfWatching = 4 * 1024 * 1024 * 1024

/** Milliseconds for what is asked once the time of the migration is over, or it is done. */
const toConclude = 20_000

async function measure(context: PreviewContext, target: Target, migration: Migration): Promise<Rehearsed> {
  const { signal, seam, settings } = context
  const options = { timeout: timeLeft(context) + toConclude, mostBytes: mostOfWatching, forJson: true }
  try {
    return await context.withSession(target.connection, options, session =>
      rehearse(session, seam, {
        limits: settings.rehearsal,
        files: migration.files,
        run: watch => migration.run(target, watch),
      }),
    )
  } catch (error) {
    signal.throwIfAborted()
    throw explain(target.connection, error)
  }
}

const silent =
  'no statement of the command came through DATABASE_URL or the variables PG*: if it migrated, it was somewhere else'

/** What was measured of a command that has reached the database by the way that is looked at. */
const unlessSilent = ({ failure, rehearsal }: Rehearsed, { isCommand }: Migration): Rehearsal =>
  isCommand && failure === undefined && rehearsal.statements.length === 0 && rehearsal.problem === undefined
    ? { ...rehearsal, verdict: 'not measured', problem: silent }
    : rehearsal

const howToIgnore =
  '`-- managed-database: ignore lock because REASON`, or rewrite or wal; loss of data cannot be ignored'

/** Says what was found, where it is in a file at its line. */
function tell(
  context: PreviewContext,
  { verdict, violations, effects, problem }: Rehearsal,
  unheeded: StatementPlace[],
): void {
  const { log } = context
  for (const place of unheeded)
    log.warning(
      `${place.file}:${place.line}: this comment is not heeded — expected ${howToIgnore}`,
      'comment not heeded',
      {
        ...place,
        column: 1,
      },
    )
  if (verdict === 'not measured') log.warning(`not measured: ${problem}`, 'not measured')
  logViolations(context, violations)
  for (const { message, destructive } of effects)
    if (destructive) log.warning(`data: ${message}`, 'data lost')
    else log.info(`data: ${message}`)
}

/** How the migration changed the schema, and how the preview differs from what it began with, where that is kept. */
async function compareWith(context: PreviewContext, target: Target, before: Schema) {
  const read = await tryToReadAfter(context, target)
  if (read === undefined) return {}
  const own = await compare(before, read.after)
  logDiff(context, own)
  return { own, all: read.birth ? await compare(read.birth, read.after) : own, fork: read.fork }
}

/**
 * Runs a migration on a database that is a copy, and measures what it does there: what it locks and for how long, what it
 * writes anew, and what becomes of the data.
 *
 * @throws what `findTarget` throws, and what is wrong with the files
 */
export async function rehearseMigration(given: GivenParameters, context: PreviewContext): Promise<Outcome> {
  const asked = readMigration(context)
  const target = await findTarget(given, context)
  const { ids, pullRequest } = target
  if (context.settings.dryRun)
    return { operation, ids, pullRequest, skipped: `dry run: would rehearse ${asked.what}` }
  if ('skipped' in target) return { operation, ...target }
  await requirePreview(context, target)
  const before = await tryToReadBefore(context, target)
  const migration = asked.leaveOut(before?.files ?? {})
  const measured = await timed(context, `rehearsing ${migration.what}`, () =>
    measure(context, target, migration),
  )
  const bare = unlessSilent(measured, migration)
  const { own: diff, all, fork } = before ? await compareWith(context, target, before.schema) : {}
  const found = fork ? { ...bare, measuredOn: { ...bare.measuredOn, fork } } : bare
  tell(context, found, measured.unheeded)
  const { sum, ownLoss, commentUrl, problem } = await tellRehearsal(context, target, found, {
    diff: all,
    files: migration.ran,
  })
  const verdict = ownLoss ? 'failed' : found.verdict
  if (sum && sum.verdict !== verdict) context.log.info(`over all runs on this preview: ${sum.verdict}`)
  const lost = ownLoss ? [ownLoss] : []
  logViolations(context, lost)
  return {
    ...{
      operation,
      ids,
      pullRequest,
      changed: migration.files.length > 0 || asked.files.length === 0,
      diff,
      commentUrl,
    },
    rehearsal: { ...found, verdict, violations: [...lost, ...found.violations] },
    done: `${migration.what}, ${renderDuration(found.duration)}: ${verdict}`,
    problem: measured.failure ?? problem,
  }
}
