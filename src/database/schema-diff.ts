/** Compares the schema of a preview with its schema baseline. */
import type { SchemaBaseline } from '#contents/notes/schema-baseline'
import { describeVerdict } from '#contents/rehearsal/result/history'
import { reportDiff, reportSum } from '#contents/rehearsal/result/report'
import { mostOfSchema, type SchemaDiff } from '#contents/schema/schema'
import type { Databases, GivenParameters } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import { explainConnection } from '#operations/wait/connect'
import { StatementError } from '#postgres/session'
import type { DatabaseContext, WithSettings } from './context.ts'
import { tellDiff } from './migrations.ts'
import { previewOf, readNotes } from './noted.ts'
import { compare, logDiff, readBaselineOf, readSchemaOf } from './schemas.ts'
import { findTarget, type Target, TargetError } from './target.ts'
import { linesOf, logViolations, outputsOf } from './violations.ts'

const operation = 'schema-diff'

/** The difference from the schema baseline. Undefined if the database has no baseline of its own. */
async function compareWithBaseline(
  context: Databases & WithSettings<'contents'>,
  target: Target,
): Promise<{ baseline: SchemaBaseline; diff: SchemaDiff } | undefined> {
  const { seam, deadline, signal } = context
  const { connection } = target
  const options = { timeout: Math.max(1000, deadline - seam.now()), mostBytes: 2 * mostOfSchema }
  try {
    return await context.withSession(connection, options, async session => {
      const baseline = await readBaselineOf(session, target)
      if (baseline === undefined) return undefined
      return { baseline, diff: await compare(baseline.schema, await readSchemaOf(session, context)) }
    })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof StatementError)) throw explainConnection(connection, error)
    throw new TargetError(
      `the schema cannot be read: ${error.message} (SQLSTATE ${error.code})`,
      'check the rights of the user, and whether a statement holds a lock',
      { cause: error },
    )
  }
}

/** `+3 −1 ~2`. */
const renderCounts = ({ added, removed, changed }: SchemaDiff) => `+${added} −${removed} ~${changed}`

const nothingKept =
  'no schema baseline in this database: new previews store one, and an older preview needs reset-preview'

function describe({ baseline, diff }: { baseline: SchemaBaseline; diff: SchemaDiff }): string {
  const since = `since service ${baseline.serviceId} was created, ${baseline.at}`
  return diff.text === '' ? `no difference ${since}` : `${renderCounts(diff)} ${since}`
}

/**
 * Compares the schema of a database with its schema baseline, which the run that created the preview stored in it. Reports the
 * difference and all rehearsals on the preview on the pull request.
 *
 * @throws TargetError if the schema cannot be read, and the errors of `findTarget`
 */
export async function schemaDiff(given: GivenParameters, context: DatabaseContext): Promise<Outcome> {
  const target = await findTarget(given, context)
  const { ids, pullRequest } = target
  const outcome: Outcome = { operation, ids, pullRequest }
  if (context.settings.dryRun) return { ...outcome, skipped: 'dry run: would compare the schema' }
  if ('skipped' in target) return { operation, ...target }
  const noted = await readNotes(context, target)
  const preview = previewOf(context, noted)
  const compared = await compareWithBaseline(context, target)
  const diff = compared?.diff
  if (diff) logDiff(context, diff)
  const told = await tellDiff(context, { noted, preview, diff, serviceId: ids.service_id })
  if (compared === undefined && told.sum === undefined) return { ...outcome, skipped: nothingKept }
  const { sum: history, commentUrl, problem } = told
  logViolations(context, history?.violations ?? [], problem)
  return {
    ...outcome,
    report: [...reportSum(history), ...reportDiff(diff, false)],
    outputs: { ...(history && outputsOf(history)), diff: linesOf(diff) },
    ...{ commentUrl, problem },
    done: `${compared ? describe(compared) : nothingKept}${history ? `; migrations: ${describeVerdict(history)}` : ''}`,
  }
}
