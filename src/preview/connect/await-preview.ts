import type { Service } from '../../api/records.ts'
import { isEnding } from '../../api/service-states.ts'
import { renderDuration } from '../../base/duration.ts'
import { messageOf } from '../../base/errors.ts'
import { isPassing } from '../../client/retry.ts'
import { type WaitLog, waitUpTo } from '../../operations/wait/wait-log.ts'
import type { PreviewContext } from '../base/context.ts'
import { findPreviews, type Preview } from '../base/identity.ts'
import { PreviewError } from '../base/preview-error.ts'
import { reasonAgainst, reasonByEvent } from '../on-github/reason-for-none.ts'

/** Milliseconds between two looks at the list, and between two questions to GitHub. */
const every = { look: 3000, question: 30_000 }

/** The preview, or why there is to be none. */
export type Found = { service: Service; hasWaited: boolean } | { none: string }

const noPreview = ({ base }: Preview, after = '') =>
  new PreviewError(
    `there is no preview ${base}${after}`,
    'run create-preview (or preview) for it, in the same project, with the same name_prefix and pull request',
  )

/** The oldest database of the preview that is not on its way out, nor one of `gone`. */
async function findAlive(
  context: PreviewContext,
  preview: Preview,
  gone: ReadonlySet<string>,
): Promise<Service | undefined> {
  const found = await findPreviews(context, preview)
  return found.find(service => !isEnding(service) && !gone.has(service.service_id))
}

/** Like `findAlive`, where a failure that may pass by itself counts as nothing found. */
async function look(...asked: Parameters<typeof findAlive>): Promise<Service | undefined> {
  const [{ signal, log }] = asked
  try {
    return await findAlive(...asked)
  } catch (failure) {
    signal.throwIfAborted()
    if (!isPassing(failure)) throw failure
    log.debug(`looking for the preview: ${messageOf(failure)}`)
    return undefined
  }
}

async function waitForMaking(
  context: PreviewContext,
  preview: Preview,
  gone: ReadonlySet<string>,
  progress: WaitLog,
): Promise<Found> {
  const { seam, signal, deadline } = context
  let asked = seam.now()
  for (;;) {
    const left = deadline - seam.now()
    if (left <= 0) throw noPreview(preview, ` after ${renderDuration(progress.elapsed)}`)
    progress.name(left)
    progress.remind(`there is no preview ${preview.base} yet`)
    await seam.sleep(Math.min(every.look, left), signal)
    const service = await look(context, preview, gone)
    if (service) {
      progress.tell(`service ${service.service_id} is the preview ${preview.base}`)
      return { service, hasWaited: true }
    }
    if (seam.now() - asked < every.question) continue
    asked = seam.now()
    const none = await reasonAgainst(context, preview)
    if (none !== undefined) return { none }
  }
}

/**
 * Finds the database of a preview. Where there is none yet, but the pull request gets one, waits until another
 * run has made it. `gone` are ids that a lagging list may still show.
 *
 * @throws PreviewError when there is none by the deadline, or at once where the step is not to wait
 */
export async function awaitPreview(
  context: PreviewContext,
  preview: Preview,
  gone: ReadonlySet<string>,
): Promise<Found> {
  const { wait, dryRun } = context.settings
  const service = await findAlive(context, preview, gone)
  if (service) return { service, hasWaited: gone.size > 0 }
  const none = await reasonAgainst(context, preview, reasonByEvent(context, preview))
  if (none !== undefined) return { none }
  if (!wait || dryRun) throw noPreview(preview)
  const what = `for the preview ${preview.base} to be made`
  const why = 'there is none yet; this step makes none itself'
  return await waitUpTo(context, { what, why }, progress => waitForMaking(context, preview, gone, progress))
}
