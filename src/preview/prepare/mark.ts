import type { Service } from '#api/records'
import type { MaskingStamp } from '#operations/base/contents'
import type { WithSettings } from '../base/context.ts'
import type { Preview } from '../base/identity.ts'
import { PreviewError } from '../base/preview-error.ts'
import type { Visit } from './database-access.ts'

/** The database of a preview is not known to be masked, and is to be handed out only if it is. */
export class UnmarkedError extends PreviewError {}

/**
 * The mark of a masked database, where one is asked for.
 *
 * @throws UnmarkedError where it has none
 */
export async function readMark(
  { settings }: WithSettings<'preview'>,
  { maskedFrom }: Pick<Preview, 'maskedFrom'>,
  { service_id }: Service,
  { database }: Visit,
): Promise<MaskingStamp | undefined> {
  if (!settings.preview.masked) return undefined
  const mark = await database.readMaskingStamp()
  if (mark !== undefined && (maskedFrom === undefined || mark.source === maskedFrom)) return mark
  throw new UnmarkedError(
    `service ${service_id} does not bear the mark of a masked copy${maskedFrom ? ` of ${maskedFrom}` : ''}: with masked: true it is not handed out`,
    'run `operation: reset-preview` to make it anew, after create-masked-parent if that was not run yet',
  )
}
