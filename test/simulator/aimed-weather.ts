/** Weather that hits certain requests of a run. */
import type { Chance } from './chance.ts'
import { clearSky } from './faults.ts'
import { type Forecast, makeFault } from './weather.ts'

/**
 * The first creating requests, one or two, are lost, and processed after nearly a minute. If lists lag, a second one has
 * been sent by then. Everything else follows the given weather.
 */
export function loseFirstRequests(weather: Forecast, chance: Chance, lost: number): Forecast {
  let left = lost
  return {
    forecast(asked) {
      if (!asked.creates || left === 0) return weather.forecast(asked)
      left -= 1
      const course = makeFault('reset, processed late', chance, asked)
      return { ...course, processed: chance.between(58_500, 60_000) }
    },
    fails: what => weather.fails(what),
    isCalm: false,
  }
}

/** Every answer to the final rename of a copy is lost. */
export const loseRenames = (chance: Chance): Forecast => ({
  forecast({ operation }) {
    const sky = clearSky(chance)
    return operation === 'rename-service' ? { ...sky, kind: 'reset after processing', end: 'reset' } : sky
  },
  fails: () => false,
  isCalm: false,
})

/** The server is unreachable for the second list of a run, which repeats the request after `outage` milliseconds. */
export function delaySecondList(chance: Chance, outage: number): Forecast {
  let lists = 0
  return {
    forecast({ operation }) {
      if (operation !== 'list-services') return clearSky(chance)
      lists += 1
      return lists === 2 ? { kind: 'connect timeout', ended: outage, end: 'refused' } : clearSky(chance)
    },
    fails: () => false,
    isCalm: false,
  }
}
