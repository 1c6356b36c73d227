import { endpoints } from '../api/endpoints.ts'
import { type Resource, resources } from '../api/resource.ts'
import { ActionError, ApiError } from '../client/errors.ts'
import type { Context, CreatedRecord, Intent } from './context.ts'
import { findIntended } from './intent.ts'
import type { Ids } from './outcome.ts'
import { waitUntilSettled } from './settled.ts'

/** What the step wrote down before it ended or was killed. */
export interface Journaled {
  intent: Intent | undefined
  created: CreatedRecord | undefined
}

/** Something that the step created may still be there. */
export class CleanupError extends ActionError {}

/** The post step of a cancelled job has 5 minutes for all its actions; a delete is accepted long before. */
const patience = 120_000

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
  const deadline = context.seam.now() + (context.settings.waitTimeout ?? patience)
  await waitUntilSettled(context, { settled, asked: {}, ids, deadline, justCreated: false })
}

/** The records of the intent that were not there before it: where the step was killed before it learned the id. */
async function findOurs(context: Context, intent: Intent): Promise<CreatedRecord[]> {
  const found = await findIntended(context.client, intent)
  const { resource, ids, existing } = intent
  const ours = found.filter(id => !existing.includes(id))
  return ours.map(id => ({ resource, ids: { ...ids, [resources[resource].id]: id } }))
}

/**
 * Deletes what the step created, by its id, or by its intent where the id was never learned.
 *
 * @throws CleanupError naming what may be left
 */
export async function cleanUp(context: Context, { intent, created }: Journaled): Promise<void> {
  if (created === undefined && intent === undefined) return
  try {
    const records = created ? [created] : await findOurs(context, intent as Intent)
    if (records.length === 0) context.log.info('cleanup: nothing was created')
    for (const record of records) await deleteOne(context, record)
  } catch (failure) {
    const what = created ? label(created.resource, created.ids) : JSON.stringify(intent?.match)
    throw new CleanupError(
      `cleanup of ${what} failed: ${(failure as Error).message}`,
      'delete it by hand if it is still there: it goes on costing',
      { cause: failure },
    )
  }
}
