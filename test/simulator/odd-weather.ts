/** Rare faults, such as a request processed twice. */
import { Chance } from './chance.ts'
import { type Course, refusal } from './faults.ts'
import type { Asked, Forecast } from './weather.ts'
import type { World } from './world.ts'

/** A proxy sends a creating request twice, before it returns the first answer. */
const processedTwice = (course: Course, chance: Chance): Course => ({
  ...course,
  kind: 'processed twice',
  again: chance.between(course.processed ?? 0, course.ended ?? 0),
})

/** The API processes a request and refuses it with a JSON error. */
const refusedAfter = (course: Course, chance: Chance): Course => ({
  ...course,
  kind: '4xx after processing',
  answer: () => refusal(chance.pick([400, 403, 404, 409, 422])),
})

/** A cache returns the answer to another request: the real record of another service. */
const answerForOtherId = (course: Course, chance: Chance, world: World): Course => ({
  ...course,
  kind: 'answer for another id',
  answer(given) {
    if (given === undefined || given.status >= 300) return given as NonNullable<typeof given>
    const { service_id } = JSON.parse(given.body)
    const others = world.services().filter(service => service.service_id !== service_id)
    return others.length === 0 ? given : { ...given, body: JSON.stringify(chance.pick(others)) }
  },
})

export const oddKinds = ['processed twice', '4xx after processing', 'answer for another id']

/** Rare faults while the other weather is fine. A separate chance keeps the other weather of a seed unchanged. */
export class OddWeather implements Forecast {
  readonly #weather: Forecast
  readonly #world: World
  readonly #seen: Map<string, number>
  readonly #chance: Chance
  /** The probability of a fault, for reads and for creating requests. */
  readonly #rate: number
  readonly #creatingRate: number
  #faults = 0

  constructor(weather: Forecast, world: World, seen: Map<string, number>) {
    this.#weather = weather
    this.#world = world
    this.#seen = seen
    this.#chance = new Chance(world.thirdChance.whole(0, 2 ** 30))
    this.#rate = this.#chance.pick([0, 0, 0.1, 0.5])
    this.#creatingRate = this.#chance.pick([0, 0.3, 0.9])
  }

  forecast(asked: Asked): Course {
    const course = this.#weather.forecast(asked)
    const rate = asked.creates ? this.#creatingRate : this.#rate
    if (course.kind !== 'none' || !this.#chance.hits(rate)) return course
    const odd = this.#drawFault(asked, course)
    if (odd === undefined) return course
    this.#faults += 1
    this.#seen.set(odd.kind, (this.#seen.get(odd.kind) ?? 0) + 1)
    return odd
  }

  #drawFault({ creates, operation }: Asked, course: Course): Course | undefined {
    const chance = this.#chance
    if (creates) return chance.pick([processedTwice, refusedAfter])(course, chance)
    return operation === 'get-service' ? answerForOtherId(course, chance, this.#world) : undefined
  }

  fails(kind: string): boolean {
    return this.#weather.fails(kind)
  }

  get isCalm(): boolean {
    return this.#faults === 0 && this.#weather.isCalm
  }
}
