/** Compares the schema of a preview with its schema baseline. */
import type { SchemaBaseline } from '#contents/notes/schema-baseline'
import { describeVerdict } from '#contents/rehearsal/result/history'
import { renderCounts, reportDiff, reportSum } from '#contents/rehearsal/result/report'
import { compareSchemas } from '#contents/schema/compare-schemas'
import { readSchema } from '#contents/schema/read-schema'
import { mostSchemaBytes, type SchemaDiff } from '#contents/schema/schema'
import type { Databases, GivenParameters } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import { concludeDiff } from './conclusion.ts'
import type { DatabaseContext, WithSettings } from './context.ts'
import { readFacts } from './notes.ts'
import { linesOf, logDiff, readBaselineOf } from './schemas.ts'
import { findTarget, inDatabase, type Target, timeLeft } from './target.ts'
import { logViolations } from './violations.ts'

const operation = 'schema-diff'

/** The schema baseline and the difference from it. Undefined if the database has no baseline of its own. */
const compareWithBaseline = (context: Databases & WithSettings<'contents'>, target: Target) =>
  inDatabase(
    context,
    target,
    { timeout: timeLeft(context), mostBytes: 2 * mostSchemaBytes },
    async session => {
      const baseline = await readBaselineOf(session, target)
      if (baseline === undefined) return undefined
      const now = await readSchema(session, context.settings.contents)
      return { baseline, diff: compareSchemas(baseline.schema, now) }
    },
    { what: 'the schema', next: 'check the rights of the user, and whether a statement holds a lock' },
  )

const noBaseline =
  'no schema baseline in this database: new previews store one, and an older preview needs reset-preview'

function describe({ baseline, diff }: { baseline: SchemaBaseline; diff: SchemaDiff }): string {
  const since = `since service ${baseline.serviceId} was created, ${baseline.at}`
  return diff.text === '' ? `no difference ${since}` : `${renderCounts(diff)} ${since}`
}

/** Compares a schema with the stored baseline. @throws ActionError if the schema cannot be read, and as `findTarget` */
export async function schemaDiff(given: GivenParameters, context: DatabaseContext): Promise<Outcome> {
  const target = await findTarget(given, context)
  const { ids, pullRequest } = target
  const outcome: Outcome = { operation, ids, pullRequest }
  if (context.settings.dryRun) return { ...outcome, skipped: 'dry run: would compare the schema' }
  if ('skipped' in target) return { operation, ...target }
  const facts = await readFacts(context, target)
  const compared = await compareWithBaseline(context, target)
  const diff = compared?.diff
  if (diff) logDiff(context, diff)
  const { sum, commentUrl, problem } = await concludeDiff(context, { ...facts, diff })
  if (compared === undefined && sum === undefined) return { ...outcome, skipped: noBaseline }
  logViolations(context, sum?.violations ?? [], problem)
  return {
    ...outcome,
    report: [...reportSum(sum), ...reportDiff(diff, false)],
    outputs: { ...sum, diff: diff && linesOf(diff) },
    commentUrl,
    problem,
    done: `${compared ? describe(compared) : noBaseline}${sum ? `; migrations: ${describeVerdict(sum)}` : ''}`,
  }
}
