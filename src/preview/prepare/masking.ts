/** Checks that the data of a preview is masked, by the rules of the default branch. */
import { renderAdvised } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import type { MaskingStamp } from '#contents/notes/masking-stamp'
import type { PullRequests, WithSettings } from '../base/context.ts'
import type { Preview } from '../base/identity.ts'
import { PreviewError } from '../base/preview-error.ts'
import type { Visit } from './database-access.ts'
import { matchesPatterns } from './migrations.ts'

/** The database of a preview must be masked but has no masking stamp. */
export class MissingStampError extends PreviewError {}

/** Returns the masking stamp if one is required. @throws MissingStampError if it is missing */
export async function requireMaskingStamp(
  { settings }: WithSettings<'preview'>,
  { maskedFrom }: Pick<Preview, 'maskedFrom'>,
  { database, service: { service_id } }: Visit,
): Promise<MaskingStamp | undefined> {
  if (!settings.preview.masked) return undefined
  const stamp = await database.readMaskingStamp()
  if (stamp !== undefined && (maskedFrom === undefined || stamp.source === maskedFrom)) return stamp
  throw new MissingStampError(
    `service ${service_id} has no masking stamp${maskedFrom ? ` of a copy of ${maskedFrom}` : ''}: with masked: true, its connection details are not published`,
    'if there is no masked parent yet, run create-masked-parent; then run `operation: reset-preview` to recreate the preview',
  )
}

/** The hash of the rules file on the default branch. */
async function readRules(
  context: PullRequests,
  patterns: string[],
): Promise<{ hash: string } | { problem: string }> {
  try {
    const files = await context.github.readFiles('default branch')
    const isRules = matchesPatterns(patterns)
    const hashes = [...files].filter(([path]) => isRules(path)).map(([, hash]) => hash)
    const [hash] = hashes
    if (hash !== undefined && hashes.length === 1) return { hash }
    return { problem: `${hashes.length} files of the default branch fit` }
  } catch (failure) {
    context.signal.throwIfAborted()
    return { problem: messageOf(failure) }
  }
}

/**
 * With `mask_file`: checks the masking against the file on the default branch, before publication.
 * @throws PreviewError if the files differ, and `quarantine` is strict
 */
export async function checkRules(
  context: PullRequests & WithSettings<'quarantine'>,
  service_id: string,
  stamp: MaskingStamp | undefined,
): Promise<void> {
  const { settings, log } = context
  const { maskFile } = settings.preview
  if (stamp === undefined || maskFile === undefined) return
  const name = maskFile.join(' ')
  const rules = await readRules(context, maskFile)
  if ('problem' in rules) {
    log.warning(
      `cannot check whether service ${service_id} was masked by the newest ${name}: ${rules.problem}`,
      'rules not compared',
    )
    return
  }
  if (rules.hash === stamp.file) return
  const failure = new PreviewError(
    `service ${service_id} was masked by another ${name} than that of the default branch`,
    'run create-masked-parent, then `operation: reset-preview`',
  )
  if (settings.quarantine === 'strict') throw failure
  log.warning(renderAdvised(failure), 'masked by other rules')
}
