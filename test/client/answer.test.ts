/** Tests the interpretation of answers. */
import { describe, expect, it, test } from 'vitest'
import { type EndpointName, endpoints } from '#api/endpoints'
import { ApiError, UnreadableAnswerError } from '#base/errors'
import type { HttpResponse } from '#base/seam'
import { type ReadOptions, readAnswer } from '#client/answer'
import { contract } from '../support/contract.ts'
import { html, json } from '../support/fake-seam.ts'

const call = { operation: 'op', method: 'POST', path: '/path' }
const plainly = { parameters: {}, redact: (text: string) => text }
const read = (operation: EndpointName, response: HttpResponse) =>
  readAnswer(call, endpoints[operation], response, plainly)

/** The error with which an answer is refused. */
function failure(
  operation: EndpointName,
  response: HttpResponse,
  reading: Partial<ReadOptions> = {},
): unknown {
  try {
    readAnswer(call, endpoints[operation], response, { ...plainly, ...reading })
  } catch (error) {
    return error
  }
  throw new Error('the answer was accepted')
}

const service = { service_id: 's1', status: 'READY' }

describe('an answer is readable', () => {
  test.each<[string, EndpointName, HttpResponse, unknown]>([
    ['with its record', 'get-service', json(200, service), service],
    ['whatever 2xx it has', 'create-service', json(200, service), service],
    ['with a list', 'list-services', json(200, [service]), [service]],
    ['without a body if the API sends none', 'delete-service', json(202), undefined],
    ['with a body although the API sends none', 'delete-service', json(202, { any: 'thing' }), undefined],
    ['without a body if the call only starts the work', 'resize-service', json(202), undefined],
    ['with a blank body after an event', 'track-event', { ...json(200), body: ' \n' }, undefined],
    ['with a content type of its own', 'get-service', { ...json(200, service), headers: {} }, service],
  ])('%s', (_, operation, response, value) => {
    expect(read(operation, response)).toEqual(value)
  })
})

/** The specification shows neither the answers of these calls nor that there are any. */
const callsWithoutAnswer = contract.filter(
  ({ operation, method, shown, creates }) =>
    method === 'POST' && !shown.answer && !creates && operation !== 'get-metric-series',
)

describe.each(callsWithoutAnswer)('$operation gets', ({ operation }) => {
  test.each<[string, unknown]>([
    ['without a body', undefined],
    ['by a list', []],
    ['by a text', 'accepted'],
    ['by other fields', { message: { en: 'accepted' }, service_id: ['s1'], status: 7, name: {} }],
    ['by null', null],
  ])('%s, which is not a failure', (_, body) => {
    expect(read(operation as EndpointName, json(202, body))).toBeUndefined()
  })
})

describe('a list with malformed entries', () => {
  /** The list, and the log lines about its malformed records. */
  function readTolerantly(operation: EndpointName, entries: unknown) {
    const problems: string[] = []
    const list = readAnswer(call, endpoints[operation], json(200, entries), {
      ...plainly,
      readMalformed(entry, { message }) {
        problems.push(message.replace(/.* where /, ''))
        return [{ malformed: entry }]
      },
    })
    return { list, problems }
  }

  test.each<[string, EndpointName, unknown, string]>([
    ['no id', 'list-vpcs', { name: 'a' }, '1.id'],
    ['another type deep inside', 'list-vpcs', { id: { of: 'a' } }, '1.id'],
    ['no object', 'list-peerings', 'a', '1'],
    ['null', 'list-replicas', null, '1'],
  ])('returns the others: %s', (_, operation, malformed, field) => {
    const { list, problems } = readTolerantly(operation, [{ id: 'a' }, malformed, { id: 'b' }])
    expect(list).toEqual([{ id: 'a' }, { malformed }, { id: 'b' }])
    expect(problems).toEqual([`${field} is missing or differs from the specification`])
  })

  it('is not a list of the API if no entry has any of its fields', () => {
    expect(() => readTolerantly('list-vpcs', [{ title: 'a' }, 7])).toThrow('0.id is missing')
    expect(readTolerantly('list-vpcs', []).list).toEqual([])
    expect(() => readTolerantly('list-vpcs', null)).toThrow('the whole body is missing')
  })

  it('fails with too many malformed entries', () => {
    const many = Array.from({ length: 100_000 }, () => ({ name: 'a' }))
    expect(() => readTolerantly('list-vpcs', many)).toThrow('100.id is missing')
  })
})

describe('an unreadable answer', () => {
  test.each<[string, EndpointName, HttpResponse, string]>([
    ['without the id of a record', 'get-service', json(200, { name: 'a' }), 'where service_id is missing'],
    ['with null for a list', 'list-services', json(200, null), 'where the whole body is missing'],
    ['without the id of a new record', 'create-vpc', json(201, { name: 'a' }), 'where id is missing'],
    ['without an id in a list', 'list-vpcs', json(200, [{ id: 1 }, {}]), 'where 1.id is missing'],
    ['with another type inside', 'get-service', json(200, { ...service, endpoint: 'x' }), 'where endpoint'],
    ['with a page instead of no body', 'delete-service', html(200), 'a page, although'],
    [
      'with a page after a blank line',
      'delete-service',
      { ...html(200), body: '\r\n<html></html>' },
      'a page, although',
    ],
    ['without a body for a record', 'get-service', json(200), 'without a body'],
    ['without a body for a list', 'list-services', json(200), 'without a body'],
    ['without a body for a new record', 'fork-service', json(202), 'where the whole body is missing'],
    ['with a list for a record', 'get-service', json(200, []), 'where the whole body is missing'],
    ['that is a page', 'get-service', html(200), 'text/html, a body of 14 characters that is not JSON'],
    ['that was cut off', 'get-service', { ...json(200), body: '{"a":' }, 'of 5 characters that is not JSON'],
    ['that is a redirect', 'get-service', html(302, { location: 'https://e' }), 'a redirect, which is not'],
    ['that is not modified', 'get-service', json(304), 'a redirect, which is not followed'],
    ['that is an error page', 'get-service', html(404), 'a body that is not the JSON error of the API'],
    ['that is a text', 'get-service', { ...json(500), body: 'oops' }, 'not the JSON error of the API'],
    ['that is a 502 without a body', 'get-service', json(502), 'not the JSON error of the API'],
    ['with a list as error', 'get-service', json(400, []), 'a body that is not the JSON error of the API'],
    ['with null as error', 'get-service', json(400, null), 'a body that is not the JSON error of the API'],
  ])('%s', (_, operation, response, problem) => {
    const error = failure(operation, response) as UnreadableAnswerError
    expect(error).toBeInstanceOf(UnreadableAnswerError)
    expect(error.message).toMatch(
      /^op \(POST \/path\) got an unreadable answer: status \d{3}, content type [a-z/]+, /,
    )
    expect(error.message).toContain(problem)
    expect(error.status).toBe(response.status)
  })

  test.each<[string, HttpResponse, string]>([
    ['to report the missing field', json(200, {}), 'report this with the operation'],
    [
      'not to follow a redirect blindly',
      html(301),
      'set base_url to the address that it redirects to, if you trust that address',
    ],
    ['to look at base_url', html(404), 'check that base_url is the address of the API'],
    ['to check the keys after a 401 of a gateway', html(401), 'check public_key and secret_key (or api_key)'],
    ['to check the keys after a 403 of a gateway', html(403), 'check public_key and secret_key (or api_key)'],
  ])('and the error contains %s', (_, response, next) => {
    expect((failure('get-service', response) as UnreadableAnswerError).next).toContain(next)
  })

  it('is not quoted', () => {
    const secret = { service_id: 7.5, initial_password: 'hush-hush' }
    expect(String(failure('create-service', json(202, secret)))).not.toContain('hush')
    expect(String(failure('get-service', html(200)))).not.toContain('Hello')
  })
})

describe('an answer about another record than the requested one', () => {
  const ids = { project_id: 'p1', service_id: 's1', vpc_id: '7', peering_id: '3' }

  test.each<[EndpointName, HttpResponse]>([
    ['get-service', json(200, { service_id: 's2', status: 'READY' })],
    ['get-vpc', json(200, { id: 8 })],
    ['get-peering', json(200, { id: '7' })],
  ])('is unreadable: %s', (operation, response) => {
    const error = failure(operation, response, { ...plainly, parameters: ids }) as UnreadableAnswerError
    expect(error).toBeInstanceOf(UnreadableAnswerError)
    expect(error.message).toMatch(/, about \w+, another record than the requested one$/)
  })

  test.each<[EndpointName, HttpResponse]>([
    ['get-service', json(200, service)],
    ['get-vpc', json(200, { id: 7 })],
    // An id of the change itself, or of something new.
    ['detach-vpc', json(202, { message: 'ok', id: 'change-1' })],
    ['fork-service', json(202, { service_id: 's2' })],
    ['create-replica', json(202, { id: 'r1' })],
    ['list-services', json(200, [{ service_id: 's2' }])],
  ])('may have another id: %s', (operation, response) => {
    expect(() =>
      readAnswer(call, endpoints[operation], response, { ...plainly, parameters: ids }),
    ).not.toThrow()
  })
})

it('an answer about another record is ignored if the call only starts work and the result is read later', () => {
  const parameters = { project_id: 'p1', service_id: 's1' }
  const answer = json(202, { service_id: 's2' })
  expect(readAnswer(call, endpoints['resize-service'], answer, { ...plainly, parameters })).toBeUndefined()
})

describe("the text of a server outside of the API's own field", () => {
  const text = (body: string) => ({ ...json(401), headers: { 'content-type': 'text/plain' }, body })
  const messageFor = (response: HttpResponse, reading?: ReadOptions) =>
    (failure('get-service', response, reading) as Error).message

  test.each<[string, HttpResponse, string]>([
    ['of a text', text('  no such\n key '), 'not the JSON error of the API: no such key'],
    ['of JSON', json(400, { error: 'nope' }), 'failed with 400: no message, but {"error":"nope"}'],
    ['of a list', json(400, ['nope']), 'not the JSON error of the API: ["nope"]'],
  ])('is shown: %s', (_, response, words) => {
    expect(messageFor(response)).toContain(words)
  })

  it('is cut after 200 characters, without any part of a secret', () => {
    const redact = (body: string) => body.replaceAll('hush-hush', '***')
    const message = messageFor(text(`${'a'.repeat(196)}hush-hush, and more`), { ...plainly, redact })
    expect(message).toMatch(/: a{196}\*{3},…$/)
  })

  it('does not point readers to a missing message', () => {
    const error = failure('get-service', json(400, { error: 'nope' })) as ApiError
    expect(error.next).toBe('compare the inputs with the answer of the server')
  })
})

describe('an error of the API', () => {
  test.each<[string, unknown, string]>([
    ['with a code', { code: 'NOT_FOUND', message: 'no such' }, 'failed with 404 NOT_FOUND: no such'],
    ['with a number for a code', { code: 17, message: 'no such' }, 'failed with 404 17: no such'],
    ['without code', { message: 'no such' }, 'failed with 404: no such'],
    ['with an object for a code', { code: {}, message: 'no such' }, 'failed with 404: no such'],
    ['with null for a code', { code: null, message: 'no such' }, 'failed with 404: no such'],
    ['without message', { code: 'NOT_FOUND' }, 'failed with 404 NOT_FOUND: no message'],
    ['with an empty message', { message: '' }, 'failed with 404: no message'],
    ['with null for a message', { message: null }, 'failed with 404: no message'],
    ['with nothing in it', {}, 'failed with 404: no message'],
  ])('contains %s', (_, body, message) => {
    const error = failure('get-service', json(404, body)) as ApiError
    expect(error).toBeInstanceOf(ApiError)
    expect(error.message).toBe(`op (POST /path) ${message}`)
  })

  test.each<[string, number, string, string]>([
    ['seconds', 429, '7', ' (Retry-After: 7)'],
    ['a date', 503, 'Sat, 31 Jan 2026 12:00:30 GMT', ' (Retry-After: Sat, 31 Jan 2026 12:00:30 GMT)'],
    ['other words', 429, 'soon', ''],
    ['nothing', 429, '', ''],
  ])('contains the Retry-After, in %s', (_, status, retryAfter, pause) => {
    const headers = { 'retry-after': retryAfter }
    const error = failure('get-service', json(status, { message: 'no' }, headers)) as ApiError
    expect(error.message).toBe(`op (POST /path) failed with ${status}: no${pause}`)
    const page = failure('get-service', html(status, headers)) as UnreadableAnswerError
    expect(page.message).toMatch(/JSON error of the API(?: \(Retry-After: .+\))?$/)
    expect(page.message.endsWith(`API${pause}`)).toBe(true)
  })

  it('has its fields', () => {
    const body = { code: 'BUSY', message: 'later', details: [{ why: 'x' }] }
    const error = failure('get-service', json(429, body, { 'retry-after': '7' }))
    expect(error).toMatchObject({
      call,
      status: 429,
      code: 'BUSY',
      serverMessage: 'later',
      details: [{ why: 'x' }],
      retryAfter: '7',
    })
  })

  test.each([
    [400, 'correct the input that the message names'],
    [401, 'check public_key and secret_key'],
    [403, 'check that the key is allowed to do this in this project'],
    [404, 'check the ids and project_id'],
    [409, 'resolve the conflict that the message names'],
    [429, 'run the step again later, or with fewer jobs at once'],
    [500, 'the service has a problem: run the step again later'],
    [503, 'the service has a problem: run the step again later'],
    [418, 'read the message of the server'],
  ])('%i has an instruction', (status, next) => {
    expect((failure('get-service', json(status, { message: 'no' })) as ApiError).next).toContain(next)
  })
})

it('an answer is reported before any other code reads it, with all records of a list', () => {
  const bodies: unknown[] = []
  const reading: ReadOptions = {
    ...plainly,
    onAnswer: body => bodies.push(body),
    only: ({ name }) => name !== 'theirs',
  }
  const theirs = { service_id: 7.5, name: 'theirs' }
  expect(readAnswer(call, endpoints['list-services'], json(200, [service, theirs]), reading)).toEqual([
    service,
  ])
  failure('list-services', json(500, { message: 'trouble' }), reading)
  failure('list-services', { ...json(200), body: '[{"service_id":' }, reading)
  expect(bodies).toEqual([[service, theirs], { message: 'trouble' }, '[{"service_id":'])
})
