/** Tests the emulated masker of the runner. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RunnerMasker, valueEncoders } from '../../tools/runner/masker.ts'

function masking(...values: string[]): RunnerMasker {
  const masker = new RunnerMasker()
  for (const value of values) masker.addValue(value)
  return masker
}

describe("the runner's encoders", () => {
  test.each<[encoder: string, value: string, form: string]>([
    ['Base64StringEscape', 'foobar', 'Zm9vYmFy'],
    ['Base64StringEscape', 'f', 'Zg=='],
    ['Base64StringEscape', 'é\ud800', 'w6nvv70='],
    ['Base64StringEscapeShift1', 'foobar', 'b29iYXI='],
    ['Base64StringEscapeShift1', 'f', 'Zg=='],
    ['Base64StringEscapeShift2', 'foobar', 'b2Jhcg=='],
    ['Base64StringEscapeShift2', 'fo', 'Zm8='],
    ['CommandLineArgumentEscape', 'a"b', 'a\\"b'],
    ['ExpressionStringEscape', "it's", "it''s"],
    ['JsonStringEscape', 'a"\\\n\t\u0001\u001f', 'a\\"\\\\\\n\\t\\u0001\\u001f'],
    ['JsonStringEscape', '\u007f\u0080\u0085\u2028\u2029', '\u007f\u0080\\u0085\\u2028\\u2029'],
    ['JsonStringEscape', "é'/<", "é'/<"],
    ['UriDataEscape', "a b!'()*-._~é", 'a%20b%21%27%28%29%2A-._~%C3%A9'],
    ['XmlDataEscape', `<a b="c" d='e'>&`, '&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;'],
    ['TrimDoubleQuotes', '"1234567"', '1234567'],
    ['TrimDoubleQuotes', '"123456"', ''],
    ['TrimDoubleQuotes', '123456789', ''],
    ['PowerShellPreAmpersandEscape', 'one&two&three', 'one&two&'],
    ['PowerShellPreAmpersandEscape', 'first&+second', 'first&+'],
    ['PowerShellPreAmpersandEscape', 'ab&cdefgh', ''],
    ['PowerShellPreAmpersandEscape', 'without', ''],
    ['PowerShellPostAmpersandEscape', 'one&two&threes', 'threes'],
    ['PowerShellPostAmpersandEscape', 'first&+second&rest', 'econd&rest'],
    ['PowerShellPostAmpersandEscape', 'first&+', 'RangeError'],
    ['PowerShellPostAmpersandEscape', 'first&+x', ''],
    ['PowerShellPostAmpersandEscape', 'abcdef&ghi', ''],
    ['PowerShellPostAmpersandEscape', 'without', ''],
  ])('%s of %j is %j', (encoder, value, form) => {
    const encode = valueEncoders[encoder] as (value: string) => string
    const encoded = () => {
      try {
        return encode(value)
      } catch (error) {
        return (error as Error).name
      }
    }
    expect(encoded()).toBe(form)
  })
})

describe("the runner's masker", () => {
  test.each<[string, values: string[], input: string, masked: string]>([
    ['hides every place', ['hush'], 'hush a hushhush', '*** a ***'],
    ['has no shortest length', ['x'], 'box', 'bo***'],
    ['makes one mask of places that overlap', ['abcd', 'cdef'], '-abcdef-', '-***-'],
    ['makes one mask of places that touch', ['ab', 'cd'], '-abcd-', '-***-'],
    ['makes one mask of a place within another', ['abcdef', 'cd'], '-abcdef-', '-***-'],
    ['finds a place that overlaps itself', ['aba'], 'ababa', '***'],
    ['takes a value as text, not as a pattern', ['a.*b$'], 'axxb a.*b$', 'axxb ***'],
    ['sees upper and lower case', ['hush'], 'Hush', 'Hush'],
    ['hides the encoded forms', ['p&ss'], 'p%26ss p&amp;ss cCZzcw==', '*** *** ***'],
    ['leaves Base64 without its padding, as the runner does', ['p&ss'], 'cCZzcw', 'cCZzcw'],
    ['has nothing to hide', [], 'all of it', 'all of it'],
    ['takes no empty value', [''], 'all of it', 'all of it'],
    ['encodes also what is a form of another already', ['a"b', 'a\\"b'], 'a\\\\\\"b', '***'],
  ])('%s', (_, values, input, masked) => {
    expect(masking(...values).mask(input)).toBe(masked)
  })

  test.each<[string, data: string, input: string, masked: string]>([
    [
      'hides a text of several lines, and each of them',
      'one\r\n two \n\nthree',
      'one two three',
      '*** *** ***',
    ],
    ['hides the blanks around the only line', ' pad ', '- pad -', '-***-'],
    ['hides nothing for a blank text', '  ', 'a  b', 'a  b'],
  ])('given a mask, %s', (_, data, input, masked) => {
    const masker = new RunnerMasker()
    expect(masker.addMask(data)).toBe(true)
    expect(masker.mask(input)).toBe(masked)
  })

  test('fails on a mask that ends with its first `&+`, and hides none of it', () => {
    const masker = new RunnerMasker()
    expect(masker.addMask('secret&+')).toBe(false)
    expect(masker.mask('a secret&+')).toBe('a secret&+')
  })

  test('hides the whole value, and nothing around it', () => {
    const piece = fc.string({ unit: fc.constantFrom(...'ab&"\\%é'), minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), fc.array(piece), (values, pieces) => {
        const input = pieces.join('')
        const masked = masking(...values).mask(input)
        const rest = masked.split('***')
        expect(rest.filter(part => values.some(value => part.includes(value)))).toEqual([])
        // The parts stand in the input, in order.
        let from = 0
        for (const part of rest) {
          const at = input.indexOf(part, from)
          expect(at).toBeGreaterThanOrEqual(from)
          from = at + part.length
        }
      }),
    )
  })
})
