/** Tests parsing and rendering of durations. */
import { describe, expect, it, test } from 'vitest'
import { parseDuration, renderDuration } from '#base/duration'

describe('a duration', () => {
  test.each([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['1h', 3_600_000],
    ['1h30m', 5_400_000],
    ['1h0m5s', 3_605_000],
    ['250ms', 250],
    ['5m5ms', 300_005],
    ['1h2m3s4ms', 3_723_004],
    ['0s', 0],
    ['007s', 7000],
    ['100m', 6_000_000],
  ])('%s is %i milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  test.each(['', ' ', '5', 's', '1.5h', '-1s', '1s ', ' 1s', '1 s', '1S', '30m1h', '1s1s', '1h30', '1e3s'])(
    'rejects %j',
    text => {
      expect(parseDuration(text)).toBe(undefined)
    },
  )

  it('rejects more digits than a real duration has', () => {
    expect(parseDuration('1234567s')).toBe(undefined)
  })
})

describe('rendering a duration', () => {
  test.each([
    [0, '0.0s'],
    [40, '0.0s'],
    [449, '0.4s'],
    [1000, '1.0s'],
    [9949, '9.9s'],
    [9950, '10s'],
    [9999, '10s'],
    [12_345, '12s'],
    [59_499, '59s'],
    [59_500, '1m 00s'],
    [60_000, '1m 00s'],
    [185_000, '3m 05s'],
    [3_599_499, '59m 59s'],
    [3_599_500, '1h 00m'],
    [4_800_000, '1h 20m'],
    [7_199_000, '1h 59m'],
    [360_000_000, '100h 00m'],
  ])('%i milliseconds are %s', (milliseconds, text) => {
    expect(renderDuration(milliseconds)).toBe(text)
  })
})
