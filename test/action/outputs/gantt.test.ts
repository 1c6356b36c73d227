/** Tests the chart of a wait. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { barsOf, renderGantt } from '#action/outputs/gantt'
import type { TimeSpan } from '#operations/base/outcome'
import { anyText } from '../../support/any-text.ts'

it('the chart starts at midnight in the time zone of its reader', () => {
  const bars = [
    { name: 'QUEUED', from: 12, until: 520 },
    { name: 'CONFIGURING', from: 520, until: 2210 },
    { name: 'READY', from: 2210, until: 2210 },
  ]
  expect(renderGantt('service s1', bars, 2210)).toMatchInlineSnapshot(`
    "gantt
      title service s1
      dateFormat YYYY-MM-DD HH:mm:ss.SSS
      axisFormat %-S.%Ls
      tickInterval 500millisecond
      QUEUED :active, 2001-01-02 00:00:00.012, 508ms
      CONFIGURING :active, 2001-01-02 00:00:00.520, 1690ms
      READY :milestone, 2001-01-02 00:00:02.210, 0ms"
  `)
})

test.each([
  [0, '500millisecond', '%-S.%Ls'],
  [2210, '500millisecond', '%-S.%Ls'],
  [9000, '1second', '%-Ss'],
  [45_000, '5second', '%-Ss'],
  [94_000, '15second', '%-M:%S'],
  [300_000, '1minute', '%-M:%S'],
  [21 * 60_000, '5minute', '%-M:%S'],
  [95 * 60_000, '30minute', '%-H:%M h'],
])('the chart of a step of %i ms has ticks each %s, written as %s', (end, tick, format) => {
  const lines = renderGantt('', [{ name: 'READY', from: 0, until: end }], end).split('\n')
  expect(lines).toContain(`  tickInterval ${tick}`)
  expect(lines).toContain(`  axisFormat ${format}`)
})

it('the chart cuts a long name after a whole word', () => {
  const name = `waiting for another run to finish the database of preview-pr-7-${'0'.repeat(40)}`
  const lines = renderGantt('', [{ name, from: 0, until: 1000 }], 1000).split('\n')
  expect(lines[5]).toContain('waiting for another run to finish the database of ... :')
})

it('the chart has a line for each bar with any name', () => {
  fc.assert(
    fc.property(anyText(), name => {
      const lines = renderGantt(name, [{ name, from: 0, until: 1000 }], 1000).split('\n')
      expect(lines).toHaveLength(6)
      expect(lines[5]).toMatch(/^ {2}[\w .-]+ :active, [\d:. -]+, 1000ms$/)
    }),
  )
})

const span = (name: string, from: number, until: number, more: Partial<TimeSpan> = {}): TimeSpan => ({
  ...{ name, from, until, isWait: true },
  ...more,
})
const statuses = (id: string, ...history: [string, number][]) => ({
  watched: { id, history: history.map(([status, at]) => ({ status, at })) },
})
const shownOf = (milliseconds: number, ...spans: TimeSpan[]) =>
  barsOf({ milliseconds, spans, waited: 0 }).map(({ name, from, until }) => `${name} ${from}-${until}`)

describe('the bars of a step', () => {
  it('are the statuses of a wait, after the work before it', () => {
    const wait = span('waiting for s1', 2000, 9000, statuses('s1', ['QUEUED', 500], ['READY', 7000]))
    const making = span('creating s1', 100, 2000, { isWait: false })
    expect(shownOf(9500, wait, making)).toEqual([
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
