/** Opens the database of a preview for one run: connects, waits for the lock, and reads the note. */
import type { Service } from '#api/records'
import { renderDuration } from '#base/duration'
import { messageOf } from '#base/unknown-values'
import type { PreviewNote } from '#contents/notes/preview-note'
import type { OpenDatabase } from '#contents/open-database'
import type { Databases } from '#operations/base/context'
import { isUnreachable, openWithheld, refusalPatience, UnreachableError } from '#operations/wait/connect'
import { targetOfService } from '#operations/wait/targets'
import { waitFor } from '#operations/wait/wait-log'
import { PreviewError } from '../base/preview-error.ts'
import { emptyNote, readNote } from './note.ts'

/** Milliseconds between two checks of the lock. */
const pause = 2000

/** One session in the database of a preview, with the notes of earlier runs. */
export interface Visit {
  service: Service
  database: OpenDatabase
  state: PreviewNote
  isNoted: boolean
  startedAt: string
}

/** How long to try to connect, and how to react if the database is unreachable. */
export interface ConnectPolicy {
  /** Milliseconds to try. Ignored if the runner must reach the database: then the deadline counts. */
  patience: number
  /** Receives the reason why the database is unreachable; may throw. Without it, the visit is optional. */
  onFailure?: (reason: string) => Promise<void>
}

async function waitForLock(context: Databases, base: string, database: OpenDatabase): Promise<void> {
  const { seam, deadline } = context
  const start = seam.now()
  const hasLock = await waitFor(context, {
    what: `until the database of ${base} is free`,
    why: 'another run is preparing it',
    interval: pause,
    until: deadline,
    check: async () => (await database.tryLock()) || undefined,
  })
  if (hasLock) return
  throw new PreviewError(
    `another run is still preparing the database of ${base} after ${renderDuration(seam.now() - start)}`,
    'check the log of that run, or raise wait_timeout',
  )
}

/**
 * Runs `use` in the database of the preview `base`. Returns undefined if the database is unreachable and need not be
 * reachable.
 * @throws UnreachableError if it must be reachable, or refuses the login; the errors of `use` and `onFailure`
 */
export async function visitDatabase<Result>(
  context: Databases,
  { base, service, password }: { base: string; service: Service; password: string },
  { patience, onFailure }: ConnectPolicy,
  use: (visit: Visit) => Promise<Result>,
): Promise<Result | undefined> {
  const { settings, deadline, seam, signal } = context
  const target = targetOfService(service)
  if (target === undefined) {
    await onFailure?.('the record has no address')
    return undefined
  }
  const mustReach = settings.waitForConnection && !target.isInVpc && onFailure !== undefined
  const limits = mustReach
    ? { patience: refusalPatience, deadline }
    : { patience: patience / 2, deadline: Math.min(deadline, seam.now() + patience) }
  const { service_id: serviceId } = service
  try {
    return await openWithheld(context, { target, serviceId, password }, limits, async database => {
      await waitForLock(context, base, database)
      const { text, startedAt } = await database.read()
      const state = readNote(text, serviceId)
      const isNoted = state !== undefined
      return await use({ service, database, startedAt, isNoted, state: state ?? emptyNote(serviceId) })
    })
  } catch (failure) {
    signal.throwIfAborted()
    const isOptional = onFailure === undefined && failure instanceof UnreachableError
    if (mustReach || !(isUnreachable(failure) || isOptional)) throw failure
    await onFailure?.(messageOf(failure))
    return undefined
  }
}
