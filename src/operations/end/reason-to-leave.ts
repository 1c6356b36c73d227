import { type AnyRecord, isService } from '#api/resource'
import { protectingTag } from '#api/service-states'
import type { Plan } from '../base/journaled.ts'
import { idOf } from '../base/read-record.ts'

/**
 * Why a record must not be deleted as one that this step created, whatever the journal says; undefined when there is no
 * reason. Asked of a record that was just read, before each delete at the end of a job.
 */
export function reasonToLeave(record: AnyRecord, plan: Plan): string | undefined {
  const id = idOf(plan.resource, record)
  if (plan.existing.includes(id)) return 'it was there before this step'
  if (!isService(plan.resource, record)) return undefined
  if (id === plan.parentId) return 'it is the parent'
  const tag = protectingTag(record, plan.production)
  if (tag !== undefined) return `it is tagged ${tag}, which this step did not ask for`
  const parent = record.forked_from?.service_id
  if (parent !== undefined && parent !== plan.parentId)
    return `it is a fork of ${parent}, which this step did not ask for`
  return undefined
}
