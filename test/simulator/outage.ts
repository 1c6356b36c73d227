/** Outages and rate limits during the last runs of a story. */
import type { Chance } from './chance.ts'
import { type Course, type Moment, refusal } from './faults.ts'
import { countFault, type FaultCounts, type Forecast, makeFault } from './weather.ts'
import type { World } from './world.ts'

const tooMany = '429 without Retry-After'

const refuse =
  (kind: string, status: number) =>
  (chance: Chance): Course => ({
    ...{ kind, ended: chance.between(5, 300), end: 'answer' },
    answer: () => refusal(status),
  })

/** The fault of every request during an outage or a rate limit. */
const troubles: Record<string, (chance: Chance, moment: Moment) => Course> = {
  'connection refused': (chance, moment) => makeFault('connection refused', chance, moment),
  'reset before processing': (chance, moment) => makeFault('reset before processing', chance, moment),
  '503 without Retry-After': refuse('503 without Retry-After', 503),
  [tooMany]: refuse(tooMany, 429),
}

interface Outage {
  kind: string
  first: number
  lasts: number
}

export type Trouble = ReturnType<typeof createTrouble>

export function createTrouble(chance: Chance, seen: FaultCounts) {
  /** From a certain request of the run, every request meets the same trouble for some milliseconds. */
  function addOutage(weather: Forecast, draw: () => Outage): Forecast {
    if (!chance.hits(0.3)) return weather
    const { kind, first, lasts } = draw()
    let requests = 0
    let start: number | undefined
    return {
      forecast(asked) {
        requests += 1
        if (requests >= first) start ??= asked.elapsed
        const isOn = start !== undefined && asked.elapsed < start + lasts
        const course = isOn ? troubles[kind]?.(chance, asked) : undefined
        if (course === undefined) return weather.forecast(asked)
        countFault(seen, `${kind}, lasting`)
        return course
      },
      fails: what => weather.fails(what),
      isCalm: false,
      isOutage: true,
    }
  }
  return {
    limitGitHub({ gitHub }: World): void {
      if (!chance.hits(0.2)) return
      const lasts = chance.pick([chance.between(5000, 130_000), chance.between(60_000, 1_800_000)])
      gitHub.limit = { after: chance.whole(0, 6), lasts }
      countFault(seen, "GitHub's rate limit reached")
    },
    outage: (weather: Forecast) =>
      addOutage(weather, () => ({
        kind: chance.pick(Object.keys(troubles)),
        first: chance.whole(1, 6),
        lasts: chance.between(3000, 15_000),
      })),
    rateLimit: (weather: Forecast) =>
      addOutage(weather, () => ({ kind: tooMany, first: 1, lasts: chance.between(10_000, 60_000) })),
  }
}
