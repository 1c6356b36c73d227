/** Tests the estimate of the server's time. */
import { expect, it, test } from 'vitest'
import { createServerClock } from '#client/server-clock'

const noon = Date.parse('2026-01-31T12:00:00Z')
const header = (date: number) => new Date(date).toUTCString()

/** A clock on a runner that believes it is `own`; time passes by changing `now`. */
function clockOn(own: number) {
  const seam = { at: 0, now: () => seam.at, date: () => own + seam.at }
  return { seam, clock: createServerClock(seam) }
}

test.each([
  ['is the runner’s before any answer', noon + 7, undefined, noon + 7],
  ['is the runner’s if the header is none', noon + 7, 'yesterday', noon + 7],
  ['is the runner’s if the header only has a number', noon + 7, 'x 2026', noon + 7],
  ['is the server’s if the runner’s is an hour ahead', noon + 3_600_000, header(noon), noon],
  ['is the server’s if the runner’s is a day behind', noon - 86_400_000, header(noon), noon],
  ['is as fine as the runner’s if both agree', noon + 730, header(noon), noon + 730],
])('the date %s', (_, own, given, expected) => {
  const { clock } = clockOn(own)
  clock.read(given)
  expect(clock.date()).toBe(expected)
})

it("the server's date advances with time, even if the runner's clock changes", () => {
  const { seam, clock } = clockOn(noon + 3_600_000)
  clock.read(header(noon))
  seam.at = 5000
  seam.date = () => 0
  expect(clock.date()).toBe(noon + 5000)
})
