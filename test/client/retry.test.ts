/** Tests the decision to repeat a request. */
import { describe, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '#api/endpoints'
import {
  ApiError,
  CancelledError,
  RequestTimeoutError,
  TransportError,
  UnreadableAnswerError,
} from '#base/errors'
import { isRepeatable, isUncertainChange, parseRetryAfter, retryAfterOf, retryDelay } from '#client/retry'

const call = { operation: 'op', method: 'GET', path: '/' }
const api = (status: number, retryAfter?: string) => new ApiError(call, { status, message: 'no', retryAfter })
const unreadable = (status: number, retryAfter?: string) =>
  new UnreadableAnswerError(call, { status, contentType: 'text/html', problem: 'HTML', retryAfter })
const reset = new TransportError('reset', { neverSent: false })
const refused = new TransportError('refused', { neverSent: true })
const untrusted = new TransportError('untrusted', { neverSent: true, isLasting: true })

type Again = 'again' | 'never'

/** The failures after which each kind of call is repeated (docs/internals/guarantees.md, "Retries"). */
const policy: [failure: string, error: unknown, get: Again, remove: Again, change: Again, create: Again][] = [
  ['a refused connection', refused, 'again', 'again', 'again', 'again'],
  ['an untrusted certificate', untrusted, 'never', 'never', 'never', 'never'],
  ['a reset connection', reset, 'again', 'again', 'never', 'never'],
  ['a timeout', new RequestTimeoutError(30_000), 'again', 'again', 'never', 'never'],
  ['408', api(408), 'again', 'again', 'never', 'never'],
  ['429', api(429), 'again', 'again', 'again', 'never'],
  ['500', api(500), 'again', 'again', 'never', 'never'],
  ['502', api(502), 'again', 'again', 'never', 'never'],
  ['503', api(503), 'again', 'again', 'never', 'never'],
  ['504', api(504), 'again', 'again', 'never', 'never'],
  ['400', api(400), 'never', 'never', 'never', 'never'],
  ['401', api(401), 'never', 'never', 'never', 'never'],
  ['403', api(403), 'never', 'never', 'never', 'never'],
  ['404', api(404), 'never', 'never', 'never', 'never'],
  ['409', api(409), 'never', 'never', 'never', 'never'],
  ['501', api(501), 'never', 'never', 'never', 'never'],
  ['an unreadable 200', unreadable(200), 'again', 'again', 'never', 'never'],
  ['a page with 502', unreadable(502), 'again', 'again', 'never', 'never'],
  ['a page with 404', unreadable(404), 'never', 'never', 'never', 'never'],
  ['a page with 403', unreadable(403), 'never', 'never', 'never', 'never'],
  ['a redirect', unreadable(302), 'never', 'never', 'never', 'never'],
  ['a cancelled job', new CancelledError('SIGINT'), 'never', 'never', 'never', 'never'],
  ['an error of the code', new TypeError('no'), 'never', 'never', 'never', 'never'],
  ['what is no error', 'text', 'never', 'never', 'never', 'never'],
]

const kinds: [string, EndpointName, 2 | 3 | 4 | 5][] = [
  ['a call that reads', 'get-service', 2],
  ['a call that deletes', 'delete-service', 3],
  ['a call that changes', 'stop-service', 4],
  ['a call that creates', 'create-service', 5],
]

describe.each(kinds)('%s', (_, operation, column) => {
  test.each(policy.map(row => [row[column], row[0], row[1]]))(
    'is repeated %s after %s',
    (again, _failure, error) => {
      expect(isRepeatable(endpoints[operation], error)).toBe(again === 'again')
    },
  )
})

describe('a failed call leaves a change uncertain', () => {
  const failuresOf = (operation: EndpointName) =>
    policy.filter(([, error]) => isUncertainChange(endpoints[operation], error)).map(([failure]) => failure)

  test('only after failures in which the server may have made it', () => {
    expect(failuresOf('stop-service')).toEqual([
      ...['a reset connection', 'a timeout', '408', '500', '502', '503', '504'],
      ...['an unreadable 200', 'a page with 502'],
    ])
  })

  test.each<EndpointName>(['get-service', 'delete-service', 'update-password', 'create-service'])(
    'never if it is %s, which is repeated or searched for',
    operation => {
      expect(failuresOf(operation)).toEqual([])
    },
  )
})

describe('the pause before attempt', () => {
  test.each([
    [2, 1, 500],
    [3, 2, 1000],
    [4, 3, 2000],
    [5, 4, 4000],
    [6, 5, 8000],
    [7, 6, 16_000],
    [8, 7, 20_000],
    [9, 8, 20_000],
    [1001, 1000, 20_000],
  ])('%i is between zero and its maximum', (_, attempt, ceiling) => {
    expect(retryDelay(attempt, 0, undefined)).toBe(0)
    expect(retryDelay(attempt, 0.5, undefined)).toBe(ceiling / 2)
    expect(retryDelay(attempt, 1, undefined)).toBe(ceiling)
  })
})

describe('Retry-After', () => {
  const date = Date.parse('2026-01-31T12:00:00Z')

  test.each([
    ['0', 0],
    ['7', 7000],
    [' 120 ', 120_000],
    ['999999999', 999_999_999_000],
    ['Sat, 31 Jan 2026 12:00:30 GMT', 30_000],
    ['Saturday, 31-Jan-26 12:00:30 GMT', 30_000],
    ['Sat Jan 31 12:00:30 2026', 30_000],
    ['Sun Feb  1 12:00:00 2026', 86_400_000],
    ['Sat, 31 Jan 2026 12:00:00 GMT', 0],
    ['Sat, 31 Jan 2026 11:59:00 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('of %j is %i milliseconds', (header, milliseconds) => {
    expect(parseRetryAfter(header, date)).toBe(milliseconds)
  })

  test.each([
    ...[undefined, '', ' ', 'soon', '-1', '1.5', '+1', '1e3', '0x10', '1 2', '5 minutes', '9999999999'],
    ...['1, 2', '2026-01-31T12:00:30Z', 'Sat, 99 Jan 2026 12:00:30 GMT', 'NaN', 'Infinity'],
  ])('of %j is ignored', header => {
    expect(parseRetryAfter(header, date)).toBe(undefined)
  })

  test.each([
    ['an error of the API', api(429, '7'), 7000],
    ['a page', unreadable(503, '8'), 8000],
    ['an answer without it', api(429), undefined],
    ['a lost request', reset, undefined],
    ['nothing', undefined, undefined],
  ])('comes from %s', (_, failure, milliseconds) => {
    expect(retryAfterOf(failure, date)).toBe(milliseconds)
  })
})
