/** Tests the times of status checks. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { type Progress, untilNextCheck } from '#operations/wait/next-check'
import { measurePolicies, type Waiting } from '../../tools/bench/waiting.ts'

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

/** A change of a record that is there, under way. */
const change = (elapsed: number): Progress => ({ elapsed, isQueued: false, isNew: false })
const creation = (elapsed: number): Progress => ({ ...change(elapsed), isNew: true })
const queued = (elapsed: number): Progress => ({ ...creation(elapsed), isQueued: true })

/** The moments of all looks up to a time, with the same chance each time. */
function looksUntil(end: number, random: number, progress = change): number[] {
  const looks: number[] = []
  const delay = (now: number) => untilNextCheck(progress(now), random)
  for (let now = delay(0); now <= end; now += delay(now)) looks.push(now)
  return looks
}

describe('the next check', () => {
  test.each([
    ['a change', change, 0, 500],
    ['a change', change, 499, 501],
    ['a change', change, 500, 500],
    ['a change', change, 1000, 1000],
    ['a change', change, 1999, 2001],
    ['a change', change, 2000, 2000],
    ['a change', change, 3000, 1000],
    ['a change', change, 4000, 1060],
    ['a change', change, 100_000, 2500],
    ['a change', change, 1_800_000, 6000],
    ['a creation', creation, 2000, 2000],
    ['a creation', creation, 4000, 4000],
    ['a creation', creation, 18_000, 2000],
    ['a creation', creation, 19_900, 1000],
    ['a creation', creation, 20_000, 1300],
    ['a creation', creation, 200_000, 4000],
    ['a creation', creation, 1_800_000, 6000],
    ['a creation that is queued', queued, 0, 500],
    ['a creation that is queued', queued, 10_000, 4000],
    ['a creation that is queued', queued, 20_000, 4000],
    ['a creation that is queued', queued, 600_000, 4000],
  ])('of %s %o, %i ms after its start, comes after %i ms', (_, progress, elapsed, delay) => {
    expect(untilNextCheck(progress(elapsed), 0.5)).toBeCloseTo(delay, 6)
  })

  test.each([
    [0, 0, 500],
    [0, 1, 500],
    [500_000, 0, 5400],
    [500_000, 1, 6600],
  ])('%i ms after the start of a change with random %d comes after %i ms', (elapsed, random, delay) => {
    expect(untilNextCheck(change(elapsed), random)).toBeCloseTo(delay, 6)
  })

  it('always comes within the limits', () => {
    const any = fc.constantFrom(change, creation, queued)
    fc.assert(
      fc.property(any, fc.nat(10_000_000), chance, (progress, elapsed, random) => {
        const delay = untilNextCheck(progress(elapsed), random)
        expect(delay).toBeGreaterThan(50)
        expect(delay).toBeLessThan(6601)
      }),
    )
  })
})

describe('the checks', () => {
  it('detect the end at most a tenth of the wait and two seconds late', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_800_000 }), chance, (settledAt, random) => {
        const seenAt = looksUntil(settledAt + 10_000, random).find(look => look >= settledAt) as number
        expect(seenAt - settledAt).toBeLessThanOrEqual(2000 + settledAt / 10)
      }),
    )
  })
})

describe('over ready times that are log-uniform in 20–600 s, in virtual time,', () => {
  let all: Waiting[]
  beforeAll(async () => {
    all = await measurePolicies(400)
  })

  it('a wait ends 1.7 s late on average, after 65 calls', () => {
    const [{ late, calls }] = all as [Waiting]
    expect(late.mean).toBeLessThanOrEqual(1.7)
    expect(late.relative).toBeLessThanOrEqual(0.015)
    expect(late.p95).toBeLessThanOrEqual(5)
    expect(calls.mean).toBeLessThanOrEqual(65)
    expect(calls.at600).toBeLessThanOrEqual(160)
  })

  it('a database that starts as QUEUED takes fewer calls, with the same delay', () => {
    const [usual, inQueue] = all as [Waiting, Waiting]
    expect(inQueue.calls.mean).toBeLessThan(usual.calls.mean)
    expect(inQueue.late.mean).toBeLessThanOrEqual(1.7)
    expect(inQueue.late.relative).toBeLessThanOrEqual(0.015)
    expect(inQueue.calls.at600).toBeLessThanOrEqual(160)
  })
})
