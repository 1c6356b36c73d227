/** Outages and rate limits during the last runs of a story. */
import type { Chance } from './chance.ts'
import { type Course, faults, refusal } from './faults.ts'
import type { Asked, Forecast } from './weather.ts'
import type { World } from './world.ts'

const limited = "GitHub's rate limit reached"
const tooMany = '429 without Retry-After'

/** The fault of every request during an outage or a rate limit. */
const troubles: Record<string, (chance: Chance, asked: Asked) => Course | undefined> = {
  'connection refused': (chance, asked) => faults['connection refused']?.(chance, asked),
  'reset before processing': (chance, asked) => faults['reset before processing']?.(chance, asked),
  '503 without Retry-After': chance => refuse(chance, '503 without Retry-After', 503),
  [tooMany]: chance => refuse(chance, tooMany, 429),
}

const refuse = (chance: Chance, kind: string, status: number): Course => ({
  kind,
  ended: chance.between(5, 300),
  end: 'answer',
  answer: () => refusal(status),
})

/** From a certain request of the run, every request meets the same trouble for some milliseconds. */
export class Outage implements Forecast {
  readonly isCalm = false
  readonly #weather: Forecast
  readonly #chance: Chance
  readonly #seen: Map<string, number>
  readonly #kind: string
  readonly #first: number
  readonly #lasts: number
  #requests = 0
  #start: number | undefined

  constructor(
    weather: Forecast,
    chance: Chance,
    seen: Map<string, number>,
    { kind, first, lasts }: { kind: string; first: number; lasts: number },
  ) {
    this.#weather = weather
    this.#chance = chance
    this.#seen = seen
    this.#kind = kind
    this.#first = first
    this.#lasts = lasts
  }

  forecast(asked: Asked): Course {
    this.#requests += 1
    if (this.#requests >= this.#first) this.#start ??= asked.elapsed
    const isOn = this.#start !== undefined && asked.elapsed < this.#start + this.#lasts
    const course = isOn ? troubles[this.#kind]?.(this.#chance, asked) : undefined
    if (course === undefined) return this.#weather.forecast(asked)
    const title = `${this.#kind}, lasting`
    this.#seen.set(title, (this.#seen.get(title) ?? 0) + 1)
    return course
  }

  fails(what: string): boolean {
    return this.#weather.fails(what)
  }
}

export class Trouble {
  readonly #chance: Chance
  readonly #seen: Map<string, number>

  constructor(chance: Chance, seen: Map<string, number>) {
    this.#chance = chance
    this.#seen = seen
  }

  limitGitHub({ gitHub }: World): void {
    const chance = this.#chance
    if (!chance.hits(0.2)) return
    const lasts = chance.pick([chance.between(5000, 130_000), chance.between(60_000, 1_800_000)])
    gitHub.limit = { after: chance.whole(0, 6), lasts }
    this.#seen.set(limited, (this.#seen.get(limited) ?? 0) + 1)
  }

  outage(weather: Forecast): Forecast {
    const chance = this.#chance
    if (!chance.hits(0.3)) return weather
    const course = {
      kind: chance.pick(Object.keys(troubles)),
      first: chance.whole(1, 6),
      lasts: chance.between(3000, 15_000),
    }
    return new Outage(weather, chance, this.#seen, course)
  }

  rateLimit(weather: Forecast): Forecast {
    const chance = this.#chance
    if (!chance.hits(0.3)) return weather
    const course = { kind: tooMany, first: 1, lasts: chance.between(10_000, 60_000) }
    return new Outage(weather, chance, this.#seen, course)
  }
}
