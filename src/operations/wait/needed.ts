// Waits for a record that a call needs.

import { resources } from '#api/resource'
import { messageOf } from '#base/errors'
import type { Calls, WithSettings } from '../base/context.ts'
import type { Call } from '../base/endpoint-outcome.ts'
import { readRecord, statusOf } from '../base/read-record.ts'
import { waitUntilSettled } from './settled.ts'

/**
 * Waits for another record that a call needs, such as the VPC of a peering, while it is being created. If
 * that record is unreadable, the call itself fails with the reason.
 * @throws WaitError if the record cannot become ready, or not by the deadline
 */
export async function waitForNeeded(
  context: Calls & WithSettings<'wait'>,
  { row, parameters }: Call,
): Promise<void> {
  if (row.after === undefined || !context.settings.wait) return
  const { goal, during } = row.after
  const { id } = resources[goal.record]
  const ids = { project_id: String(parameters.project_id), [id]: String(parameters[id]) }
  const record = await readRecord(context.client, goal.record, ids).catch(failure => {
    context.signal.throwIfAborted()
    context.log.debug(`reading the record that the call needs: ${messageOf(failure)}`)
  })
  if (record === undefined || !during.includes(statusOf(record))) return
  await waitUntilSettled(context, { goal, ids, isSeen: true })
}
