import { operations, withAround } from '../../src/action/operation-table.ts'
import type { Operation } from '../../src/operations/operation.ts'
import type { PreviewContext } from '../../src/preview/context.ts'
import { getConnection } from '../../src/preview/get-connection.ts'
import * as life from '../../src/preview/life.ts'

type Run = Operation<PreviewContext>['run']

/** What the action loads only when it runs. Loading takes real time, which must not pass while time is virtual. */
const late: Partial<Record<string, Run>> = {
  preview: life.previewByEvent,
  'create-preview': life.createPreview,
  'reset-preview': life.resetPreview,
  'delete-preview': life.deletePreview,
  'prune-previews': life.prunePreviews,
  'get-connection': getConnection,
}

/**
 * What an operation does, loaded already.
 *
 * @throws if there is no operation of that name
 */
export function runOf(name: string): Run {
  const operation = operations.get(name)
  if (operation === undefined) throw new Error(`there is no operation ${name}`)
  const run = late[name]
  return run === undefined ? operation.run : withAround({ ...operation, run }).run
}
