/** Chooses the faults of the requests of one process. */
import type { EndpointName } from '#api/endpoints'
import type { Chance } from './chance.ts'
import { type Course, clearSky, faults, type Moment, recordNotFound } from './faults.ts'

/** The facts about a request that decide its fault. */
export interface Asked extends Moment {
  operation: EndpointName | undefined
  creates: boolean
  /** Milliseconds since the run created the requested record; undefined for other records. */
  sinceCreated: number | undefined
  /** Milliseconds of virtual time. */
  elapsed: number
}

/** Decides the course of requests. */
export interface Forecast {
  forecast(asked: Asked): Course
  /** Whether there was no fault so far. */
  readonly isCalm: boolean
  /** Whether GitHub, the state file or a connection to the database fails. */
  fails(kind: string): boolean
  /** Whether the API is unavailable for a while, which a run must outlast. */
  isOutage?: true
}

export function clearWeather(chance: Chance): Forecast {
  return { forecast: () => clearSky(chance), fails: () => false, isCalm: true }
}

/** The number of faults by their kind. */
export type FaultCounts = Map<string, number>

export function countFault(seen: FaultCounts, kind: string): void {
  seen.set(kind, (seen.get(kind) ?? 0) + 1)
}

export function makeFault(kind: string, chance: Chance, moment: Moment): Course {
  const make = faults[kind]
  if (make === undefined) throw new Error(`no such fault: ${kind}`)
  return make(chance, moment)
}

/** Faults that end a run for good if they hit many requests; they are rarer. */
const permanent = new Set(['401', '403', 'HTML 404'])
const kinds = Object.keys(faults).filter(kind => !permanent.has(kind))
/** Faults that leave the creation of a record uncertain. */
const uncertain = kinds.filter(kind => /after processing|late|truncated|large/.test(kind))
const unprocessed = kinds.filter(kind => kind.endsWith('before processing'))
const late = kinds.filter(kind => kind.endsWith('processed late'))

/** Draws the number and kinds of faults for one process. */
export function drawWeather(chance: Chance, seen: FaultCounts): Forecast {
  /** The probability of a fault, for all requests, and for creating ones. */
  const rate = chance.pick([0, 0.02, 0.1, 0.25, 0.4])
  const creatingRate = chance.pick([rate, 0.3, 0.9])
  /** Some processes meet only a few kinds, repeatedly. */
  const usual = chance.hits(0.5) ? kinds : [chance.pick(kinds), chance.pick(kinds)]
  /** Whether the first creating request is lost and processed late, or none is ever processed. */
  let creating = chance.pick(['as usual', 'as usual', 'as usual', 'first is late', 'never'])
  const from = chance.between(400_000, 540_000)
  /** The time during which the server answers only 503. */
  const outage = chance.hits(0.1) ? { from, to: from + chance.between(1000, 90_000) } : undefined
  let isCalm = true
  const count = (kind: string) => {
    isCalm = false
    countFault(seen, kind)
  }
  const draw = (asked: Asked): Course => {
    const { elapsed, sinceCreated, creates, operation } = asked
    const make = (kind: string) => makeFault(kind, chance, asked)
    if (outage && elapsed >= outage.from && elapsed < outage.to)
      return { ...make('5xx before processing'), kind: 'outage of 5xx' }
    if (creates && creating === 'never') return make(chance.pick(unprocessed))
    if (creates && creating === 'first is late') {
      creating = 'as usual'
      return make(chance.pick(late))
    }
    const isYoung = sinceCreated !== undefined && sinceCreated < 50_000
    if (isYoung && operation?.startsWith('get-') && chance.hits(rate)) return recordNotFound(chance, asked)
    if (!chance.hits(creates ? creatingRate : rate)) return clearSky(chance)
    if (chance.hits(0.03)) return make(chance.pick([...permanent]))
    return make(chance.pick(creates && chance.hits(0.5) ? uncertain : usual))
  }
  return {
    forecast(asked) {
      const course = draw(asked)
      if (course.kind !== 'none') count(course.kind)
      return course
    },
    fails(kind) {
      const hit = chance.hits(kind === 'state cannot be written' ? rate / 20 : rate)
      if (hit) count(kind)
      return hit
    },
    get isCalm() {
      return isCalm
    },
  }
}
