import type { Service } from '../api/records.ts'
import type { Context } from '../operations/context.ts'
import type { Creation } from '../operations/create-once.ts'
import { byAge } from '../operations/intent.ts'
import { appearance } from '../operations/settled.ts'
import { findPreviews, isEnding, type Preview } from './identity.ts'

/** What a run has seen of a preview's databases, made and lost, and when: lists that lag behind know less. */
export class Sightings {
  #mine: Creation<Service> | undefined
  #isMineListed = false
  /** Ids that this run deleted, or was told are gone: a list that lags may show them for a while. */
  readonly #gone = new Set<string>()
  /** Moments of the seam's `now` when this run first knew of an id. */
  readonly #knownSince = new Map<string, number>()
  readonly #context: Context
  readonly #preview: Preview

  constructor(context: Context, preview: Preview) {
    this.#context = context
    this.#preview = preview
  }

  /** What this run made, deleted again or not. */
  get mine(): Creation<Service> | undefined {
    return this.#mine
  }

  /** What this run made and has not deleted again. */
  get made(): Service | undefined {
    return this.#mine && !this.#gone.has(this.#mine.record.service_id) ? this.#mine.record : undefined
  }

  get isMineListed(): boolean {
    return this.#isMineListed
  }

  isMine({ service_id }: Service): boolean {
    return this.#mine?.record.service_id === service_id
  }

  /** What was made so long ago that every list would show it, if it were still there. */
  get isMineOverdue(): boolean {
    const since = this.#knownSince.get(this.#mine?.record.service_id ?? '') ?? 0
    return this.#context.seam.now() - since >= appearance
  }

  /** A moment of the seam's `now`; this very moment for an id that was never seen. */
  knownSince({ service_id }: Service): number {
    return this.#knownSince.get(service_id) ?? this.#context.seam.now()
  }

  #note({ service_id }: Service): void {
    if (!this.#knownSince.has(service_id)) this.#knownSince.set(service_id, this.#context.seam.now())
  }

  /** This run made one. */
  noteMade(mine: Creation<Service>): void {
    this.#mine = mine
    this.#note(mine.record)
  }

  /** It was deleted, or a status or a 404 said that it is gone. */
  noteGone(id: string): void {
    this.#gone.add(id)
  }

  /** All of the preview that are not on their way out, the oldest first; with what this run made, listed or not. */
  async look(): Promise<{ alive: Service[]; ending: Service[] }> {
    const found = (await findPreviews(this.#context, this.#preview)).filter(
      ({ service_id }) => !this.#gone.has(service_id),
    )
    for (const service of found) this.#note(service)
    const alive = found.filter(service => !isEnding(service))
    const isMineFound = found.some(service => this.isMine(service))
    if (isMineFound) this.#isMineListed = true
    const { made } = this
    if (made && !isMineFound && !this.isMineOverdue) alive.push(made)
    alive.sort(byAge('service'))
    return { alive, ending: found.filter(isEnding) }
  }
}
