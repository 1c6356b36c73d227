// Creates the record of a plan, and saves it before any wait.

import type { Endpoint } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { type AnyRecord, resources } from '#api/resource'
import { UnreadableAnswerError } from '#base/errors'
import type { Creating } from '../base/context.ts'
import type { Plan } from '../base/journaled.ts'
import type { Outcome } from '../base/outcome.ts'
import { idOf } from '../base/read-record.ts'
import { type Creation, createOnce, type Post } from './create-once.ts'
import { describePlan } from './intent.ts'

/** A new record, and its outcome so far. */
export interface Created<Record extends AnyRecord = AnyRecord> extends Creation<Record> {
  outcome: Outcome
}

/** Rejects an answer with the parent's id as the new record's: every later call would go to the parent. */
function refuseParent(plan: Plan, answer: AnyRecord): void {
  const id = idOf(plan.resource, answer)
  if (plan.resource !== 'service' || id !== plan.parentId) return
  const row: Endpoint = endpoints[plan.operation]
  throw new UnreadableAnswerError(
    { operation: plan.operation, method: row.method, path: row.path },
    {
      status: row.status,
      contentType: 'application/json',
      problem: `with the parent's id ${id} as the id of the new record`,
      next: 'report this to the owner of the server; the parent is unchanged',
    },
  )
}

/**
 * Executes a plan once; every creation uses this function. The new record is saved and announced before any
 * wait, so that neither a failed wait nor a killed step loses it.
 * @param describe returns the outcome that is known right after the answer
 * @throws ActionError if the answer was lost, or the journal cannot be written; the failure of the call if
 * nothing was created
 */
export async function createPlanned<Record extends AnyRecord>(
  context: Creating,
  plan: Plan,
  post: Post<Record>,
  describe: (creation: Creation<Record>) => Outcome,
): Promise<Created<Record>> {
  // Logged before the request: if the step is killed right after it, the log names the possible record.
  context.log.info(`${plan.operation}: creating ${describePlan(plan)}`)
  const creation = await createOnce(context, plan, async options => {
    const answer = await post(options)
    refuseParent(plan, answer)
    return answer
  })
  const { resource, ids } = plan
  const id = idOf(resource, creation.record)
  const outcome = describe(creation)
  const record = { resource, ids: { ...ids, [resources[resource].id]: id }, certain: creation.certain }
  context.journal.announce(record, outcome)
  return { ...creation, outcome }
}
