/** The table of all operations, and the wrappers around each of them. */
import type { DatabaseContext } from '#database/context'
import { contentsOperations } from '#database/operations'
import type { GivenParameters } from '#operations/base/context'
import type { Operation } from '#operations/base/operation'
import type { Outcome } from '#operations/base/outcome'
import { withholdConnection } from '#operations/base/withholding'
import { rowOperations } from '#operations/row-operations'
import {
  withExistingServices,
  withLastRecord,
  withLogLines,
  withTimeline,
} from '#operations/wait/failure-reports'
import { withHeartbeat } from '#operations/wait/heartbeat'
import { withDryRun } from '#preview/base/dry-run'
import { maskedOperations } from '#preview/masked/operations'
import { previewOperations } from '#preview/operations'

/**
 * Every operation by name: those of the contract, then those of previews and masked copies, then those on the
 * contents of a database.
 */
export const operations: ReadonlyMap<string, Operation<DatabaseContext>> = new Map(
  [...rowOperations, ...previewOperations, ...maskedOperations, ...contentsOperations].map(
    (operation: Operation<DatabaseContext>) => [operation.name, operation],
  ),
)

type Run = Operation<DatabaseContext>['run']

/** The wrappers of each operation, from the innermost to the outermost. */
const wrappers: readonly ((run: Run, operation: Operation<DatabaseContext>) => Run)[] = [
  // A failed wait publishes the last observed record. (The next wrapper may withhold its connection details.)
  (run, { name, publishesLastRecord }) => (publishesLastRecord ? withLastRecord(name, run) : run),
  (run, { withholds }) => (withholds ? (given, context) => run(given, withholdConnection(context)) : run),
  // The context of a dry run allows no change.
  run => withDryRun(run),
  // A failed wait for a service gets the last lines of the service's log.
  (run, { hidesLog }) => (hidesLog ? run : withLogLines(run)),
  // A 404 about a service names those that exist.
  run => withExistingServices(run),
  // A heartbeat names the current work after a silence.
  run => (given, context) => withHeartbeat(context, inner => run(given, inner)),
  // The outcome has the timeline, and a failure at the deadline names the longest spans.
  run => withTimeline(run),
]

export function runOperation(
  operation: Operation<DatabaseContext>,
  given: GivenParameters,
  context: DatabaseContext,
): Promise<Outcome> {
  const run = wrappers.reduce((inner, wrap) => wrap(inner, operation), operation.run)
  return run(given, context)
}

/** Verbs that people try, each with the verb of this action's operations. */
const ownVerbs: Record<string, string> = {
  add: 'create',
  make: 'create',
  new: 'create',
  destroy: 'delete',
  drop: 'delete',
  remove: 'delete',
  rm: 'delete',
  branch: 'fork',
  clone: 'fork',
  copy: 'fork',
  pause: 'stop',
  resume: 'start',
  scale: 'resize',
  show: 'get',
  cleanup: 'prune',
}

/** Replaces other verbs, for suggestions: `remove-service` means `delete-service`, not the similar `rename-service`. */
export function useOwnVerbs(operation: string): string {
  return operation
    .toLowerCase()
    .split(/[-_\s]+/)
    .map(word => (Object.hasOwn(ownVerbs, word) ? ownVerbs[word] : word))
    .join('-')
}
