import type { Service } from '../api/records.ts'
import type { Plan } from './context.ts'
import { idOf } from './read-record.ts'

/**
 * Why a record must not be deleted as one that this step created, whatever the journal says; undefined when there is no
 * reason. Asked of a record that was just read, before each delete at the end of a job.
 */
export function reasonToLeave(record: unknown, plan: Plan): string | undefined {
  const id = idOf(plan.resource, record)
  if (plan.existing.includes(id)) return 'it was there before this step'
  if (plan.resource !== 'service') return undefined
  const { metadata, forked_from } = record as Partial<Service>
  if (id === plan.parentId) return 'it is the parent'
  if (metadata?.environment?.toUpperCase() === 'PROD' && !plan.production)
    return 'it is tagged PROD, which this step did not ask for'
  const parent = forked_from?.service_id
  if (parent !== undefined && parent !== plan.parentId)
    return `it is a fork of ${parent}, which this step did not ask for`
  return undefined
}
