/** Tests the timeline of a step. */
import { describe, expect, it } from 'vitest'
import { timelineRows } from '#action/outputs/timeline'
import type { TimeSpan } from '#operations/base/outcome'

const span = (name: string, from: number, until: number, more: Partial<TimeSpan> = {}): TimeSpan => ({
  ...{ name, from, until, isWait: true },
  ...more,
})
const statuses = (id: string, ...history: [string, number][]) => ({
  watched: { id, history: history.map(([status, at]) => ({ status, at })) },
})
const shownOf = (milliseconds: number, ...spans: TimeSpan[]) =>
  timelineRows({ milliseconds, spans, waited: 0 }).map(({ name, from, until }) => `${name} ${from}-${until}`)

describe('the rows of a timeline', () => {
  it('are the statuses of a wait, after the work before it', () => {
    const wait = span('waiting for s1', 2000, 9000, statuses('s1', ['QUEUED', 500], ['READY', 7000]))
    const creation = span('creating s1', 100, 2000, { isWait: false })
    expect(shownOf(9500, wait, creation)).toEqual([
      'creating s1 100-2000',
      'QUEUED 2500-9000',
      'READY 9000-9000',
    ])
  })

  it('have the ids of records if there are several', () => {
    const old = span('waiting for s1', 0, 5000, statuses('s1', ['DELETING', 100]))
    const created = span('waiting for s2', 6000, 9000, statuses('s2', ['READY', 3000]))
    expect(shownOf(9000, old, created)).toEqual(['s1 DELETING 100-5000', 's2 READY 9000-9000'])
  })

  it('omit short work, and requests during a wait', () => {
    const wait = span('waiting until lists show it', 1000, 9000)
    const inner = span('waiting for the answer of list-services', 1000, 8000, { isWait: false })
    const comment = span('writing the comment', 9000, 9900, { isWait: false })
    expect(shownOf(100_000, wait, inner, comment)).toEqual(['waiting until lists show it 1000-9000'])
  })

  it('are the 30 longest of hundreds, in order', () => {
    const many = Array.from({ length: 200 }, (_, index) => span(`w${index}`, index, 1000 + 2 * index))
    const shown = shownOf(2000, ...many)
    expect(shown).toHaveLength(30)
    expect(shown[0]).toBe('w170 170-1340')
    expect(shown.at(-1)).toBe('w199 199-1398')
  })
})
