/** Opens the database of a preview for one run: connects, waits for the lock, and reads the note. */
import type { Service } from '#api/records'
import { renderDuration } from '#base/duration'
import { storedVersion } from '#base/stored'
import { messageOf } from '#base/unknown-values'
import { type PreviewNote, parsePreviewNote } from '#contents/notes/preview-note'
import type { OpenDatabase } from '#contents/open-database'
import type { SeedFile } from '#contents/sql/seeds'
import type { Databases } from '#operations/base/context'
import { type ConnectPolicy, openIfReachable } from '#operations/wait/connect'
import { targetOfService } from '#operations/wait/targets'
import { waitFor } from '#operations/wait/wait-log'
import type { Preview } from '../base/identity.ts'
import { PreviewError } from '../base/preview-error.ts'

/** The note of this service's database. @throws PreviewError for a malformed note: the state is unknown */
function readNote(text: string | undefined, serviceId: string): PreviewNote | undefined {
  const stored = parsePreviewNote(text, serviceId)
  if (stored === undefined || 'value' in stored) return stored?.value
  throw new PreviewError(
    `the note in the database of service ${serviceId} cannot be read: ${stored.problem}`,
    'use the release of this action that wrote it, or run `operation: reset-preview`',
  )
}

/** Stores why the database is not finished, for other runs. After a failure, they see only an unfinished database. */
export async function noteProblem(database: OpenDatabase, state: PreviewNote, failure: unknown) {
  await database
    .writeNote(JSON.stringify({ ...state, problem: messageOf(failure).slice(0, 300) }))
    .catch(() => {})
}

/** Milliseconds between two checks of the work of another run. */
export const checkInterval = 2000

/** The database to prepare, and the preview that it belongs to. */
export interface PreparationTask extends Pick<Preview, 'base' | 'parentId' | 'maskedFrom'> {
  service: Service
  password: string
  /** The files that fill a new database, in order. */
  seeds?: SeedFile[] | undefined
  /** When this run first tried the database; a moment of the seam's `now`. */
  firstTriedAt: number
}

/** One session in the database of a preview, with the notes of earlier runs. */
export interface Visit extends PreparationTask {
  database: OpenDatabase
  state: PreviewNote
  isNoted: boolean
  startedAt: string
}

async function waitForLock(context: Databases, base: string, database: OpenDatabase): Promise<void> {
  const { seam, deadline } = context
  const start = seam.now()
  const hasLock = await waitFor(context, {
    what: `until the database of ${base} is free`,
    why: 'another run is preparing it',
    interval: checkInterval,
    until: deadline,
    check: async () => (await database.tryLock()) || undefined,
  })
  if (hasLock) return
  throw new PreviewError(
    `another run is still preparing the database of ${base} after ${renderDuration(seam.now() - start)}`,
    'check the log of that run, or raise wait_timeout',
  )
}

/** Runs `use` in the database of the preview. Returns and throws as `openIfReachable`. */
export async function visitDatabase<Result>(
  context: Databases,
  task: PreparationTask,
  policy: ConnectPolicy,
  use: (visit: Visit) => Promise<Result>,
): Promise<Result | undefined> {
  const { base, service, password } = task
  const { service_id: serviceId } = service
  const opened = { target: targetOfService(service), serviceId, password }
  return await openIfReachable(context, opened, policy, async database => {
    await waitForLock(context, base, database)
    const { text, startedAt } = await database.readNote()
    const noted = readNote(text, serviceId)
    const state = noted ?? { version: storedVersion, service_id: serviceId, ready: false, seeds: [] }
    return await use({ ...task, database, startedAt, isNoted: noted !== undefined, state })
  })
}
