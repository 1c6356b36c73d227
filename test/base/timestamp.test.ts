/** Tests parsing of timestamps. */
import { describe, expect, test } from 'vitest'
import { parseHttpDate, parseTimestamp } from '#base/timestamp'

const noon = Date.parse('2026-01-31T12:00:00Z')

describe('the timestamp of a record', () => {
  test.each([
    ['2026-01-31T12:00:00Z', noon],
    ['2026-01-31T12:00:00.123456Z', noon + 123],
    ['2026-01-31t12:00:00z', noon],
    ['2026-01-31 12:00:00+00:00', noon],
    ['2026-01-31T17:30:00+05:30', noon],
  ])('%s', (text, date) => {
    expect(parseTimestamp(text)).toBe(date)
  })

  test.each([
    ...[undefined, null, '', 'yesterday', '#1\0', 'x 2026', 'banana 12', '2026', '2026-01-31'],
    // Without an offset it would be in the time zone of the runner.
    '2026-01-31T12:00:00',
    ...['2026-13-31T12:00:00Z', '2026-01-31T25:00:00Z'],
    ...['2026-01-31T12:00:00Z or later', ' 2026-01-31T12:00:00Z'],
  ])('rejects %j', text => {
    expect(parseTimestamp(text)).toBeUndefined()
  })
})

describe('the date of a header', () => {
  test.each([
    ...['Sat, 31 Jan 2026 12:00:00 GMT', 'Saturday, 31-Jan-26 12:00:00 GMT'],
    ...['Sat Jan 31 12:00:00 2026', ' Sat, 31 Jan 2026 12:00:00 GMT '],
  ])('%s', text => {
    expect(parseHttpDate(text)).toBe(noon)
  })

  test.each([
    ...[undefined, '', '5', 'x 2026', 'Sat', 'Hello, 5 12:00:00 GMT', 'Sat, 31 Foo 2026 12:00:00 GMT'],
    ...['2026-01-31T12:00:00Z', 'Sat, 31 Jan 2026 12:00:00 +0500', 'Sat, 31 Jan 2026'],
  ])('rejects %j', text => {
    expect(parseHttpDate(text)).toBeUndefined()
  })
})
