/** Weather in which the second list of a run is unreachable. */
import type { Chance } from './chance.ts'
import { type Course, clearSky } from './faults.ts'
import type { Asked, Forecast } from './weather.ts'

/** The server is unreachable when a run requests its second list. There is no other fault. */
export class SlowList implements Forecast {
  readonly isCalm = false
  readonly #chance: Chance
  readonly #outage: number
  #lists = 0

  /** `outage`: the milliseconds after which the run requests that list again. */
  constructor(chance: Chance, outage: number) {
    this.#chance = chance
    this.#outage = outage
  }

  forecast({ operation }: Asked): Course {
    if (operation === 'list-services') this.#lists += 1
    const isSlow = operation === 'list-services' && this.#lists === 2
    return isSlow ? { kind: 'connect timeout', ended: this.#outage, end: 'refused' } : clearSky(this.#chance)
  }

  fails(): boolean {
    return false
  }
}
