import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { hasMarker, renderComment, renderMarker } from '../../src/github/comment-body.ts'
import { renderCode } from '../../src/github/plain-code.ts'

const runUrl = 'https://github.com/octo-org/shop/actions/runs/42/attempts/1'
const now = Date.parse('2026-01-31T12:00:00Z')
const name = 'preview-pr-7-0a1b2c3d'

const full = {
  name,
  serviceId: 'abc123',
  host: 'abc123.project.db.example',
  port: 5432,
  database: 'tsdb',
  user: 'tsdbadmin',
  status: 'READY',
  createdAt: '2026-01-31T10:39:00Z',
}

describe('the comment', () => {
  it('shows a preview that is ready', () => {
    expect(
      renderComment({ ...full, state: 'ready' }, runUrl, now),
    ).toBe(`<!-- managed-database-action:preview:${name} -->
### Preview database: ready

| name | \`preview-pr-7-0a1b2c3d\` |
|---|---|
| service id | \`abc123\` |
| host | \`abc123.project.db.example\` |
| port | \`5432\` |
| database | \`tsdb\` |
| user | \`tsdbadmin\` |
| status | \`READY\` |
| age | 1h 21m |
| as of | 2026-01-31 12:00 UTC |
| run | [log](${runUrl}) |

A job of this repository gets the connection, password included, from a step with \`operation: get-connection\`.
`)
  })

  it.each([
    ['preview-pr-7-0a1b2c3d', 'Preview database: ready'],
    ['shop-pr-7-0a1b2c3d', 'Preview database `shop`: ready'],
    ['a-pr-1-00000000-pr-7-0a1b2c3d', 'Preview database `a-pr-1-00000000`: ready'],
    ['what is of no grammar', 'Preview database: ready'],
  ])('of %s is headed %s', (of, heading) => {
    const body = renderComment({ ...full, name: of, state: 'ready' }, runUrl, now)
    expect(body.split('\n')[1]).toBe(`### ${heading}`)
  })

  it('shows why a preview failed', () => {
    expect(
      renderComment({ state: 'failed', name, problem: 'no `snapshot`\nof @parent' }, runUrl, now),
    ).toBe(`<!-- managed-database-action:preview:${name} -->
### Preview database: failed

| name | \`preview-pr-7-0a1b2c3d\` |
|---|---|
| as of | 2026-01-31 12:00 UTC |
| run | [log](${runUrl}) |

Why: \`no 'snapshot' of @parent\`. The log of the run says more.
`)
  })

  test.each(['creating', 'failed', 'deleted'] as const)('tells of no connection while %s', state => {
    const body = renderComment({ ...full, state }, runUrl, now)
    expect(body).toContain('Preview database: ')
    expect(body).not.toContain('get-connection')
  })

  test.each([
    ['none', undefined],
    ['not a date', 'yesterday'],
    ['in the future', '2026-02-01T00:00:00Z'],
  ])('leaves out the age where the date of creation is %s', (_, createdAt) => {
    expect(renderComment({ state: 'ready', name, createdAt }, runUrl, now)).not.toContain('| age |')
  })

  test.each([
    ['https://git.example:8443/octo-org/shop/actions/runs/42', true],
    ['http://git.example/octo.org/my_shop/actions/runs/42', true],
    ['', false],
    ['javascript:alert(1)', false],
    ['https://user@git.example/runs/42', false],
    ['https://git.example/runs/42) [more](https://evil.example/', false],
    ['https://git.example/runs/42?x=|', false],
    ['https://git.example/runs/<b>', false],
    ['//git.example/runs/42', false],
  ])('links the run %j: %s', (url, linked) => {
    const body = renderComment({ state: 'ready', name }, url, now)
    expect(body.includes('| run |')).toBe(linked)
    if (!linked && url !== '') expect(body).not.toContain(url)
  })
})

describe('a marker', () => {
  it('tells its own comments', () => {
    const body = renderComment({ state: 'ready', name }, runUrl, now)
    expect(hasMarker(body, name)).toBe(true)
    expect(hasMarker(body.replaceAll('\n', '\r\n'), name)).toBe(true)
    expect(hasMarker(body, `${name}2`)).toBe(false)
    expect(hasMarker(body, name.slice(0, -1))).toBe(false)
    expect(hasMarker(` \n${body}`, name)).toBe(false)
    expect(hasMarker('', name)).toBe(false)
  })

  it('stays one comment of one line, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(renderMarker(text)).toMatch(/^<!-- managed-database-action:preview:[\w.!~*'()%-]* -->$/)
      }),
    )
  })
})

describe('a value in code', () => {
  test.each([
    ['db.example', '`db.example`'],
    ['a `b` c', "`a 'b' c`"],
    ['``', "`''`"],
    ['a | b', '`a ¦ b`'],
    ['<!-- x -->', '`‹!-- x --›`'],
    ['a\r\n\u2028b\tc', '`a b c`'],
    [' a ', '`a`'],
    ['a\u202e\u200b\u0000b', '`ab`'],
    ['a\ud800b', '`ab`'],
    ['größer 数 👍', '`größer 数 👍`'],
    ['&lt; \\ *', '`&lt; \\ *`'],
    ['', '`–`'],
    ['\n\u200b', '`–`'],
  ])('%j is %s', (text, code) => {
    expect(renderCode(text)).toBe(code)
  })

  test('is cut to what a reader can take in', () => {
    expect(renderCode('x'.repeat(501))).toBe(`\`${'x'.repeat(500)}…\``)
    expect(renderCode('👍'.repeat(500))).toBe(`\`${'👍'.repeat(500)}\``)
    expect(renderCode('👍'.repeat(5000))).toBe(`\`${'👍'.repeat(500)}…\``)
  })
})
