/** Faults during the post step. */
import type { Chance } from './chance.ts'
import { clearSky, faults } from './faults.ts'
import type { Fate } from './process.ts'
import { clearWeather, countFault, type FaultCounts, type Forecast, makeFault } from './weather.ts'

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
function drawEndWeather(chance: Chance, seen: FaultCounts): Forecast {
  const lasts = chance.pick([chance.between(5000, 150_000), chance.between(5000, 150_000), 10 ** 9])
  const outage = chance.hits(0.5) ? { kind: chance.pick(outages), lasts } : undefined
  const rate = outage ? 0 : chance.pick([0.1, 0.25, 0.4])
  let start: number | undefined
  let isRefused = false
  let isCalm = true
  const draw = (elapsed: number) => {
    if (outage && start === undefined) countFault(seen, 'outage at the end of a job')
    start ??= elapsed
    if (outage && elapsed < start + outage.lasts) return outage.kind
    if (!chance.hits(rate)) return undefined
    return chance.pick(!isRefused && chance.hits(0.2) ? refusals : passing)
  }
  return {
    forecast(asked) {
      const kind = draw(asked.elapsed)
      isRefused = kind !== undefined && refusals.includes(kind)
      if (kind === undefined) return clearSky(chance)
      isCalm = false
      countFault(seen, kind)
      // Waits beyond the time of a post step belong to other stories.
      return makeFault(kind, chance, { ...asked, retryAfter: Math.min(asked.retryAfter, 1) })
    },
    fails: () => false,
    get isCalm() {
      return isCalm
    },
  }
}

/** Half of all post steps have no faults and all of their time. */
export function drawEnd(chance: Chance, seen: FaultCounts): End {
  const hasWeather = chance.hits(0.4)
  const weather = hasWeather ? drawEndWeather(chance, seen) : clearWeather(chance)
  if (!chance.hits(0.2)) return { weather, fate: undefined }
  const kind = chance.pick(['cancelled', 'cancelled', 'killed'] as const)
  countFault(seen, `end of a job ${kind}`)
  return { weather, fate: { kind, atAwait: chance.whole(1, 12), delay: chance.between(0, 3000) } }
}
