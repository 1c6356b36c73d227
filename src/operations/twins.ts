import { resources } from '../api/resource.ts'
import { askToDelete } from './ask-to-delete.ts'
import type { Context } from './context.ts'
import type { Creation } from './create-once.ts'
import { findOurs } from './intent.ts'
import { idOf } from './read-record.ts'

/** What else came of the call: what was found beside its record, or what a first request made after all. */
async function findTwins(context: Context, creation: Creation<unknown>): Promise<unknown[]> {
  const { record, adopted, twins, intent } = creation
  if (adopted || intent.posts === 1 || !intent.unique) return twins
  try {
    const found = await findOurs(context.client, intent, { attempts: 1 })
    return found.filter(other => idOf(intent.resource, other) !== idOf(intent.resource, record))
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.debug(`looking for twins: ${(failure as Error).message}`)
    return []
  }
}

/**
 * Deletes what a creating call made a second time, where nobody else can have come upon the name. What may be another
 * job's is left alone and said so, as is what cannot be deleted: the record that is kept matters more.
 */
export async function removeTwins(context: Context, creation: Creation<unknown>): Promise<void> {
  const { resource, ids, unique } = creation.intent
  const { label, id } = resources[resource]
  for (const other of await findTwins(context, creation)) {
    const twin = idOf(resource, other)
    if (!unique) {
      context.log.warning(
        `${label} ${twin} has the same name and was created in the same moment; left alone, it may be another job's`,
      )
      continue
    }
    try {
      context.log.info(`${label} ${twin} is a twin of ${idOf(resource, creation.record)}: deleting it`)
      await askToDelete(context, resource, { ...ids, [id]: twin })
    } catch (failure) {
      context.signal.throwIfAborted()
      context.log.warning(
        `${label} ${twin} is a twin that could not be deleted; delete it by hand: ${(failure as Error).message}`,
      )
    }
  }
}
