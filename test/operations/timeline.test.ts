/** Tests the timeline of an operation. */
import { describe, expect, it } from 'vitest'
import { TimelineRecorder } from '#operations/base/timeline'

/** A TimelineRecorder with these durations in milliseconds; the rest is the remainder of `all`. */
async function timesOf(all: number, spent: Record<string, number>): Promise<string | undefined> {
  let now = 0
  const timeline = new TimelineRecorder({ now: () => now })
  for (const [part, time] of Object.entries(spent))
    await timeline.time(part, async () => {
      now += time
    })
  now = all
  return timeline.render()
}

describe('the longest spans', () => {
  it.each([
    ['the longest first', 100_000, { a: 30_000, b: 60_000 }, '1m 40s have passed: b took 1m 00s, a took 30s'],
    ['what is left', 100_000, { a: 60_000 }, '1m 40s have passed: a took 1m 00s, all else took 40s'],
    [
      'no part of a tenth or less',
      10_000,
      { a: 6000, b: 1000, c: 3000 },
      '10s have passed: a took 6.0s, c took 3.0s',
    ],
    ['no part that would read 0.0s', 200, { a: 120, b: 49, c: 31 }, undefined],
    ['a part of 0.1s', 200, { a: 120, b: 50, c: 30 }, '0.2s have passed: a took 0.1s, b took 0.1s'],
    ['nothing of one part', 100_000, { a: 95_000 }, undefined],
    ['nothing if all is over at once', 0, { a: 0, b: 0 }, undefined],
  ])('are %s', async (_, all, spent, expected) => {
    expect(await timesOf(all, spent)).toBe(expected)
  })
})

describe('the timeline of an operation', () => {
  /** A clock, and a wait that takes so long. */
  function scene() {
    const clock = { now: 1000 }
    const timeline = new TimelineRecorder({ now: () => clock.now })
    const wait = (name: string) => timeline.wait({ name })
    const pass = (milliseconds: number) => {
      clock.now += milliseconds
    }
    return { clock, timeline, wait, pass }
  }

  it('counts simultaneous waits once, and work not at all', async () => {
    const { clock, timeline, wait, pass } = scene()
    const one = wait('one')
    clock.now += 2000
    const other = wait('other')
    clock.now += 3000
    one()
    clock.now += 1000
    other()
    await timeline.time('asking GitHub', async () => pass(4000))
    expect(timeline.timeline).toEqual({
      milliseconds: 10_000,
      waited: 6000,
      spans: [
        { name: 'one', isWait: true, from: 0, until: 5000 },
        { name: 'other', isWait: true, from: 2000, until: 6000 },
        { name: 'asking GitHub', isWait: false, from: 6000, until: 10_000 },
      ],
    })
  })

  it('extends unfinished spans until now, and pauses to their real length', () => {
    const { clock, timeline, wait } = scene()
    wait('open')
    clock.now += 500
    timeline.addPause('a rest', 60_000)
    clock.now += 1000
    const spans = timeline.timeline.spans.map(({ from, until }) => [from, until])
    expect(spans).toEqual([
      [0, 1500],
      [500, 1500],
    ])
  })

  it('has the current span', () => {
    const { clock, timeline, wait } = scene()
    expect(timeline.findCurrent(0)).toBeUndefined()
    const endOuter = wait('outer')
    const endInner = wait('inner')
    expect(timeline.findCurrent(0)?.name).toBe('inner')
    endInner()
    expect(timeline.findCurrent(0)?.name).toBe('outer')
    endOuter()
    timeline.addPause('a rest', 5000)
    clock.now += 4999
    expect(timeline.findCurrent(0)?.name).toBe('a rest')
    clock.now += 1
    expect(timeline.findCurrent(0)).toBeUndefined()
  })

  it('has the wait as the current span, until a request within it has lasted long', async () => {
    const { clock, timeline, wait } = scene()
    wait('outer')
    await timeline.time('a request', async () => {
      clock.now += 4499
      expect(timeline.findCurrent(4500)?.name).toBe('outer')
      clock.now += 1
      expect(timeline.findCurrent(4500)?.name).toBe('a request')
    })
  })

  it('attributes each moment to the earliest span in the message', async () => {
    const { clock, timeline, pass } = scene()
    await timeline.time('making it', async () => {
      clock.now += 1000
      await timeline.time('the answer', async () => pass(4000))
    })
    clock.now += 5000
    expect(timeline.render()).toBe('10s have passed: making it took 5.0s, all else took 5.0s')
  })
})
