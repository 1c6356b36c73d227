import { endpoints } from '../api/endpoints.ts'
import { type Resource, resources } from '../api/resource.ts'
import { ActionError } from '../client/errors.ts'
import { askToDelete } from './ask-to-delete.ts'
import type { Cleanup, Context, CreatedRecord, Intent } from './context.ts'
import { latestProcessing } from './create-once.ts'
import { areSurelyOurs, describeIntent, findOurs } from './intent.ts'
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

/** Asks for each deletion before it waits for any: one that takes all of the time must not keep a twin alive. */
async function deleteAll(context: Context, records: CreatedRecord[], lastSent: number): Promise<void> {
  for (const { resource, ids } of records) {
    context.log.info(`cleanup: deleting ${label(resource, ids)}, which this step created`)
    await askToDelete(context, resource, ids, lastSent)
  }
  for (const { resource, ids } of records) {
    const { settled } = endpoints[resources[resource].delete]
    await waitUntilSettled(context, { settled, asked: {}, ids, justCreated: false, lookAtOnce: true })
  }
}

const pause = 5000

/**
 * What may have come of the intent. A request whose answer never came may be processed only now: until that
 * cannot be any more, an empty list says nothing.
 */
async function search(context: Context, intent: Intent): Promise<unknown[]> {
  const { seam, signal, client, log } = context
  // It was looked for until it could not appear any more. What looks like it now is another job's, made since, and
  // nothing but a service says when it was made.
  if (intent.searched && intent.resource !== 'service') return []
  const end = seam.now() + (intent.searched ? 0 : latestProcessing)
  let found = await findOurs(client, intent)
  if (found.length === 0 && !intent.searched)
    log.info(
      `cleanup: ${describeIntent(intent)} may still appear, the answer to its request was lost; looking for it`,
    )
  while (found.length === 0 && seam.now() < end) {
    await seam.sleep(pause, signal)
    found = await findOurs(client, intent)
  }
  return found
}

/**
 * What the step created without learning its id. Another job may have made one of the same name in the same
 * moment: where it cannot be told which is ours, none is touched.
 */
async function findCreated(context: Context, intent: Intent): Promise<CreatedRecord[]> {
  const found = await search(context, intent)
  const { resource, ids } = intent
  const candidates = found.map(record => idOf(resource, record))
  if (areSurelyOurs(found, intent))
    return candidates.map(id => ({ resource, ids: { ...ids, [resources[resource].id]: id } }))
  throw new CleanupError(
    `this step may have created one of ${candidates.join(', ')}, and nothing tells which`,
    'look which of them is in use',
  )
}

/** What a second request created beside the record that is known: the step may have ended before it was deleted. */
async function findTwins(context: Context, intent: Intent, created: CreatedRecord): Promise<CreatedRecord[]> {
  if (!intent.unique || intent.posts === 1) return []
  const { resource, ids } = intent
  const idName = resources[resource].id
  const found = (await findOurs(context.client, intent)).map(record => idOf(resource, record))
  return found
    .filter(id => id !== created.ids[idName])
    .map(id => ({ resource, ids: { ...ids, [idName]: id } }))
}

/** All that the step created: by its id where it learned it, and by the intent where an answer was lost. */
async function findAll(context: Context, { intent, created }: Journaled): Promise<CreatedRecord[]> {
  if (intent === undefined) return created ? [created] : []
  if (created === undefined) return await findCreated(context, intent)
  return [created, ...(await findTwins(context, intent, created))]
}

/** Whether the end of the job shall delete what the step created. */
export function isCleanupDue(cleanup: Cleanup, jobStatus: string | undefined): boolean {
  // Where the status is not known, nothing says that the job failed.
  const hasFailed = jobStatus !== undefined && jobStatus !== 'success'
  return cleanup === 'always' || (cleanup === 'on-failure' && hasFailed)
}

/**
 * Deletes what the step created, by its id, or by its intent where the id was never learned.
 *
 * @throws CleanupError naming what may be left
 */
export async function cleanUp(context: Context, journaled: Journaled): Promise<void> {
  const { intent, created } = journaled
  try {
    const records = await findAll(context, journaled)
    if (records.length === 0 && intent) context.log.info('cleanup: nothing was created')
    await deleteAll(context, records, intent?.lastSent ?? 0)
  } catch (failure) {
    context.signal.throwIfAborted()
    const what = created ? label(created.resource, created.ids) : intent ? describeIntent(intent) : 'nothing'
    throw new CleanupError(
      `cleanup of ${what} failed: ${(failure as Error).message}`,
      'delete it by hand if it is still there: it goes on costing',
      { cause: failure },
    )
  }
}
