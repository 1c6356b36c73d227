/** Tests texts with limited room. */
import { expect, it, test } from 'vitest'
import { type MarkdownStyle, renderMarkdown } from '#base/render-markdown'
import { type Block, code, details, heading, joinPieces, line, list, table } from '#base/report'

const style: MarkdownStyle = {
  escapeText: (text, longest) => text.replaceAll('*', '\\*').slice(0, longest),
  escapeCode: text => `\`${text}\``,
  escapeCodeLine: text => text,
  mostItems: 2,
  room: 10_000,
  whereOmitted: 'See the log.',
}

test.each<[string, Block, string]>([
  ['a heading', heading('a ', { code: 'b' }), '### a `b`'],
  ['a line with escapes', line({ strong: 'Data:' }, ' 2*3'), '**Data:** 2\\*3'],
  ['a link', line('in ', { link: 'https://ok/1', name: 'log' }), 'in [log](https://ok/1)'],
  ['a link that could break out', line('in ', { link: 'https://x/)(', name: 'log' }), 'in log'],
  ['code within strong words', line({ strong: ['a ', { code: 'b' }, ': c'] }), '**a `b`: c**'],
  ['a list that is too long', list(['a', 'b', 'c', 'd']), '- a\n- b\n- and 2 more'],
  [
    'a table whose last rows are elsewhere',
    table(['x'], [['1'], ['2'], ['3']], { noun: 'services', total: 9 }),
    '| x |\n|---|\n| 1 |\n| 2 |\n\nAnd 7 more services. See the log.',
  ],
  [
    'a finding of 400 characters in a table, and cuts a longer one',
    table(['x'], [['y'.repeat(400)], ['z'.repeat(600)]]),
    `| x |\n|---|\n| ${'y'.repeat(400)} |\n| ${'z'.repeat(500)} |`,
  ],
  ['backticks in a block of code', code('diff', '+ ````'), '`````diff\n+ ````\n`````'],
  [
    'details',
    details('More', list(['a', 'b', 'c'])),
    '<details><summary>More</summary>\n\n- a\n- b\n- c\n\n</details>',
  ],
  ['details without content', details('More', list([]), table(['x'], [])), ''],
])('renders %s', (_, block, markdown) => {
  expect(renderMarkdown([block], style)).toBe(markdown)
})

it('shortens only details when the room is short', () => {
  const long = Array.from({ length: 200 }, (_, index) => `line ${index}`)
  const blocks = [
    line('first'),
    details('One', list(long)),
    details('Two', code('', long.join('\n'))),
    line('last'),
  ]
  const text = renderMarkdown(blocks, { ...style, room: 1500 })
  expect(text.length).toBeLessThan(1500)
  for (const part of ['first', 'line 10', '- and ', 'more lines. See the log.', 'last'])
    expect(text).toContain(part)
  expect(text.match(/^```$/gm)).toHaveLength(2)
})

it('gives unused room to later details', () => {
  const long = list(Array.from({ length: 100 }, (_, index) => `line ${index}`))
  const room = 2000
  const [alone, beside] = [[details('Two', long)], [details('One', list(['a'])), details('Two', long)]].map(
    blocks => renderMarkdown(blocks, { ...style, room }).length,
  )
  expect(beside).toBeGreaterThan((alone ?? 0) - 700)
})

it('joins the present parts', () => {
  expect(joinPieces(['a', undefined, '', false, [{ code: 'b' }]], ', ')).toEqual(['a', ', ', { code: 'b' }])
})
