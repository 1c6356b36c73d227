/** The notes that runs store in the database of a preview, as a run prepares it. */
import type { Service } from '#api/records'
import { messageOf } from '#base/errors'
import { storedVersion } from '#base/stored'
import { type PreviewNote, parsePreviewNote } from '#contents/notes/preview-note'
import type { OpenDatabase } from '#operations/base/contents'
import type { PreviewContext } from '../base/context.ts'
import { PreviewError } from '../base/preview-error.ts'

export type PreviewState = PreviewNote

/**
 * The state in the note of a database; undefined if there is none, or it belongs to another service.
 *
 * @throws PreviewError for a malformed note: the preparation of the database is unknown then
 */
export function readState(text: string | undefined, serviceId: string): PreviewState | undefined {
  const stored = parsePreviewNote(text, serviceId)
  if (stored === undefined || 'value' in stored) return stored?.value
  throw new PreviewError(
    `the note in the database of service ${serviceId} cannot be read: ${stored.problem}`,
    'use the release of this action that wrote it, or run `operation: reset-preview`',
  )
}

export const warnOfMissingNote = ({ log }: Pick<PreviewContext, 'log'>, { service_id }: Service): void =>
  log.warning(
    `service ${service_id} has no note of this action, though it is not new: a run ended early, or something deleted the note, such as vacuumlo. It is prepared again, with quarantine and seed_file; schema-diff compares with its schema of now`,
    'note missing',
  )

/** Stores why the database is not finished, for other runs. After a failure, they see only an unfinished database. */
export async function noteProblem(
  database: OpenDatabase,
  state: PreviewState,
  failure: unknown,
): Promise<void> {
  await database
    .write(JSON.stringify({ ...state, problem: messageOf(failure).slice(0, 300) }))
    .catch(() => {})
}

export const newState = (serviceId: string): PreviewState => ({
  version: storedVersion,
  service_id: serviceId,
  ready: false,
  seeds: [],
})
