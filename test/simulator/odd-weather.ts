/** Rare faults, such as a request processed twice. */
import { Chance } from './chance.ts'
import { type Course, refusal } from './faults.ts'
import { type Asked, countFault, type FaultCounts, type Forecast } from './weather.ts'
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

/** Adds rare faults while the other weather is fine. A separate chance keeps the other weather of a seed unchanged. */
export function addOddFaults(weather: Forecast, world: World, seen: FaultCounts): Forecast {
  const chance = new Chance(world.thirdChance.whole(0, 2 ** 30))
  /** The probability of a fault, for reads and for creating requests. */
  const rate = chance.pick([0, 0, 0.1, 0.5])
  const creatingRate = chance.pick([0, 0.3, 0.9])
  let isCalm = true
  const draw = ({ creates, operation }: Asked, course: Course): Course | undefined => {
    if (creates) return chance.pick([processedTwice, refusedAfter])(course, chance)
    return operation === 'get-service' ? answerForOtherId(course, chance, world) : undefined
  }
  return {
    forecast(asked) {
      const course = weather.forecast(asked)
      if (course.kind !== 'none' || !chance.hits(asked.creates ? creatingRate : rate)) return course
      const odd = draw(asked, course)
      if (odd === undefined) return course
      isCalm = false
      countFault(seen, odd.kind)
      return odd
    },
    fails: kind => weather.fails(kind),
    get isCalm() {
      return isCalm && weather.isCalm
    },
  }
}
