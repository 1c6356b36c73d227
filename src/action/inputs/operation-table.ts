import type { DatabaseContext } from '#database/context'
import { contentsOperations } from '#database/operations'
import type { GivenParameters } from '#operations/base/context'
import type { Operation } from '#operations/base/operation'
import type { Outcome } from '#operations/base/outcome'
import { withholding } from '#operations/base/withholding'
import { rowOperations } from '#operations/row-operations'
import { withLogLines } from '#operations/wait/last-log-lines'
import { withLastSeen } from '#operations/wait/last-seen'
import { withSignsOfLife } from '#operations/wait/signs-of-life'
import { withTimeline } from '#operations/wait/timeline'
import { withDryRun } from '#preview/base/dry-run'
import { maskedOperations } from '#preview/masked/operations'
import { previewOperations } from '#preview/operations'

/** Every operation by its name: those of the API's contract, then those of previews and masked copies, then those on what a database holds. */
export const operations: ReadonlyMap<string, Operation<DatabaseContext>> = new Map(
  [...rowOperations, ...previewOperations, ...maskedOperations, ...contentsOperations].map(
    (operation: Operation<DatabaseContext>) => [operation.name, operation],
  ),
)

type Run = Operation<DatabaseContext>['run']

/** What surrounds each run of an operation, from the inside to the outside. */
const surroundings: readonly ((run: Run, operation: Operation<DatabaseContext>) => Run)[] = [
  // A failed wait publishes the last record seen, through a journal that may withhold connection details.
  (run, { name, publishesLastSeen }) => (publishesLastSeen ? withLastSeen(name, run) : run),
  (run, { withholds }) => (withholds ? (given, context) => run(given, withholding(context)) : run),
  // A dry run gets a context in which nothing can be changed.
  run => withDryRun(run),
  // A failed wait for a service gets the last lines of the service's log.
  (run, { hidesLog }) => (hidesLog ? run : withLogLines(run)),
  // A heartbeat names the current work after a silence.
  run => (given, context) => withSignsOfLife(context, heard => run(given, heard)),
  // The outcome holds the timeline, and a failure at the deadline names what used up the time.
  run => withTimeline(run),
]

/** Runs an operation with all that surrounds it. */
export function runOperation(
  operation: Operation<DatabaseContext>,
  given: GivenParameters,
  context: DatabaseContext,
): Promise<Outcome> {
  const run = surroundings.reduce((inner, surround) => surround(inner, operation), operation.run)
  return run(given, context)
}
