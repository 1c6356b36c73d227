/** The fault that an answer is about another record. */
import { Chance } from './chance.ts'
import type { Course } from './faults.ts'
import { countFault, type FaultCounts, type Forecast } from './weather.ts'
import type { World } from './world.ts'

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

/** Adds such answers while the other weather is fine. A separate chance keeps the other weather of a seed unchanged. */
export function addOtherAnswers(weather: Forecast, world: World, seen: FaultCounts): Forecast {
  const chance = new Chance(world.thirdChance.whole(0, 2 ** 30))
  const rate = chance.pick([0, 0, 0.1, 0.5])
  let isCalm = true
  return {
    forecast(asked) {
      const course = weather.forecast(asked)
      if (course.kind !== 'none' || asked.operation !== 'get-service' || !chance.hits(rate)) return course
      isCalm = false
      const odd = answerForOtherId(course, chance, world)
      countFault(seen, odd.kind)
      return odd
    },
    fails: kind => weather.fails(kind),
    get isCalm() {
      return isCalm && weather.isCalm
    },
  }
}
