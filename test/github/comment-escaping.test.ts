/** Tests the escaping of texts in comments. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRecord } from '#base/unknown-values'
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
    ...['`', '``', '|', '\\', '\\`', '\n', '\r', '\n\n'],
    ...['<!--', '-->', '<b>', '</td>', '<img src=x onerror=y>'],
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
const filled = fc.option(
  text.filter(value => value !== ''),
  { nil: undefined },
)

/** Every field of a report, so a new one does not compile without its values here. */
type Fields = { [Name in keyof Required<PreviewReport>]: fc.Arbitrary<PreviewReport[Name]> }

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
  commit: field,
  url: field,
  data: fc.constantFrom('empty', 'now', 'snapshot', 'unknown', undefined),
  parentId: field,
  parentName: filled,
  maskedAt: fc.constantFrom(now, undefined),
  quarantineDetails: fc.option(fc.array(text, { maxLength: 2 }), { nil: undefined }),
  facts: fc.array(
    text.map(value => ({ label: 'Reset', text: `a${value}` })),
    { maxLength: 3 },
  ),
  // These are plain text, which the renderer escapes.
  size: fc.constantFrom('0.5 CPU, 2 GB', undefined),
  stored: fc.constantFrom('35 MB', undefined),
  quarantine: fc.constantFrom('1 job', undefined),
  // A link shows its name as plain text, too.
  consoleUrl: fc.constant(undefined),
  next: filled,
  problem: filled,
} satisfies Fields)

/** The only HTML: the lines that fold a part of the comment, as they stand. */
const folds = [/^<details><summary>(?:Details|Quarantine and connection)<\/summary>$/, /^<\/details>$/]
const isFold = (line: string) => folds.some(fold => fold.test(line))

/** The text outside of code. */
const outsideOfCode = (text: string) => text.replace(/`[^`\n]*`/g, '`')

const tameValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tameValue)
  if (isRecord(value)) return { ...value, text: 'harmless' }
  return typeof value === 'string' ? 'harmless' : value
}

/** The same report, with a harmless text in place of every other one. */
function tame(report: PreviewReport): PreviewReport {
  const kept = ['state', 'data', 'createdAt', 'maskedAt', 'size', 'stored', 'quarantine', 'consoleUrl']
  const values = Object.entries(report).map(([key, value]) => [
    key,
    kept.includes(key) ? value : tameValue(value),
  ])
  return Object.fromEntries(values)
}

const full: Required<PreviewReport> = {
  ...{ state: 'ready', name, serviceId: 's1', status: 'READY' },
  ...{
    host: 'h.example',
    port: 5432,
    database: 'tsdb',
    user: 'app',
    url: 'postgresql://app@h.example:5432/tsdb',
  },
  ...{ data: 'now', parentId: 'p1', parentName: 'shop', maskedAt: now - 86_400_000 },
  ...{ createdAt: '2026-01-31T11:00:00Z', commit: 'a'.repeat(40) },
  ...{ size: '0.5 CPU, 2 GB', stored: '35 MB', consoleUrl: 'https://console.example/s1' },
  ...{ quarantine: '1 job', quarantineDetails: ['job in tsdb: send_mail'] },
  facts: [{ label: 'Reset', text: 'a.sql was edited' }],
  ...{ problem: 'the password is wrong', next: 'set another one' },
}
const { url: _, parentName: __, maskedAt: ___, ...less } = full
const fieldNames = Object.keys(full).filter(key => !['state', 'name'].includes(key))

test.each(fieldNames)('the comment shows the field %s', key => {
  const shows = (report: PreviewReport) =>
    renderPreview(report, runUrl, now) !== renderPreview({ ...report, [key]: undefined }, runUrl, now)
  const states = ['ready', 'failed'] as const
  expect(states.some(state => shows({ ...full, state }) || shows({ ...less, state }))).toBe(true)
})

describe('for any values', () => {
  test('none of them appears outside of a code span', () => {
    fc.assert(
      fc.property(reports, report => {
        const body = renderPreview(report, runUrl, now)
        expect(outsideOfCode(body)).toBe(outsideOfCode(renderPreview(tame(report), runUrl, now)))
      }),
      { numRuns: 100 * thoroughness },
    )
  })

  test('the comment has no HTML but one fold, and nothing invisible', () => {
    fc.assert(
      fc.property(reports, report => {
        const rest = renderPreview(report, runUrl, now)
          .replace(/^<sub>(.*)<\/sub>$/m, '$1')
          .split('\n')
        expect(rest.filter(isFold)).toEqual(folds.map(fold => expect.stringMatching(fold)))
        expect(rest.filter(line => !isFold(line)).join('')).not.toMatch(/[<>\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
      }),
      { numRuns: 100 * thoroughness },
    )
  })

  test('the comment has no mention, reference or unknown link outside of code', () => {
    fc.assert(
      fc.property(reports, report => {
        const outside = outsideOfCode(renderPreview(report, runUrl, now)).replace(`[log](${runUrl})`, '')
        expect(outside).not.toMatch(/@|#\d|GH-|:\/\/|www\.|[[\]()!&\\]/)
      }),
      { numRuns: 100 * thoroughness },
    )
  })
})
