import { endpoints } from '../api/endpoints.ts'
import type { Service } from '../api/records.ts'
import { type Resource, resources } from '../api/resource.ts'
import { ActionError, ApiError } from '../client/errors.ts'
import type { Context, CreatedRecord, Intent } from './context.ts'
import { findIntended } from './intent.ts'
import type { Ids } from './outcome.ts'
import { idOf } from './read-record.ts'
import { waitUntilSettled } from './settled.ts'

/** What the step wrote down before it ended or was killed. */
export interface Journaled {
  intent: Intent | undefined
  created: CreatedRecord | undefined
}

/** Something that the step created may still be there. */
export class CleanupError extends ActionError {}

const label = (resource: Resource, ids: Ids) => `${resources[resource].label} ${ids[resources[resource].id]}`

type DeleteCall = (name: string, ids: Ids) => Promise<unknown>

async function deleteOne(context: Context, { resource, ids }: CreatedRecord): Promise<void> {
  const name = resources[resource].delete
  try {
    await (context.client.call as DeleteCall)(name, ids)
  } catch (failure) {
    if (!(failure instanceof ApiError && failure.status === 404)) throw failure
    context.log.info(`cleanup: ${label(resource, ids)} is gone already`)
    return
  }
  context.log.info(`cleanup: deleting ${label(resource, ids)}, which this step created`)
  const { settled } = endpoints[name]
  await waitUntilSettled(context, { settled, asked: {}, ids, justCreated: false })
}

/** A request is under way for 60 s at most, may be processed 60 s late, and clocks differ a little. */
const window = { before: 60_000, after: 180_000 }

/** Whether a record may come of the intent: made when its call was under way, and not tagged PROD. */
function mayBeOurs(record: unknown, { existing, resource, at }: Intent): boolean {
  const { created, metadata } = record as Partial<Service>
  if (existing.includes(idOf(resource, record)) || metadata?.environment?.toUpperCase() === 'PROD')
    return false
  if (resource !== 'service') return true
  const made = Date.parse(created ?? '')
  return made >= at - window.before && made <= at + window.after
}

/**
 * What the step created without learning its id: the one record that looks like it. More than one cannot be told
 * apart, for another job may have made one of the same name: then none is touched.
 */
async function findOurs(context: Context, intent: Intent): Promise<CreatedRecord | undefined> {
  const found = (await findIntended(context.client, intent)).filter(record => mayBeOurs(record, intent))
  const { resource, ids } = intent
  const candidates = found.map(record => idOf(resource, record))
  if (candidates.length > 1) {
    throw new CleanupError(
      `this step may have created one of ${candidates.join(', ')}, and nothing tells which`,
      'look which of them is in use',
    )
  }
  const [id] = candidates
  return id === undefined ? undefined : { resource, ids: { ...ids, [resources[resource].id]: id } }
}

/**
 * Deletes what the step created, by its id, or by its intent where the id was never learned.
 *
 * @throws CleanupError naming what may be left
 */
export async function cleanUp(context: Context, { intent, created }: Journaled): Promise<void> {
  if (created === undefined && intent === undefined) return
  try {
    const record = created ?? (await findOurs(context, intent as Intent))
    if (record === undefined) context.log.info('cleanup: nothing was created')
    else await deleteOne(context, record)
  } catch (failure) {
    const what = created ? label(created.resource, created.ids) : JSON.stringify(intent?.match)
    throw new CleanupError(
      `cleanup of ${what} failed: ${(failure as Error).message}`,
      'delete it by hand if it is still there: it goes on costing',
      { cause: failure },
    )
  }
}
