import { expect, test } from 'vitest'
import { median, renderFigures } from '../../tools/bench/figures-table.ts'

test.each([
  [[3], 3],
  [[9, 1, 5], 5],
  [[4, 1, 3, 2], 2.5],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected)
})

test('a table of figures says the median, the spread and the aim', () => {
  const figures = [
    { name: 'a fork', unit: 's', values: [1.234, 0.5, 2], limit: 1.2 },
    { name: 'requests', unit: '×', values: [9], limit: undefined, least: 8 },
    { name: 'memory', unit: 'MB', values: [211.4], limit: undefined },
  ]
  expect(renderFigures(figures, 1.25).split('\n').slice(0, 5)).toEqual([
    '| what | median | from, to | to be reached |',
    '|---|---|---|---|',
    '| a fork | 1.23 s | 0.50 to 2.00 | 1.2 s |',
    '| requests | 9.00 × |  | at least 8 × |',
    '| memory | 211 MB |  |  |',
  ])
})
