import { expect, it, test } from 'vitest'
import { renderDiff, renderSchemaSection } from '../../../src/action/outputs/schema-section.ts'
import { inertLine } from '../../../src/action/secrets/plain-text.ts'

const plain = (line: string) => line
const diffOf = (lines: string[]) => ({ added: lines.length, removed: 0, changed: 0, text: lines.join('\n') })
const lines = Array.from({ length: 20_000 }, (_, index) => `+ column orders.c${index} integer`)

it('cuts the output and the summary at the end of a line, and says how many are left out', () => {
  const output = renderDiff(diffOf(lines), plain)
  expect(output.length).toBeLessThan(20_100)
  const shown = output.split('\n')
  expect(shown.slice(0, -1)).toEqual(lines.slice(0, shown.length - 1))
  expect(shown.at(-1)).toBe(`… and ${lines.length - shown.length + 1} more lines`)
  expect(renderSchemaSection(diffOf(lines), plain).join('').length).toBeLessThan(260_000)
})

it('folds a long diff away, and shows a short one', () => {
  const [folded = ''] = renderSchemaSection(diffOf(lines.slice(0, 41)), plain)
  expect(folded).toContain('<summary>Schema +41 −0 ~0</summary>')
  expect(renderSchemaSection(diffOf(['+ table a']), plain)).toEqual([
    'Schema +1 −0 ~0',
    '```diff\n+ table a\n```',
  ])
})

it('fences lines with backticks so that they stay within', () => {
  expect(renderSchemaSection(diffOf(['+ table "````"']), plain)[1]).toBe('`````diff\n+ table "````"\n`````')
})

test.each([
  ['a"$(id)`b`', 'a＂＄（id）｀b｀'],
  ["x'; rm -rf / & <y> | \\z !", 'x＇； rm -rf / ＆ ＜y＞ ｜ ＼z ！'],
  ['::error::a\u0000\u202eb', ': :error::a b'],
])('of %j nothing is left that a shell or the runner acts on', (text, expected) => {
  expect(inertLine(text)).toBe(expected)
})
