import type { Service } from '../../api/records.ts'
import { reasonToKeep } from '../base/guard.ts'
import type { Preview } from '../base/identity.ts'
import { foreignService, PreviewError } from '../base/preview-error.ts'

/**
 * Somebody else's service of the same name is neither used nor given a new password.
 *
 * @param isTrusted it need not name its parent: this run made it, or it may do so late
 * @throws PreviewError where it is not ours, or a fork of what was to be masked
 */
export function assertOurs(service: Service, preview: Preview, isTrusted: boolean): void {
  const owner = isTrusted ? { ...preview, parentId: undefined } : preview
  const reason = service.service_id === preview.parentId ? 'it is the parent' : reasonToKeep(service, owner)
  if (reason !== undefined) throw foreignService(service, preview, reason)
  const { maskedFrom, base } = preview
  if (maskedFrom !== undefined && service.forked_from?.service_id === maskedFrom)
    throw new PreviewError(
      `the preview ${base} (service ${service.service_id}) is a fork of ${maskedFrom} itself: with masked: true it is not handed out`,
      'run `operation: reset-preview` to make it anew from a masked copy',
    )
}
