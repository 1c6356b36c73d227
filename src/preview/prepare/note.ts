/** Reads and writes the note of a preview in its database. */
import type { Service } from '#api/records'
import { storedVersion } from '#base/stored'
import { messageOf } from '#base/unknown-values'
import { type PreviewNote, parsePreviewNote } from '#contents/notes/preview-note'
import type { OpenDatabase } from '#contents/open-database'
import type { Waiting } from '#operations/base/context'
import { PreviewError } from '../base/preview-error.ts'

/** The note of this service's database. @throws PreviewError for a malformed note: the state is unknown */
export function readNote(text: string | undefined, serviceId: string): PreviewNote | undefined {
  const stored = parsePreviewNote(text, serviceId)
  if (stored === undefined || 'value' in stored) return stored?.value
  throw new PreviewError(
    `the note in the database of service ${serviceId} cannot be read: ${stored.problem}`,
    'use the release of this action that wrote it, or run `operation: reset-preview`',
  )
}

export const emptyNote = (serviceId: string): PreviewNote => ({
  version: storedVersion,
  service_id: serviceId,
  ready: false,
  seeds: [],
})

export const warnOfMissingNote = ({ log }: Pick<Waiting, 'log'>, { service_id }: Service): void =>
  log.warning(
    `service ${service_id} is not new, but has no note of this action: a run ended early, or a program such as vacuumlo deleted the note. The step prepares the service again, with quarantine and seed_file; schema-diff compares with its present schema`,
    'note missing',
  )

/** Stores why the database is not finished, for other runs. After a failure, they see only an unfinished database. */
export async function noteProblem(
  database: OpenDatabase,
  state: PreviewNote,
  failure: unknown,
): Promise<void> {
  await database
    .write(JSON.stringify({ ...state, problem: messageOf(failure).slice(0, 300) }))
    .catch(() => {})
}
