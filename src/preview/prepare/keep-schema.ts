/** Stores the schema baseline of a preview. */
import type { Service } from '#api/records'
import { messageOf } from '#base/errors'
import type { Waiting } from '#operations/base/context'
import type { Visit } from './database-access.ts'
import type { PreviewState } from './state.ts'

/**
 * Stores the schema of an unused database for later comparison, and returns the new state. After a failure, the preview
 * has no schema baseline.
 */
export async function keepSchema(
  { log, signal }: Waiting,
  { service_id }: Service,
  { database }: Visit,
  state: PreviewState,
): Promise<PreviewState> {
  const isNew = !state.ready && !state.adopted && state.seeds.length === 0
  if (!isNew || state.schema_kept !== undefined) return state
  try {
    await database.keepSchema(service_id)
    return { ...state, schema_kept: true }
  } catch (failure) {
    signal.throwIfAborted()
    log.warning(
      `the schema with which service ${service_id} begins is not kept, so schema-diff has nothing to compare with: ${messageOf(failure)}`,
      'schema not kept',
    )
    return { ...state, schema_kept: false }
  }
}
