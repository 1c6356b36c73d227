import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { renderGantt } from '../../src/action/gantt.ts'
import { anyText } from '../support/any-text.ts'

it('is a chart that begins at midnight of the time zone where it is looked at', () => {
  const history = [
    { status: 'QUEUED', at: 12 },
    { status: 'CONFIGURING', at: 520 },
    { status: 'READY', at: 2210 },
  ]
  expect(renderGantt('service s1', history, 2210)).toMatchInlineSnapshot(`
    "\`\`\`mermaid
    gantt
      title service s1
      dateFormat YYYY-MM-DD HH:mm:ss.SSS
      axisFormat %-S.%Ls
      tickInterval 500millisecond
      QUEUED :active, 2001-01-02 00:00:00.012, 508ms
      CONFIGURING :active, 2001-01-02 00:00:00.520, 1690ms
      READY :milestone, 2001-01-02 00:00:02.210, 0ms
    \`\`\`"
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
])('a wait of %i ms has ticks each %s, written as %s', (end, tick, format) => {
  const lines = renderGantt('', [{ status: 'READY', at: 0 }], end).split('\n')
  expect(lines).toContain(`  tickInterval ${tick}`)
  expect(lines).toContain(`  axisFormat ${format}`)
})

it('shows the status in which the wait ended with a length where it has one', () => {
  const chart = renderGantt('', [{ status: 'READY', at: 0 }], 40)
  expect(chart).toContain('READY :active, 2001-01-02 00:00:00.000, 40ms')
})

it('holds a line for each status, whatever a server calls it', () => {
  fc.assert(
    fc.property(anyText(), status => {
      const lines = renderGantt(status, [{ status, at: 0 }], 1000).split('\n')
      expect(lines).toHaveLength(8)
      expect(lines[6]).toMatch(/^ {2}[\w .-]+ :active, [\d:. -]+, 1000ms$/)
    }),
  )
})
