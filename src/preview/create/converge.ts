import type { Service } from '../../api/records.ts'
import { isReady } from '../../api/service-states.ts'
import { renderDuration } from '../../base/duration.ts'
import { ApiError, messageOf } from '../../base/errors.ts'
import type { Context } from '../../operations/base/context.ts'
import type { Creation } from '../../operations/create/create-once.ts'
import { isLeaving } from '../../operations/end/ask-to-delete.ts'
import { outlastLostRequest } from '../../operations/end/twins.ts'
import { appearance } from '../../operations/wait/settled.ts'
import { WaitError } from '../../operations/wait/wait-error.ts'
import { restAfter } from '../../operations/wait/wait-log.ts'
import { isYoung } from '../base/age.ts'
import { isOriginUnknown } from '../base/guard.ts'
import type { Preview } from '../base/identity.ts'
import { foreignService, PreviewError } from '../base/preview-error.ts'
import { learnOrigin, makeReady } from '../connect/ready.ts'
import { isGoingByNow, outlast, removePreview, waitUntilGone } from '../end/remove.ts'
import { assertOurs } from './ours.ts'
import { Sightings } from './sightings.ts'

/** The one database of a preview, READY and opened by this run's password. */
export interface Converged {
  service: Service
  password: string
  /** Whether this run made it. */
  created: boolean
  /** Whether it was not READY at first. */
  hasWaited: boolean
}

/** What converging needs besides the API. */
export interface Means {
  make(): Promise<Creation<Service>>
  /** Throws if there is to be no preview any more. */
  assertWanted(): Promise<void>
  /** Gives a READY service this run's password. Throws the API's 404 if the service is gone. */
  claim(service: Service, created: boolean): Promise<string>
}

/** Milliseconds for which a list says what there is: by then the kept one may be gone, and the next round looks again. */
const freshness = 10_000

/** Runs of one pull request cross a few times at most. After more rounds, something keeps undoing the work. */
const mostRounds = 12

const hasStatus = (failure: unknown, ...statuses: number[]) =>
  failure instanceof ApiError && statuses.includes(failure.status)

/**
 * Brings a preview to exactly one READY database, from whatever state it is in: reuses, starts or adopts a database,
 * waits until one being deleted is gone, or makes one.
 */
export class Convergence {
  #hasWaited = false
  readonly #passwords = new Map<string, string>()
  readonly #sightings: Sightings
  readonly #context: Context
  readonly #preview: Preview
  readonly #means: Means

  constructor(context: Context, preview: Preview, means: Means) {
    this.#context = context
    this.#preview = preview
    this.#means = means
    this.#sightings = new Sightings(context, preview)
  }

  /** The database that this run made, unless it was deleted since. */
  get made(): Service | undefined {
    return this.#sightings.made
  }

  /** Excludes services that were deleted before the start, which a lagging list may still show. */
  forget(ids: readonly string[]): void {
    for (const id of ids) this.#sightings.noteGone(id)
  }

  /**
   * Another run has deleted the database that this one made. A reset does that to make a new one, which is as fresh:
   * waits until it is listed.
   */
  async #isSucceeded({ service_id }: Service): Promise<boolean> {
    const ids = { project_id: this.#preview.projectId, service_id }
    // Lists alone do not say that it is gone.
    if (this.#sightings.made !== undefined && !(await isGoingByNow(this.#context, ids))) return false
    this.#sightings.noteGone(service_id)
    this.#context.log.info(
      `service ${service_id}, which this run made, was deleted by another run: once it is gone, waiting up to ${renderDuration(appearance)} for the database that the other run may make in its place`,
    )
    await waitUntilGone(this.#context, ids)
    return await this.#sightings.isAnyWithin(appearance)
  }

  /** There is no database: makes one, once earlier ones are gone. If this run made one already, it makes no other. */
  async #makeAnew(ending: Service[]): Promise<void> {
    const preview = this.#preview
    const { mine } = this.#sightings
    if (mine) await this.#means.assertWanted()
    for (const service of ending) {
      const { service_id } = service
      const what = `service ${service_id} (${preview.base}) is being deleted`
      this.#context.log.info(`${what}; a new one is made after that`)
      await outlast(this.#context, preview.projectId, service)
      this.#sightings.noteGone(service_id)
    }
    if (mine === undefined) this.#sightings.noteMade(await this.#means.make())
    else if (!(await this.#isSucceeded(mine.record)))
      throw new PreviewError(
        `the preview ${preview.base} (service ${mine.record.service_id}) was deleted while it was being made`,
        'run the step again if the pull request is still open',
      )
  }

  /** A service that this run made is known by its random name. A new one may name its parent late. */
  #assertOurs(service: Service, originMayBeLate: boolean): void {
    const isLate = originMayBeLate && isOriginUnknown(service, this.#preview)
    assertOurs(service, this.#preview, this.#sightings.isMine(service) || isLate)
  }

  /** Concurrent runs may have made one each: all of them keep the oldest. */
  async #removeTwins(twins: Service[]): Promise<void> {
    const end = this.#context.seam.now() + freshness
    const isOld = () => this.#context.seam.now() > end
    const reasonNow = async () => (isOld() ? 'the list that showed it is old by now' : undefined)
    for (const twin of twins) {
      this.#context.log.info(`service ${twin.service_id} is a twin of the preview ${this.#preview.base}`)
      const owner = this.#sightings.isMine(twin) ? { ...this.#preview, parentId: undefined } : this.#preview
      const removal = await removePreview(this.#context, twin, owner, { wait: false, reasonNow })
      if (!removal.deleted && isOld()) return
      if (!removal.deleted) throw foreignService(twin, this.#preview, removal.reason)
      this.#sightings.noteGone(twin.service_id)
    }
  }

  /** Brings the kept database to READY; undefined when it was deleted meanwhile. */
  async #settle(kept: Service): Promise<Service | undefined> {
    if (isReady(kept)) return kept
    const isMine = this.#sightings.isMine(kept)
    const isNew = isMine || isYoung(this.#context, kept)
    // Every other one comes from a list.
    const isSeen = !isMine || this.#sightings.isMineListed
    try {
      const ready = await makeReady(this.#context, this.#preview, kept, { isNew, isSeen })
      this.#hasWaited = true
      return ready
    } catch (failure) {
      if (!(failure instanceof WaitError || hasStatus(failure, 404))) throw failure
      const { alive } = await this.#sightings.look()
      const isThere = alive.some(({ service_id }) => service_id === kept.service_id)
      // A lagging list may still show a service that, by its status or a 404, is gone.
      const isSaidGone = hasStatus(failure, 404) || (failure instanceof WaitError && failure.isGone)
      if (isThere && !isSaidGone) throw failure
      this.#lose(kept)
      return undefined
    }
  }

  #lose({ service_id }: Service): void {
    this.#context.log.info(`service ${service_id} went away; looking again`)
    this.#sightings.noteGone(service_id)
  }

  /** Sets the password. Unlike reads, writes do not lag: without a password the service is gone or changing. */
  async #claim(service: Service): Promise<string | undefined> {
    const known = this.#passwords.get(service.service_id)
    if (known !== undefined) return known
    try {
      const password = await this.#means.claim(service, this.#sightings.isMine(service))
      this.#passwords.set(service.service_id, password)
      return password
    } catch (failure) {
      // 409: the service is changing, perhaps being deleted; the next look tells.
      if (!hasStatus(failure, 404, 409)) throw failure
      this.#context.log.debug(messageOf(failure))
      if (hasStatus(failure, 404)) this.#lose(service)
      return undefined
    }
  }

  /**
   * Waits until a list must show every older database of the pull request: the kept one was made longer ago than lists
   * lag behind, so an older one was too; and this run's own is listed. So all runs keep the same.
   */
  async #outlastLag(kept: Service): Promise<void> {
    const context = this.#context
    const sightings = this.#sightings
    if (!(await outlastLostRequest(context, sightings.mine?.twinUntil)))
      context.log.warning(
        'the request whose answer was lost may still make a second database; the next run deletes it',
        'maybe made twice',
      )
    const { made } = sightings
    const inTime = (await sightings.outlastOlder(kept)) && (!made || (await sightings.awaitListing(made)))
    if (!inTime)
      context.log.warning(
        `no time is left to see whether another run made a second database of ${this.#preview.base}; the next run or prune deletes it`,
        'maybe made twice',
      )
  }

  /** One attempt to settle on the kept database; undefined when there is more to do. */
  async #rest(kept: Service): Promise<Converged | undefined> {
    this.#assertOurs(kept, true)
    const settled = await this.#settle(kept)
    if (settled === undefined) return undefined
    const service = this.#sightings.isMine(kept)
      ? settled
      : await learnOrigin(this.#context, this.#preview, settled)
    this.#assertOurs(service, false)
    const password = await this.#claim(service)
    if (password === undefined) return undefined
    await this.#outlastLag(kept)
    const { alive, isMissing } = await this.#sightings.look()
    const [oldest, ...twins] = alive
    if (oldest?.service_id !== kept.service_id) return undefined
    if (twins.length > 0) {
      // Every list should show it by now. If a reset has deleted it, its "twin" is what takes its place.
      const ids = { project_id: this.#preview.projectId, service_id: kept.service_id }
      const isDoubtful = isMissing && this.#sightings.isMine(kept)
      if (isDoubtful && (await isLeaving(this.#context, 'service', ids))) this.#lose(kept)
      else await this.#removeTwins(twins)
      return undefined
    }
    return { service, password, created: this.#sightings.isMine(service), hasWaited: this.#hasWaited }
  }

  async #restOnce(milliseconds: number): Promise<void> {
    const line = `looking at ${this.#preview.base} again in ${renderDuration(milliseconds)}: it is being changed`
    await restAfter(this.#context, { line, name: 'waiting to look again', milliseconds })
  }

  /**
   * @throws PreviewError when somebody else's service has the name, or other runs keep changing the preview; WaitError
   * when it does not become READY
   */
  async run(): Promise<Converged> {
    for (let round = 0; round < mostRounds; round++) {
      if (round > 1) await this.#restOnce(Math.min(1000 * (round - 1), 5000))
      const { alive, ending } = await this.#sightings.look()
      const [kept] = alive
      if (kept === undefined) await this.#makeAnew(ending)
      const converged = kept && (await this.#rest(kept))
      if (converged) return converged
    }
    throw new PreviewError(
      `the preview ${this.#preview.base} does not come to rest: other runs keep changing it`,
      'use `concurrency` in the workflow, one group per pull request',
    )
  }
}
