import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { untilNextLook } from '../../src/operations/poll.ts'

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

/** The moments of all looks up to a time, with the same chance each time. */
function looksUntil(end: number, random: number): number[] {
  const looks: number[] = []
  for (let now = untilNextLook(0, random); now <= end; now += untilNextLook(now, random)) looks.push(now)
  return looks
}

describe('the next look', () => {
  test.each([
    [0, 500],
    [499, 501],
    [500, 500],
    [1000, 1000],
    [1999, 2001],
    [2000, 2000],
    [3000, 1000],
    [4000, 1500],
    [10_000, 1500],
    [60_000, 1500],
    [100_000, 2500],
    [200_000, 5000],
    [240_000, 6000],
    [1_800_000, 6000],
  ])('%i ms into the wait comes after %i ms', (elapsed, delay) => {
    expect(untilNextLook(elapsed, 0.5)).toBeCloseTo(delay, 6)
  })

  test.each([
    [0, 0, 500],
    [0, 1, 500],
    [4000, 0, 1350],
    [4000, 1, 1650],
    [240_000, 0, 5400],
    [240_000, 1, 6600],
  ])('%i ms into the wait with a chance of %d comes after %i ms', (elapsed, random, delay) => {
    expect(untilNextLook(elapsed, random)).toBeCloseTo(delay, 6)
  })

  it('always comes, soon enough and not too soon', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), chance, (elapsed, random) => {
        const delay = untilNextLook(elapsed, random)
        expect(delay).toBeGreaterThan(50)
        expect(delay).toBeLessThan(6601)
      }),
    )
  })
})

describe('the looks', () => {
  it('come at a half, one, two and four seconds, then slower and slower', () => {
    expect(looksUntil(9000, 0.5)).toEqual([500, 1000, 2000, 4000, 5500, 7000, 8500])
  })

  it('find out late by no more than a tenth of the wait, and a second or two', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_800_000 }), chance, (settledAt, random) => {
        const seenAt = looksUntil(settledAt + 10_000, random).find(look => look >= settledAt) as number
        expect(seenAt - settledAt).toBeLessThanOrEqual(2000 + settledAt / 10)
      }),
    )
  })

  it('are a few hundred in half an hour', () => {
    expect(looksUntil(1_800_000, 0.5).length).toBeLessThan(400)
  })
})
