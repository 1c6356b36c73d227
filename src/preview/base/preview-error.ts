/** The errors of operations on previews. */
import type { Service } from '#api/records'
import { ActionError } from '#base/errors'
import { isOfOtherOrigin } from './guard.ts'
import type { Preview } from './identity.ts'

/** No usable preview exists, or other runs keep changing it. */
export class PreviewError extends ActionError {}

/** A service has the name of the preview but must not be used: it has another owner or another parent. */
export function notOwnedError(service: Service, preview: Preview, reason: string, next?: string) {
  const start = `service ${service.service_id} has the name of the preview ${preview.base}, but`
  const isOther = isOfOtherOrigin(service, preview)
  const former = service.forked_from?.service_id
  if (isOther && former !== undefined) {
    return new PreviewError(
      `${start} it is a fork of ${former}, and this step forks ${preview.parentId}: it is not changed`,
      `if ${former} is a masked copy, set masked: true; if two databases share this name, give each its own name_prefix; if service_id has changed on purpose, run \`operation: reset-preview\``,
    )
  }
  const advice = isOther
    ? ' (to replace a preview that was created empty, run delete-preview without service_id; the next run recreates it)'
    : ''
  return new PreviewError(
    `${start} ${reason}: it is not changed`,
    next ?? `rename or delete it by hand${advice}, or use another name_prefix; check service_id`,
  )
}
