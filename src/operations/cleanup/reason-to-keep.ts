/** The guard before each deletion of a duplicate, or by the post step: decides which records are kept. */
import { type AnyRecord, isService } from '#api/resource'
import { protectingTag } from '#api/service-states'
import type { Plan } from '../base/journaled.ts'
import { idOf } from '../base/read-record.ts'

/** Why a record is kept although the journal attributes it to this step. Call it with a record just read. */
export function reasonToKeep(record: AnyRecord, plan: Plan): string | undefined {
  const id = idOf(plan.resource, record)
  if (plan.existing.includes(id)) return 'it existed before this step'
  if (!isService(plan.resource, record)) return undefined
  if (id === plan.parentId) return 'it is the parent'
  const tag = protectingTag(record, plan.production)
  if (tag !== undefined) return `it is tagged ${tag}, which this step did not request`
  const parent = record.forked_from?.service_id
  if (parent !== undefined && parent !== plan.parentId)
    return `it is a fork of ${parent}, which this step did not request`
  return undefined
}
