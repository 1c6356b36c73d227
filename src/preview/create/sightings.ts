import type { Service } from '../../api/records.ts'
import { isEnding } from '../../api/service-states.ts'
import type { Context } from '../../operations/base/context.ts'
import type { Creation } from '../../operations/create/create-once.ts'
import { byAge } from '../../operations/create/intent.ts'
import { appearance } from '../../operations/wait/settled.ts'
import { rest, waitUpTo } from '../../operations/wait/wait-log.ts'
import { ageOf } from '../base/age.ts'
import { findPreviews, type Preview } from '../base/identity.ts'

/** Milliseconds between two looks. */
const pause = 2000

/** What a run knows of a preview's databases that a lagging list may not show: which were made or are gone, since when. */
export class Sightings {
  #mine: Creation<Service> | undefined
  #isMineListed = false
  /** Ids that this run deleted, or was told are gone: lagging lists may still show them. */
  readonly #gone = new Set<string>()
  /** Moments of the seam's `now` when this run first knew of an id. */
  readonly #knownSince = new Map<string, number>()
  readonly #context: Context
  readonly #preview: Preview

  constructor(context: Context, preview: Preview) {
    this.#context = context
    this.#preview = preview
  }

  /** The database that this run made, even if it was deleted since. */
  get mine(): Creation<Service> | undefined {
    return this.#mine
  }

  /** The database that this run made, unless it was deleted since. */
  get made(): Service | undefined {
    return this.#mine && !this.#gone.has(this.#mine.record.service_id) ? this.#mine.record : undefined
  }

  get isMineListed(): boolean {
    return this.#isMineListed
  }

  isMine({ service_id }: Service): boolean {
    return this.#mine?.record.service_id === service_id
  }

  /** Whether this run's database is so old that every list would show it, if it still existed. */
  get isMineOverdue(): boolean {
    const since = this.#knownSince.get(this.#mine?.record.service_id ?? '') ?? 0
    return this.#context.seam.now() - since >= appearance
  }

  /**
   * The moment of the seam's `now` from which on every list shows all databases that are older than this one:
   * `list_lag` after it was made, which its date tells by the server's clock. Without a date, and for a database that
   * this run made itself, it was made at the latest when this run first knew of it.
   */
  #surelyListedFrom(service: Service): number {
    const { seam, settings } = this.#context
    const known = this.#knownSince.get(service.service_id) ?? seam.now()
    const age = this.isMine(service) ? 0 : (ageOf(this.#context, service) ?? 0)
    return Math.min(known, seam.now() - age) + settings.listLag
  }

  #note({ service_id }: Service): void {
    if (!this.#knownSince.has(service_id)) this.#knownSince.set(service_id, this.#context.seam.now())
  }

  /** Notes the database that this run made. */
  noteMade(mine: Creation<Service>): void {
    this.#mine = mine
    this.#note(mine.record)
  }

  /** Notes a database that this run deleted, or that is gone by its status or a 404. */
  noteGone(id: string): void {
    this.#gone.add(id)
  }

  /**
   * The preview's databases that are not being deleted, the oldest first; this run's own too, even if it `isMissing` from
   * the list.
   */
  async look(): Promise<{ alive: Service[]; ending: Service[]; isMissing: boolean }> {
    const found = (await findPreviews(this.#context, this.#preview)).filter(
      ({ service_id }) => !this.#gone.has(service_id),
    )
    for (const service of found) this.#note(service)
    const alive = found.filter(service => !isEnding(service))
    const isMineFound = found.some(service => this.isMine(service))
    if (isMineFound) this.#isMineListed = true
    const { made } = this
    const isMissing = made !== undefined && !isMineFound
    if (isMissing && !this.isMineOverdue) alive.push(made)
    alive.sort(byAge('service'))
    return { alive, ending: found.filter(isEnding), isMissing }
  }

  /** Looks until any database is there that is not being deleted; false if that takes longer, in milliseconds. */
  async isAnyWithin(patience: number): Promise<boolean> {
    const { seam, signal, deadline } = this.#context
    const end = Math.min(deadline, seam.now() + patience)
    const what = `for a database of ${this.#preview.base} to appear in the list`
    return await waitUpTo(this.#context, { what, why: 'another run may be making one' }, async progress => {
      while ((await this.look()).alive.length === 0) {
        if (seam.now() >= end) return false
        progress.name(end - seam.now())
        progress.remind(`there is no database of ${this.#preview.base} yet`)
        await seam.sleep(Math.min(pause, end - seam.now()), signal)
      }
      return true
    })
  }

  /** Waits until lists show every older database; false if the deadline comes first. */
  async outlastOlder(kept: Service): Promise<boolean> {
    const { seam, deadline } = this.#context
    const moment = this.#surelyListedFrom(kept)
    const end = Math.min(moment, deadline)
    await rest(this.#context, end - seam.now(), {
      what: `until lists surely show every database of ${this.#preview.base}`,
      why: 'another run may have made one at the same moment',
    })
    return end >= moment
  }

  /** Waits until a list shows this run's own database; false if the deadline comes first. */
  async awaitListing(own: Service): Promise<boolean> {
    const { seam, signal, settings, deadline } = this.#context
    const what = `for service ${own.service_id} to appear in the list`
    return await waitUpTo(this.#context, { what, why: 'then older ones appear, too' }, async progress => {
      for (;;) {
        if (this.isMineListed) return true
        await this.look()
        if (this.isMineListed || this.isMineOverdue) return true
        const left = deadline - seam.now()
        progress.name(Math.min(left, appearance))
        progress.remind(`service ${own.service_id} is in no list yet`)
        await seam.sleep(Math.min(2000, settings.listLag, left), signal)
        if (seam.now() >= deadline) return false
      }
    })
  }
}
