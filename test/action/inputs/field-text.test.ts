/** Tests parsing of input texts. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parseField } from '#action/inputs/field-text'
import { endpoints } from '#api/endpoints'
import { fields } from '#api/field-table'
import { sizeDigits, whole } from '#api/fields/field-schemas'

const create = endpoints['create-service'].body.shape
const track = endpoints['track-event'].body.shape
const logs = endpoints['get-service-logs'].query.shape

describe('text is accepted', () => {
  test.each([
    ['as a name', fields.name, 'shop', 'shop'],
    ['as a name that looks like a number', fields.name, '007', '007'],
    ['as a name that looks like JSON', fields.name, '["a"]', '["a"]'],
    ['as digits for a size', sizeDigits('500'), '500', '500'],
    ['as a whole number', whole(0, '1'), '12', 12],
    ['as a whole number with zeros before it', whole(0, '1'), '007', 7],
    ['as an optional number', create.replica_count, '3', 3],
    ['as true', z.boolean(), 'true', true],
    ['as false where it may be left out', z.optional(z.boolean()), 'False', false],
    ['as one of a few words', fields.environment, 'PROD', 'PROD'],
    ['as a list with commas', fields.search, 'a,b', ['a', 'b']],
    ['as a list with commas and spaces', fields.search, ' a , b ,', ['a', 'b']],
    ['as a list with one item a line', fields.search, 'a\nb\r\n\nc d', ['a', 'b', 'c d']],
    ['as a list in JSON', fields.search, '["a,b", "c"]', ['a,b', 'c']],
    ['as an empty list in JSON', fields.search, '[]', []],
    ['as a list of few words', create.addons, 'ai', ['ai']],
    ['as an optional list', logs.severities, 'ERROR', ['ERROR']],
    ['as a JSON object', fields.properties, '{"a": {"b": null}}', { a: { b: null } }],
    ['as a JSON object with a hostile key', fields.properties, '{"__proto__": {"a": 1}, "b": 2}', { b: 2 }],
    [
      'as JSON with numbers that are exact, in any notation',
      fields.properties,
      '{"a": [9007199254740991, -1.50, 1e3, 1E+20, 0.1, 100000000000000000000, -0, 0e5, 5e-324, "1e400"]}',
      { a: [9007199254740991, -1.5, 1000, 1e20, 0.1, 1e20, -0, 0, 5e-324, '1e400'] },
    ],
    ['as a date', fields.target_time, '2026-01-31T12:00:00+01:00', '2026-01-31T12:00:00+01:00'],
  ])('%s', (_, schema, text, value) => {
    expect(parseField(schema, text)).toEqual({ value })
  })
})

describe('text is rejected', () => {
  test.each([
    ['that is no whole number', whole(0, '1'), '1.5', 'a whole number of at least 0, like 1'],
    ['that is neither true nor false', z.boolean('true or false'), 'yes', 'true or false'],
    ['that is no JSON list', fields.search, '[a]', 'a list of words'],
    ['that is a JSON list of other things', fields.search, '[1]', 'a list of words'],
    ['with an unknown word in the list', create.addons, 'ai,ia', 'a list of time-series and ai'],
    ['that is no JSON object', fields.properties, 'a=b', 'a JSON object'],
    [
      'that is nested too deep',
      fields.properties,
      `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      'a JSON object',
    ],
    [
      'that is a list nested too deep',
      create.addons,
      '['.repeat(50_000) + ']'.repeat(50_000),
      'a list of time-series and ai',
    ],
    ['that is no JSON object where one may be left out', track.properties, '{', 'a JSON object'],
    ['that is no JSON list where one may be left out', logs.search, '[', 'a list of words'],
    ['that is a JSON list in place of an object', fields.properties, '[]', 'a JSON object'],
    ...['9007199254740993', '-12345678901234567890', '1e400', '1e-400', '9007199254740993.0'].map(
      (number): [string, typeof fields.properties, string, string] => [
        `with ${number}, which would be sent as another number`,
        fields.properties,
        `{"a": [{"b": ${number}}]}`,
        `only numbers that JSON can represent exactly (send "${number}" as text)`,
      ],
    ),
    [
      'with such a number where a list may be',
      fields.filters,
      '[{"key": 1e999}]',
      'only numbers that JSON can represent exactly (send "1e999" as text)',
    ],
    ['that is null in place of an object', fields.properties, 'null', 'a JSON object'],
  ])('%s', (_, schema, text, expected) => {
    expect(parseField(schema, text)).toEqual({ expected })
  })
})

test('any list in JSON is read correctly', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 8 }), { maxLength: 8 }),
      list => {
        expect(parseField(fields.search, JSON.stringify(list))).toEqual({ value: list })
      },
    ),
  )
})

test('any words separated by commas or line breaks are read correctly', () => {
  const word = fc.stringMatching(/^[a-z0-9][a-z0-9 .-]{0,8}[a-z0-9]$/)
  fc.assert(
    fc.property(fc.array(word), fc.constantFrom(',', '\n', ' ,\n '), (list, separator) => {
      expect(parseField(fields.search, list.join(separator))).toEqual({ value: list })
    }),
  )
})

test('any JSON is read correctly, to the last digit of its numbers', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.jsonValue()), properties => {
      const text = JSON.stringify(properties)
      expect(parseField(fields.properties, text)).toEqual({ value: JSON.parse(text) })
    }),
  )
})

/** The whole number that a number is sent as: JSON writes 1.5e+23, which a reader of decimals takes as it stands. */
function sentAs(number: number): bigint {
  const [mantissa = '', exponent = '0'] = JSON.stringify(number).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length)
}

test('no integer is sent as another one', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), number => {
      const read = parseField(fields.properties, `{"a":${number}}`)
      if ('value' in read) expect(sentAs((read.value as { a: number }).a)).toBe(number)
      else expect(BigInt(Number(number)) === number && Number.isSafeInteger(Number(number))).toBe(false)
    }),
  )
})
