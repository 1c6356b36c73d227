import type { Service } from '../api/records.ts'
import { ActionError } from '../client/errors.ts'
import type { Preview } from './identity.ts'

/** There is no preview that could be used, or it cannot be brought to rest. */
export class PreviewError extends ActionError {}

/** Somebody else's service bears the name of the preview. */
export function foreignService({ service_id }: Service, { base }: Preview, reason: string): PreviewError {
  return new PreviewError(
    `service ${service_id} has the name of the preview ${base}, but ${reason}: it is left alone`,
    'rename or delete it by hand, or use another name_prefix; check service_id',
  )
}
