/** Faults during the post step. */
import type { Chance } from './chance.ts'
import { type Course, clearSky, faults } from './faults.ts'
import type { Fate } from './process.ts'
import { type Asked, clearWeather, type Forecast } from './weather.ts'

/** The conditions of a post step. */
export interface End {
  weather: Forecast
  fate: Fate | undefined
}

/** Outages: during one, every request meets the same fault. */
const outages = ['5xx before processing', 'HTML 404', 'connection refused', 'timeout before processing']
/** A single refusal is retried; two in a row count as final. */
const refusals = ['401', '403', 'HTML 404']
const passing = Object.keys(faults).filter(kind => !refusals.includes(kind))

/** An outage from the start of the post step, or faults of every kind, but never two refusals in a row. */
class EndWeather implements Forecast {
  readonly #chance: Chance
  readonly #seen: Map<string, number>
  readonly #outage: { kind: string; lasts: number } | undefined
  readonly #rate: number
  #start: number | undefined
  #isRefused = false
  #faults = 0

  constructor(chance: Chance, seen: Map<string, number>) {
    this.#chance = chance
    this.#seen = seen
    const lasts = chance.pick([chance.between(5000, 150_000), chance.between(5000, 150_000), 10 ** 9])
    this.#outage = chance.hits(0.5) ? { kind: chance.pick(outages), lasts } : undefined
    this.#rate = this.#outage ? 0 : chance.pick([0.1, 0.25, 0.4])
  }

  forecast(asked: Asked): Course {
    const kind = this.#draw(asked.elapsed)
    this.#isRefused = kind !== undefined && refusals.includes(kind)
    const maker = kind === undefined ? undefined : faults[kind]
    if (kind === undefined || maker === undefined) return clearSky(this.#chance)
    this.#faults += 1
    this.#count(kind)
    // Waits beyond the time of a post step belong to other stories.
    return maker(this.#chance, { ...asked, retryAfter: Math.min(asked.retryAfter, 1) })
  }

  fails(): boolean {
    return false
  }

  get isCalm(): boolean {
    return this.#faults === 0
  }

  #draw(elapsed: number): string | undefined {
    if (this.#outage && this.#start === undefined) this.#count('outage at the end of a job')
    this.#start ??= elapsed
    if (this.#outage && elapsed < this.#start + this.#outage.lasts) return this.#outage.kind
    if (!this.#chance.hits(this.#rate)) return undefined
    if (!this.#isRefused && this.#chance.hits(0.2)) return this.#chance.pick(refusals)
    return this.#chance.pick(passing)
  }

  #count(kind: string): void {
    this.#seen.set(kind, (this.#seen.get(kind) ?? 0) + 1)
  }
}

/** Half of all post steps have no faults and all of their time. */
export function drawEnd(chance: Chance, seen: Map<string, number>): End {
  const hasWeather = chance.hits(0.4)
  const weather = hasWeather ? new EndWeather(chance, seen) : clearWeather(chance)
  if (!chance.hits(0.2)) return { weather, fate: undefined }
  const kind = chance.pick(['cancelled', 'cancelled', 'killed'] as const)
  const title = `end of a job ${kind}`
  seen.set(title, (seen.get(title) ?? 0) + 1)
  return { weather, fate: { kind, atAwait: chance.whole(1, 12), delay: chance.between(0, 3000) } }
}
