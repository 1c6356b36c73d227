/** Tests the removal of control characters. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inertJson, plainLine, plainLineWithout, shellInert } from '#action/secrets/plain-text'
import { Secrets } from '#action/secrets/secrets'

/** Texts as a hostile server would write them: pieces of commands, invisible marks, and anything else. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('##[', '##', '#', '[', '::', ':', '::error::', '##[add-mask]', ' ', '\t', '\n', '\r\n'),
      fc.constantFrom(
        '\u001b[2J',
        '\u0000',
        '\u0085',
        '\u2028',
        '\u200b',
        '\u202e',
        '\u2066',
        '\u061c',
        '\ufeff',
      ),
      fc.constantFrom(
        '$(id)',
        '`id`',
        "'",
        '"',
        '\\',
        '!',
        '&',
        '|',
        ';',
        '<',
        '>',
        '*',
        '?',
        '~',
        '{a,b}',
        '^',
      ),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
      fc.string({ unit: 'binary-ascii', maxLength: 5 }),
      fc.constantFrom('\ud800', '\udc00', '🐘', 'ü', '漢字'),
    ),
    { maxLength: 12 },
  )
  .map(pieces => pieces.join(''))

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

describe('a line for the log', () => {
  test('is never a command of the runner', () => {
    fc.assert(
      fc.property(hostile, text => {
        const line = plainLine(text)
        expect(line).not.toContain('##[')
        expect(line.trimStart().startsWith('::')).toBe(false)
      }),
    )
  })

  test('contains no invisible characters and no line breaks', () => {
    fc.assert(
      fc.property(hostile, text => {
        expect(plainLine(text)).not.toMatch(invisible)
      }),
    )
  })

  test('does not change when it is cleaned again', () => {
    fc.assert(
      fc.property(hostile, text => {
        expect(plainLine(plainLine(text))).toBe(plainLine(text))
      }),
    )
  })

  test.each([
    ['hello, world', 'hello, world'],
    ['a: b :: c', 'a: b :: c'],
    ['::error::no', ': :error::no'],
    ['  ::error::no', ': :error::no'],
    ['\n::error::no', ': :error::no'],
    ['done\n::error::no', 'done ::error::no'],
    [':\u200b:error::no', ': :error::no'],
    ['\u00a0::error::no', ': :error::no'],
    ['a ##[group]b', 'a ## [group]b'],
    ['#\u200b#[group]b', '## [group]b'],
    ['\u202eabc', 'abc'],
    ['a\u001b[31mb', 'a [31mb'],
    ['Größe 漢字 🐘', 'Größe 漢字 🐘'],
    ['', ''],
  ])('is created from %j', (text, line) => {
    expect(plainLine(text)).toBe(line)
  })

  test('is cut with a note if it is very long', () => {
    expect(plainLine('a'.repeat(4000))).toBe('a'.repeat(4000))
    expect(plainLine('a'.repeat(4001))).toBe(`${'a'.repeat(4000)}… (cut)`)
    expect(plainLine('a'.repeat(1_000_000))).toBe(`${'a'.repeat(4000)}… (cut)`)
  })
})

describe('an output with the text of a server', () => {
  test('contains only letters, digits and characters without a meaning in a shell', () => {
    fc.assert(
      fc.property(hostile, text => {
        expect(shellInert(text)).toMatch(/^[\p{L}\p{N} _.,:@/+=%-]*$/u)
      }),
    )
  })

  test.each([
    ['preview-pr-7', 'preview-pr-7'],
    ['us-east-1', 'us-east-1'],
    ['2026-01-31T12:00:00+01:00', '2026-01-31T12:00:00+01:00'],
    ['d.e@f/g,h=100%', 'd.e@f/g,h=100%'],
    ['Büro 漢字', 'Büro 漢字'],
    ['a$(id)`b`', 'a__id__b_'],
    [`'"\\!&|;<>*?~^#`, '_'.repeat(14)],
    ['{a,b}[c]', '_a,b__c_'],
    ['a\nb\u202ec', 'a_b_c'],
    ['🐘', '_'],
  ])('is created from %j', (text, inert) => {
    expect(shellInert(text)).toBe(inert)
  })
})

describe('an output in JSON', () => {
  const values = fc.oneof(hostile, fc.jsonValue(), fc.dictionary(hostile, hostile))

  test('parses to the original value', () => {
    fc.assert(
      fc.property(values, value => {
        expect(JSON.parse(inertJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('contains nothing that a shell interprets in a quoted string', () => {
    fc.assert(
      fc.property(values, value => {
        expect(inertJson(value)).not.toMatch(/['`$!<>&]/)
      }),
    )
  })

  test('contains nothing invisible, and is no command of the runner', () => {
    fc.assert(
      fc.property(values, value => {
        const json = inertJson(value)
        expect(json).not.toMatch(invisible)
        expect(json).not.toContain('##[')
        expect(json.startsWith('::')).toBe(false)
      }),
    )
  })

  test.each([
    [{ name: "it's" }, String.raw`{"name":"it\u0027s"}`],
    [['a', 1, null], '["a",1,null]'],
    ['##[error]', String.raw`"\u0023#[error]"`],
    ['# a comment', '"# a comment"'],
    ['a\u{e0041}b', String.raw`"a\udb40\udc41b"`],
    ['$(id)', String.raw`"\u0024(id)"`],
    [undefined, ''],
  ])('is created from %j', (value, json) => {
    expect(inertJson(value)).toBe(json)
  })
})

describe('a line without secrets', () => {
  const secrets = new Secrets()
  secrets.add('hush-hush')
  const split = [...'hush-hush'].join('\u200b')

  test.each<[string, text: string, line: string]>([
    ['has them taken out', 'a hush-hush b', 'a *** b'],
    ['is still no command', '::hush-hush', ': :***'],
    ['has those taken out that invisible marks split', `a ${split} b`, 'a *** b'],
    [
      'has those taken out that private marks split',
      `a ${split.replaceAll('\u200b', '\ue000')} b`,
      'a *** b',
    ],
    ['is not cut through one', `${'x'.repeat(3995)}hush-hush`, `${'x'.repeat(3995)}***`],
    ['is not cut through a split one', `${'x'.repeat(3995)}${split}`, `${'x'.repeat(3995)}***`],
    ['has those taken out that stand far behind', `${'\u200b'.repeat(16_000)}${split}`, '***'],
  ])('%s', (_, text, line) => {
    expect(plainLineWithout(secrets, text)).toBe(line)
  })
})

/** Texts of visible ASCII alone take a shorter way. */
describe('each character of ASCII is treated in the same way with others', () => {
  const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  const beside = (text: string) => `${text}\u00e9`

  test.each([
    ['in a line', (text: string) => plainLine(`x${text}`)],
    ['in an output', shellInert],
    ['in JSON', (text: string) => inertJson(text).slice(0, -1)],
  ])('%s', (_, render) => {
    for (const one of characters) expect(render(beside(one)), one).toBe(beside(render(one)))
  })
})
