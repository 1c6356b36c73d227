import { contentsOperations } from '../../database/operations.ts'
import type { GivenParameters } from '../../operations/base/context.ts'
import type { Operation } from '../../operations/base/operation.ts'
import type { Outcome } from '../../operations/base/outcome.ts'
import { rowOperations } from '../../operations/row-operations.ts'
import { withLogLines } from '../../operations/wait/last-log-lines.ts'
import { withParts } from '../../operations/wait/late.ts'
import type { PreviewContext } from '../../preview/base/context.ts'
import { withDryRun } from '../../preview/base/dry-run.ts'
import { maskedOperations } from '../../preview/masked/operations.ts'
import { previewOperations } from '../../preview/operations.ts'

/** Every operation by its name: those of the API's contract, then those of previews and masked copies, then those on what a database holds. */
export const operations: ReadonlyMap<string, Operation<PreviewContext>> = new Map(
  [...rowOperations, ...previewOperations, ...maskedOperations, ...contentsOperations].map(
    (operation: Operation<PreviewContext>) => [operation.name, operation],
  ),
)

/** Runs an operation with what surrounds every run: a dry run's guard, and what is added to a failure. */
export function runOperation(
  { run, hidesLog = false }: Operation<PreviewContext>,
  given: GivenParameters,
  context: PreviewContext,
): Promise<Outcome> {
  const guarded = withDryRun(run)
  return withParts(hidesLog ? guarded : withLogLines(guarded))(given, context)
}
