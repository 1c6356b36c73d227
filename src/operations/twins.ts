import { resources } from '../api/resource.ts'
import { askToDelete } from './ask-to-delete.ts'
import type { Context } from './context.ts'
import type { Creation } from './create-once.ts'
import { areSurelyOurs } from './intent.ts'
import { idOf } from './read-record.ts'

/**
 * Deletes what a creating call made a second time. What may be another job's is left alone and said so, as is what
 * cannot be deleted: the record that is kept matters more.
 */
export async function removeTwins(context: Context, creation: Creation<unknown>): Promise<void> {
  const { record, twins, intent } = creation
  const { label, id } = resources[intent.resource]
  const ours = areSurelyOurs([record, ...twins], intent)
  for (const twin of twins) {
    const name = `${label} ${idOf(intent.resource, twin)}`
    if (!ours) {
      context.log.warning(
        `${name} has the same name and was created in the same moment; left alone, it may be another job's`,
      )
      continue
    }
    try {
      context.log.info(`${name} is a twin of ${idOf(intent.resource, record)}: deleting it`)
      await askToDelete(context, intent.resource, { ...intent.ids, [id]: idOf(intent.resource, twin) })
    } catch (failure) {
      context.signal.throwIfAborted()
      context.log.warning(
        `${name} is a twin that could not be deleted; delete it by hand: ${(failure as Error).message}`,
      )
    }
  }
}
