/** Caches the statistics of databases. */
import type { DataPlane, Statistics } from '../../data-plane.ts'

/** Milliseconds after which statistics are measured again. */
const freshFor = 3_000
/** Databases measured at the same time. */
const atOnce = 4

/** The statistics of databases, measured at most every few seconds, for any number of readers. */
export class StatisticsCache {
  readonly #dataPlane: DataPlane | undefined
  readonly #known = new Map<string, { at: number; statistics: Statistics | undefined }>()
  #measuring: Promise<void> | undefined

  constructor(dataPlane: DataPlane | undefined) {
    this.#dataPlane = dataPlane
  }

  /**
   * The newest statistics of these services. Waits for those never measured; old ones are measured again in the
   * background.
   */
  async read(ids: readonly string[]): Promise<Map<string, Statistics>> {
    const old = ids.filter(id => (this.#known.get(id)?.at ?? 0) < Date.now() - freshFor)
    if (old.length > 0) {
      this.#measuring ??= this.#measure(old).finally(() => {
        this.#measuring = undefined
      })
    }
    if (ids.some(id => !this.#known.has(id))) await this.#measuring
    for (const id of this.#known.keys()) if (!ids.includes(id)) this.#known.delete(id)
    return new Map(
      ids.flatMap(id => {
        const statistics = this.#known.get(id)?.statistics
        return statistics ? [[id, statistics]] : []
      }),
    )
  }

  async #measure(ids: readonly string[]): Promise<void> {
    const dataPlane = this.#dataPlane
    if (dataPlane === undefined) return
    const left = [...ids]
    const ask = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        // A database that has stopped meanwhile has no statistics.
        const statistics = await dataPlane.readStatistics(id).catch(() => undefined)
        this.#known.set(id, { at: Date.now(), statistics })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, ask))
  }
}
