import { describe, expect, it } from 'vitest'
import { Parts } from '#operations/base/parts'

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

describe('the course of an operation', () => {
  /** A clock, and a wait that takes so long. */
  function scene() {
    const clock = { now: 1000 }
    const parts = new Parts({ now: () => clock.now })
    const wait = (name: string) => parts.wait({ name })
    const pass = (milliseconds: number) => {
      clock.now += milliseconds
    }
    return { clock, parts, wait, pass }
  }

  it('counts waits at the same time once, and what is no wait not at all', async () => {
    const { clock, parts, wait, pass } = scene()
    const one = wait('one')
    clock.now += 2000
    const other = wait('other')
    clock.now += 3000
    one.end()
    clock.now += 1000
    other.end()
    await parts.time('asking GitHub', async () => pass(4000))
    expect(parts.course).toEqual({
      milliseconds: 10_000,
      waited: 6000,
      stretches: [
        { name: 'one', isWait: true, from: 0, until: 5000 },
        { name: 'other', isWait: true, from: 2000, until: 6000 },
        { name: 'asking GitHub', isWait: false, from: 6000, until: 10_000 },
      ],
    })
  })

  it('holds what is not over yet up to now, and a rest no longer than it was', () => {
    const { clock, parts, wait } = scene()
    wait('open')
    clock.now += 500
    parts.rest('a rest', 60_000)
    clock.now += 1000
    const spans = parts.course.stretches.map(({ from, until }) => [from, until])
    expect(spans).toEqual([
      [0, 1500],
      [500, 1500],
    ])
  })

  it('knows what goes on, and how long the log has announced nothing', () => {
    const { clock, parts, wait } = scene()
    expect(parts.current).toBeUndefined()
    const outer = wait('outer')
    outer.quiet(30_000)
    const inner = wait('inner')
    expect([parts.current, parts.quietUntil]).toEqual(['inner', 31_000])
    inner.end()
    expect(parts.current).toBe('outer')
    outer.end()
    expect([parts.current, parts.quietUntil]).toEqual([undefined, Number.NEGATIVE_INFINITY])
    parts.rest('a rest', 5000)
    expect([parts.current, parts.quietUntil]).toEqual([undefined, clock.now + 9500])
  })

  it('gives each moment to what began first, where the message tells what used up the time', async () => {
    const { clock, parts, pass } = scene()
    await parts.time('making it', async () => {
      clock.now += 1000
      await parts.time('the answer', async () => pass(4000))
    })
    clock.now += 5000
    expect(parts.render()).toBe('10s have passed: making it took 5.0s, all else took 5.0s')
  })
})
