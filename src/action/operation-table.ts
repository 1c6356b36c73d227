import { withLogLines } from '../operations/last-log-lines.ts'
import { withParts } from '../operations/late.ts'
import type { Operation } from '../operations/operation.ts'
import { rowOperations } from '../operations/row-operations.ts'
import type { PreviewContext } from '../preview/context.ts'
import { withDryRun } from '../preview/dry-run.ts'
import { previewOperations } from '../preview/operations.ts'

/** Adds to an operation what surrounds every run of it. Its schemas are still made only when they are read. */
function withAround(operation: Operation<PreviewContext>): Operation<PreviewContext> {
  const copy = Object.defineProperties({} as typeof operation, Object.getOwnPropertyDescriptors(operation))
  return Object.assign(copy, { run: withParts(withLogLines(withDryRun(operation.run))) })
}

/** Every operation by its name: those of the API's contract, then those of previews. */
export const operations: ReadonlyMap<string, Operation<PreviewContext>> = new Map(
  [...rowOperations, ...previewOperations].map((operation: Operation<PreviewContext>) => [
    operation.name,
    withAround(operation),
  ]),
)
