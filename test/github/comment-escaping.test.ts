import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderMarker } from '#github/comment/sections'
import type { PreviewReport } from '#preview/base/github'
import { anyText } from '../support/any-text.ts'
import { thoroughness } from '../support/thoroughness.ts'
import { renderPreview } from './support/preview-section.ts'

const runUrl = 'https://github.com/octo-org/shop/actions/runs/42/attempts/1'
const now = Date.parse('2026-01-31T12:00:00Z')
const name = 'preview-pr-7-0a1b2c3d'

/** Pieces that mean something to Markdown, HTML or GitHub, between any others. */
const pieces = fc.oneof(
  anyText(),
  fc.constantFrom(
    ...[
      '`',
      '``',
      '|',
      '\\',
      '\\`',
      '\n',
      '\r',
      '\n\n',
      '<!--',
      '-->',
      '<b>',
      '</td>',
      '<img src=x onerror=y>',
    ],
    ...['@octocat', '@org/team', '#1', 'GH-1', 'octo-org/shop#1', '&#64;', '&lt;', '[a](b)', '![a](b)'],
    ...[
      'https://evil.example',
      'www.evil.example',
      'a@b.example',
      '**',
      '__',
      '~~',
      '---',
      '# ',
      '- ',
      '> ',
      '```',
      '    ',
    ],
    ...[
      '</details>',
      '<details open>',
      '</summary>',
      renderMarker(name),
      ':tada:',
      '$$x$$',
      '\u2028',
      '\u202e',
      '\u0000',
      '\ud800',
      '[^1]',
      '|---|',
    ],
  ),
)
const text = fc.array(pieces, { maxLength: 8 }).map(parts => parts.join(''))
const field = fc.option(text, { nil: undefined })

const reports: fc.Arbitrary<PreviewReport> = fc.record({
  state: fc.constantFrom('creating', 'ready', 'paused', 'failed', 'deleted'),
  name: text,
  serviceId: field,
  host: field,
  port: fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined }),
  database: field,
  user: field,
  status: field,
  createdAt: field,
  expiresAt: field,
  commit: field,
  url: field,
  data: fc.constantFrom('empty', 'now', 'snapshot', 'unknown', undefined),
  parentId: field,
  next: fc.option(
    text.filter(next => next !== ''),
    { nil: undefined },
  ),
  problem: fc.option(
    text.filter(problem => problem !== ''),
    { nil: undefined },
  ),
})

/** The only HTML: the lines that fold a part of the comment, as they stand. */
const folds = ['<details><summary>Details</summary>', '</details>']

/** What stands outside of code. */
const outsideOfCode = (text: string) => text.replace(/`[^`\n]*`/g, '`')

/** The same report, with a harmless text in place of every other one. */
function tame(report: PreviewReport): PreviewReport {
  const kept = ['state', 'data', 'createdAt', 'expiresAt']
  const values = Object.entries(report).map(([key, value]) => [
    key,
    typeof value === 'string' && !kept.includes(key) ? 'harmless' : value,
  ])
  return Object.fromEntries(values)
}

describe('whatever the values', () => {
  test('nothing of them stands outside of a code span', () => {
    fc.assert(
      fc.property(reports, report => {
        const body = renderPreview(report, runUrl, now)
        expect(outsideOfCode(body)).toBe(outsideOfCode(renderPreview(tame(report), runUrl, now)))
      }),
      { numRuns: 100 * thoroughness },
    )
  })

  test('there is no HTML but one fold, and nothing invisible', () => {
    fc.assert(
      fc.property(reports, report => {
        const rest = renderPreview(report, runUrl, now)
          .replace(/^<sub>(.*)<\/sub>$/m, '$1')
          .split('\n')
        expect(rest.filter(line => folds.includes(line))).toEqual(folds)
        expect(rest.filter(line => !folds.includes(line)).join('')).not.toMatch(
          /[<>\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u,
        )
      }),
      { numRuns: 100 * thoroughness },
    )
  })

  test('outside of code there is no mention, reference or foreign link', () => {
    fc.assert(
      fc.property(reports, report => {
        const outside = outsideOfCode(renderPreview(report, runUrl, now)).replace(`[log](${runUrl})`, '')
        expect(outside).not.toMatch(/@|#\d|GH-|:\/\/|www\.|[[\]()!&\\]/)
      }),
      { numRuns: 100 * thoroughness },
    )
  })

  test('the body fits into a comment', () => {
    const long = '👍`'.repeat(100_000)
    const report = {
      serviceId: long,
      host: long,
      database: long,
      user: long,
      status: long,
      problem: long,
    }
    expect(
      renderPreview({ ...report, name: 'x'.repeat(63), state: 'failed' }, runUrl, now).length,
    ).toBeLessThan(65_536)
  })
})
