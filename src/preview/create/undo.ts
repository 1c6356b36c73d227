import type { Service } from '../../api/records.ts'
import { isEnding } from '../../api/service-states.ts'
import type { PreviewContext } from '../base/context.ts'
import { findPreviews, type Preview } from '../base/identity.ts'
import { removePreview } from '../end/remove.ts'
import { reasonAgainst, toHaveOne } from '../on-github/reason-for-none.ts'
import { report } from '../on-github/report.ts'
import { type Made, outcomeOf } from './made.ts'

/** The pull request gets no preview, for this reason. */
export function skip(context: PreviewContext, preview: Preview, reason: string): Made {
  context.log.info(`${reason}: no preview is made for it`)
  return { ...outcomeOf(preview, undefined), skipped: reason }
}

/** Why the preview is to be kept after all, for example because the pull request was reopened meanwhile. */
async function reasonToStay(context: PreviewContext, preview: Preview): Promise<string | undefined> {
  return (await reasonAgainst(context, preview)) === undefined ? toHaveOne(preview) : undefined
}

/**
 * Deletes the new preview when its pull request was closed, or lost its label, while it was being made: the run for
 * that event may have come too early to find it. `made` may not be listed yet.
 */
export async function undo(
  context: PreviewContext,
  preview: Preview,
  made: Service | undefined,
  reason: string,
): Promise<Made> {
  context.log.info(`${reason} now, so its preview is deleted again`)
  const listed = await findPreviews(context, preview)
  const isListed = listed.some(({ service_id }) => service_id === made?.service_id)
  const found = [...listed, ...(made && !isListed ? [made] : [])].filter(service => !isEnding(service))
  const kept: string[] = []
  for (const service of found) {
    const owner = service.service_id === made?.service_id ? { ...preview, parentId: undefined } : preview
    const reasonNow = () => reasonToStay(context, preview)
    const removal = await removePreview(context, service, owner, { wait: true, reasonNow })
    if (!removal.deleted) kept.push(`${service.service_id} (${removal.reason})`)
  }
  if (kept.length === 0) await report(context, preview, { state: 'deleted' })
  return { ...skip(context, preview, reason), deleted: found.length > kept.length, changed: true }
}
