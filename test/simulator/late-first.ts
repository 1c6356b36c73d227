/** Weather in which creating requests are lost and processed late. */
import type { Chance } from './chance.ts'
import { type Course, faults } from './faults.ts'
import type { Asked, Forecast } from './weather.ts'

const kind = 'reset, processed late'

/**
 * The first creating request is lost, and processed after nearly a minute. If lists lag, a second one has been sent by
 * then, which may be lost as well. Everything else follows the given weather.
 */
export class LateFirst implements Forecast {
  readonly isCalm = false
  readonly #weather: Forecast
  readonly #chance: Chance
  #left: number

  /** `lost`: the number of lost creating requests, one or two. */
  constructor(weather: Forecast, chance: Chance, lost: number) {
    this.#weather = weather
    this.#chance = chance
    this.#left = lost
  }

  forecast(asked: Asked): Course {
    const lost = asked.creates && this.#left > 0 ? faults[kind]?.(this.#chance, asked) : undefined
    if (lost === undefined) return this.#weather.forecast(asked)
    this.#left -= 1
    return { ...lost, processed: this.#chance.between(58_500, 60_000) }
  }

  fails(what: string): boolean {
    return this.#weather.fails(what)
  }
}
