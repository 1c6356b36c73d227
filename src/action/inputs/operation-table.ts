/** The table of all operations, and the function that runs one. */
import type { DatabaseContext } from '#database/context'
import { contentsOperations } from '#database/operations'
import type { GivenParameters } from '#operations/base/context'
import type { Operation } from '#operations/base/operation'
import type { Outcome } from '#operations/base/outcome'
import { withholdConnection } from '#operations/base/withholding'
import { rowOperations } from '#operations/endpoint-operation'
import {
  addExistingServices,
  addLogLines,
  addTimeline,
  publishLastRecord,
} from '#operations/wait/failure-reports'
import { withHeartbeat } from '#operations/wait/heartbeat'
import { readOnlyContext } from '#preview/base/read-only'
import { maskedOperations, previewOperations } from '#preview/operations'

/** Every operation by name: of the contract, of previews and masked copies, and on the contents of a database. */
export const operations: ReadonlyMap<string, Operation<DatabaseContext>> = new Map(
  [...rowOperations, ...previewOperations, ...maskedOperations, ...contentsOperations].map(
    (operation: Operation<DatabaseContext>) => [operation.name, operation],
  ),
)

/** Runs an operation with a heartbeat. Its outcome has the timeline, and its failure further facts. */
export async function runOperation(
  operation: Operation<DatabaseContext>,
  given: GivenParameters,
  outer: DatabaseContext,
): Promise<Outcome> {
  const { name, withholds, publishesLastRecord, hidesLog } = operation
  const run = async (context: DatabaseContext) => {
    const permitted = context.settings.dryRun ? readOnlyContext(context) : context
    const own = withholds ? withholdConnection(permitted) : permitted
    try {
      return await operation.run(given, own)
    } catch (failure) {
      // `own` withholds the connection details of this record too.
      if (publishesLastRecord) publishLastRecord(name, failure, own)
      if (!hidesLog) await addLogLines(failure, context)
      await addExistingServices(failure, context, given)
      throw failure
    }
  }
  try {
    return { ...(await withHeartbeat(outer, run)), timeline: outer.timeline.timeline }
  } catch (failure) {
    addTimeline(failure, outer)
    throw failure
  }
}
