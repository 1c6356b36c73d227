/** The masking stamp that the database of a preview needs before its connection details are published. */
import type { Service } from '#api/records'
import type { MaskingStamp } from '#operations/base/contents'
import type { WithSettings } from '../base/context.ts'
import type { Preview } from '../base/identity.ts'
import { PreviewError } from '../base/preview-error.ts'
import type { Visit } from './database-access.ts'

/** The database of a preview must be masked but has no masking stamp. */
export class MissingStampError extends PreviewError {}

/**
 * The masking stamp of a database; undefined if the preview needs no masking.
 *
 * @throws MissingStampError if a required masking stamp is missing
 */
export async function requireMaskingStamp(
  { settings }: WithSettings<'preview'>,
  { maskedFrom }: Pick<Preview, 'maskedFrom'>,
  { service_id }: Service,
  { database }: Visit,
): Promise<MaskingStamp | undefined> {
  if (!settings.preview.masked) return undefined
  const stamp = await database.readMaskingStamp()
  if (stamp !== undefined && (maskedFrom === undefined || stamp.source === maskedFrom)) return stamp
  throw new MissingStampError(
    `service ${service_id} has no masking stamp${maskedFrom ? ` of a copy of ${maskedFrom}` : ''}: with masked: true, its connection details are not published`,
    'if there is no masked parent yet, run create-masked-parent; then run `operation: reset-preview` to recreate the preview',
  )
}
