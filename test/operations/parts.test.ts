import { describe, expect, it } from 'vitest'
import { Parts } from '../../src/operations/parts.ts'

/** Parts that took so long, in milliseconds; all else is what remains of `all`. */
async function timesOf(all: number, spent: Record<string, number>): Promise<string | undefined> {
  let now = 0
  const parts = new Parts({ now: () => now })
  for (const [part, time] of Object.entries(spent))
    await parts.time(part, async () => {
      now += time
    })
  now = all
  return parts.render()
}

describe('what used up the time', () => {
  it.each([
    ['the longest first', 100_000, { a: 30_000, b: 60_000 }, '1m 40s have passed: b took 1m 00s, a took 30s'],
    ['what is left', 100_000, { a: 60_000 }, '1m 40s have passed: a took 1m 00s, all else took 40s'],
    [
      'no part of a tenth or less',
      100_000,
      { a: 60_000, b: 10_000, c: 30_000 },
      '1m 40s have passed: a took 1m 00s, c took 30s',
    ],
    ['no part that would read 0.0s', 200, { a: 120, b: 49, c: 31 }, undefined],
    ['a part of 0.1s', 200, { a: 120, b: 50, c: 30 }, '0.2s have passed: a took 0.1s, b took 0.1s'],
    ['nothing of one part', 100_000, { a: 95_000 }, undefined],
    ['nothing where all is over at once', 0, { a: 0, b: 0 }, undefined],
  ])('tells %s', async (_, all, spent, expected) => {
    expect(await timesOf(all, spent)).toBe(expected)
  })
})
