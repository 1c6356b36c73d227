import type { Service } from '../../api/records.ts'
import { protectingTag } from '../../api/service-states.ts'
import type { Plan } from '../base/context.ts'
import { idOf } from '../base/read-record.ts'

/**
 * Why a record must not be deleted as one that this step created, whatever the journal says; undefined when there is no
 * reason. Asked of a record that was just read, before each delete at the end of a job.
 */
export function reasonToLeave(record: unknown, plan: Plan): string | undefined {
  const id = idOf(plan.resource, record)
  if (plan.existing.includes(id)) return 'it was there before this step'
  if (plan.resource !== 'service') return undefined
  const service = record as Service
  if (id === plan.parentId) return 'it is the parent'
  const tag = protectingTag(service, plan.production)
  if (tag !== undefined) return `it is tagged ${tag}, which this step did not ask for`
  const parent = service.forked_from?.service_id
  if (parent !== undefined && parent !== plan.parentId)
    return `it is a fork of ${parent}, which this step did not ask for`
  return undefined
}
