/** The access of one run to the database of a preview: login, lock, notes, and the record if it does not answer. */
import type { Service } from '#api/records'
import { isEnding } from '#api/service-states'
import { renderDuration } from '#base/duration'
import { messageOf } from '#base/errors'
import { storedVersion } from '#base/stored'
import { type PreviewNote, parsePreviewNote } from '#contents/notes/preview-note'
import type { OpenDatabase } from '#contents/open-database'
import type { Calls, Databases } from '#operations/base/context'
import { isUnlisted, readRecord } from '#operations/base/read-record'
import { isUnreachable, openWithheld, refusalPatience, UnreachableError } from '#operations/wait/connect'
import { targetOfService } from '#operations/wait/targets'
import { WaitError } from '#operations/wait/wait-error'
import { waitFor } from '#operations/wait/wait-log'
import type { PreviewContext } from '../base/context.ts'
import { PreviewError } from '../base/preview-error.ts'

/** The state in the note of this service's database. @throws PreviewError for a malformed note: the state is unknown */
export function readState(text: string | undefined, serviceId: string): PreviewNote | undefined {
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
  state: PreviewNote,
  failure: unknown,
): Promise<void> {
  await database
    .write(JSON.stringify({ ...state, problem: messageOf(failure).slice(0, 300) }))
    .catch(() => {})
}

export const newState = (serviceId: string): PreviewNote => ({
  version: storedVersion,
  service_id: serviceId,
  ready: false,
  seeds: [],
})

/** Milliseconds between two checks of the lock. */
const pause = 2000

/** One session in the database of a preview, with the notes of earlier runs. */
export interface Visit {
  database: OpenDatabase
  state: PreviewNote
  isNoted: boolean
  startedAt: string
}

/** The patience for connecting, and the reaction to a failure. */
export interface Effort {
  /** Milliseconds to try if the runner may fail to reach the database. */
  patience: number
  /** Receives the reason why the database is unreachable; may throw. Without it, the visit is early and optional. */
  onFailure?: (reason: string) => Promise<void>
}

export class DatabaseAccess {
  /** The runner has tried long enough to reach the database. */
  #isUnreachable = false
  readonly #context: Databases
  readonly #base: string

  constructor(context: Databases, base: string) {
    this.#context = context
    this.#base = base
  }

  async #waitForLock(database: OpenDatabase): Promise<void> {
    const { seam, deadline } = this.#context
    const start = seam.now()
    const isLocked = await waitFor(this.#context, {
      what: `until the database of ${this.#base} is free`,
      why: 'another run is preparing it',
      pending: 'another run is still preparing it',
      interval: pause,
      until: deadline,
      check: async () => (await database.tryLock()) || undefined,
    })
    if (isLocked) return
    throw new PreviewError(
      `another run is still preparing the database of ${this.#base} after ${renderDuration(seam.now() - start)}`,
      'look at the log of that run, or raise wait_timeout',
    )
  }

  async #giveUp(reason: string, { onFailure }: Effort): Promise<undefined> {
    if (onFailure === undefined) return
    this.#isUnreachable = true
    await onFailure(reason)
  }

  /**
   * Runs `use` in the database; undefined if the database is unreachable and may be.
   * @throws UnreachableError if it must be reachable, or refuses the login; the errors of `use` and `onFailure`
   */
  async visit<Result>(
    service: Service,
    password: string,
    effort: Effort,
    use: (visit: Visit) => Promise<Result>,
  ): Promise<Result | undefined> {
    if (this.#isUnreachable) return undefined
    const { settings, deadline, seam } = this.#context
    const target = targetOfService(service)
    if (target === undefined) return await this.#giveUp('the record has no address', effort)
    const { onFailure, patience } = effort
    const mustReach = settings.waitForConnection && !target.isInVpc && onFailure !== undefined
    const limits = mustReach
      ? { patience: refusalPatience, deadline }
      : { patience: patience / 2, deadline: Math.min(deadline, seam.now() + patience) }
    const { service_id } = service
    const withheld = { target, serviceId: service_id, password }
    try {
      return await openWithheld(this.#context, withheld, limits, async database => {
        await this.#waitForLock(database)
        const { text, startedAt } = await database.read()
        const state = readState(text, service_id)
        const isNoted = state !== undefined
        return await use({ database, startedAt, isNoted, state: state ?? newState(service_id) })
      })
    } catch (failure) {
      this.#context.signal.throwIfAborted()
      const mayGoOn =
        isUnreachable(failure) || (onFailure === undefined && failure instanceof UnreachableError)
      if (mustReach || !mayGoOn) throw failure
      return await this.#giveUp(messageOf(failure), effort)
    }
  }
}

/**
 * The record of a preview whose database does not answer: a young record may name its parent only now.
 * @throws WaitError if the service is being deleted or gone
 */
export async function readAgain({ client }: Calls, service: Service): Promise<Service> {
  const { project_id, service_id } = service
  if (project_id === undefined) return service
  const ids = { project_id, service_id }
  const record = await readRecord(client, 'service', ids)
  if (record === undefined && !(await isUnlisted(client, 'service', ids))) return service
  if (record !== undefined && !isEnding(record)) return record
  const message = `service ${service_id} was deleted before its connection details were published`
  throw new WaitError(message, 'run the step again', {
    ...{ resource: 'service', ids, latest: record, history: [], isGone: true },
  })
}
