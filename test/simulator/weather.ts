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

/** Faults that end a run for good if they hit many requests; they are rarer. */
const permanent = new Set(['401', '403', 'HTML 404'])
const kinds = Object.keys(faults).filter(kind => !permanent.has(kind))
/** Faults that leave the creation of a record uncertain. */
const uncertain = kinds.filter(kind => /after processing|late|truncated|large/.test(kind))
const unprocessed = kinds.filter(kind => kind.endsWith('before processing'))
const late = kinds.filter(kind => kind.endsWith('processed late'))

/** The number and kinds of faults for one process. */
export class Weather implements Forecast {
  readonly #chance: Chance
  /** The probability of a fault, for all requests, and for creating ones. */
  readonly #rate: number
  readonly #creatingRate: number
  /** Some processes meet only a few kinds, repeatedly. */
  readonly #kinds: string[]
  /** The time during which the server answers only 503. */
  readonly #outage: { from: number; to: number } | undefined
  readonly #seen: Map<string, number>
  /** Whether the first creating request is lost and processed late, or none is ever processed. */
  #creating: 'as usual' | 'first is late' | 'never'
  #faults = 0

  constructor(chance: Chance, seen: Map<string, number>) {
    this.#chance = chance
    this.#seen = seen
    this.#rate = chance.pick([0, 0.02, 0.1, 0.25, 0.4])
    this.#creatingRate = chance.pick([this.#rate, 0.3, 0.9])
    this.#kinds = chance.hits(0.5) ? kinds : [chance.pick(kinds), chance.pick(kinds)]
    this.#creating = chance.pick(['as usual', 'as usual', 'as usual', 'first is late', 'never'])
    const from = chance.between(400_000, 540_000)
    this.#outage = chance.hits(0.1) ? { from, to: from + chance.between(1000, 90_000) } : undefined
  }

  forecast(asked: Asked): Course {
    const course = this.#draw(asked)
    if (course.kind !== 'none') this.#count(course.kind)
    return course
  }

  fails(kind: string): boolean {
    const hit = this.#chance.hits(kind === 'state cannot be written' ? this.#rate / 20 : this.#rate)
    if (hit) this.#count(kind)
    return hit
  }

  get isCalm(): boolean {
    return this.#faults === 0
  }

  #count(kind: string): void {
    this.#faults += 1
    this.#seen.set(kind, (this.#seen.get(kind) ?? 0) + 1)
  }

  #draw(asked: Asked): Course {
    const chance = this.#chance
    const { elapsed, sinceCreated, creates, operation } = asked
    if (this.#outage && elapsed >= this.#outage.from && elapsed < this.#outage.to)
      return { ...this.#make('5xx before processing', asked), kind: 'outage of 5xx' }
    if (creates && this.#creating === 'never') return this.#make(chance.pick(unprocessed), asked)
    if (creates && this.#creating === 'first is late') {
      this.#creating = 'as usual'
      return this.#make(chance.pick(late), asked)
    }
    if (
      sinceCreated !== undefined &&
      sinceCreated < 50_000 &&
      operation?.startsWith('get-') &&
      chance.hits(this.#rate)
    )
      return recordNotFound(chance, asked)
    if (!chance.hits(creates ? this.#creatingRate : this.#rate)) return clearSky(chance)
    if (chance.hits(0.03)) return this.#make(chance.pick([...permanent]), asked)
    return this.#make(chance.pick(creates && chance.hits(0.5) ? uncertain : this.#kinds), asked)
  }

  #make(kind: string, moment: Moment): Course {
    const maker = faults[kind]
    if (maker === undefined) throw new Error(`no such fault: ${kind}`)
    return maker(this.#chance, moment)
  }
}

/** Decides the course of requests. */
export interface Forecast {
  forecast(asked: Asked): Course
  /** Whether there was no fault so far. */
  readonly isCalm: boolean
  /** Whether GitHub, the state file or a connection to the database fails. */
  fails(kind: string): boolean
}

export function clearWeather(chance: Chance): Forecast {
  return { forecast: () => clearSky(chance), fails: () => false, isCalm: true }
}
