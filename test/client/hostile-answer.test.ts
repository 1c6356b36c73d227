/** Tests hostile JSON in answers. */
import { afterEach, describe, expect, it, test } from 'vitest'
import { type EndpointName, endpoints } from '#api/endpoints'
import { UnreadableAnswerError } from '#base/errors'
import { readAnswer } from '#client/answer'

const call = { operation: 'op', method: 'GET', path: '/path' }
const headers = { 'content-type': 'application/json' }

const plainly = { parameters: {}, redact: (text: string) => text }

/** Bodies that JSON.stringify never writes. */
function read(operation: EndpointName, body: string, status = 200): unknown {
  try {
    return readAnswer(call, endpoints[operation], { status, headers, body }, plainly)
  } catch (error) {
    return error
  }
}

const nested = (levels: number, inner = '') => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

afterEach(() => {
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
})

describe('a key that every object has', () => {
  const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON', 'then']
  test.each(keys)('%s is an ordinary word in every position', key => {
    const hostile = `"${key}": {"polluted": true}`
    const record = `{"service_id": "s1", ${hostile}, "endpoint": {"host": "h", "port": 1, ${hostile}}}`
    expect(read('get-service', record)).toMatchObject({ service_id: 's1', endpoint: { host: 'h', port: 1 } })
    expect(read('list-services', `[${record}]`)).toMatchObject([{ service_id: 's1' }])
    const refusal = read('get-service', `{"message": "no", ${hostile}, "details": {${hostile}}}`, 400)
    expect(refusal).toMatchObject({ message: expect.stringMatching(/: no$/), status: 400 })
  })

  it('adds no field to a record', () => {
    const record = read(
      'get-service',
      '{"service_id": "s1", "__proto__": {"initial_password": "x", "status": "READY"}}',
    )
    expect(record).not.toHaveProperty('status')
    expect(record).not.toHaveProperty('initial_password')
  })

  it('does not replace a field of an error', () => {
    expect(read('get-service', '{"__proto__": {"message": "x", "code": "y"}}', 404)).toMatchObject({
      code: undefined,
      serverMessage: 'no message, but {"__proto__": {"message": "x", "code": "y"}}',
    })
  })
})

describe('an answer nested too deeply to be written again', () => {
  test.each([
    ['lists in a record', 'get-service', `{"service_id": "s1", "x": ${nested(100_000)}}`],
    ['objects in a record', 'get-service', `{"service_id": "s1", "x": ${objects(100_000)}}`],
    ['lists in a list', 'list-services', nested(100_000, '{"service_id": "s1"}')],
  ] as const)('is refused: %s', (_, operation, body) => {
    const error = read(operation, body) as UnreadableAnswerError
    expect(error).toBeInstanceOf(UnreadableAnswerError)
    expect(error.message).toContain('that is nested deeper than 100 levels')
  })

  it('is not an error of the API', () => {
    const error = read('get-service', `{"message": "no", "details": ${nested(100_000)}}`, 400)
    expect((error as Error).message).toContain('a body that is not the JSON error of the API')
  })

  it('differs from one that is only deep', () => {
    expect(read('get-service', `{"service_id": "s1", "x": ${nested(99)}}`)).toMatchObject({
      service_id: 's1',
    })
    expect(read('get-service', `{"service_id": "s1", "x": ${nested(101)}}`)).toBeInstanceOf(
      UnreadableAnswerError,
    )
  })
})

describe('a number', () => {
  test.each([
    ...['1e400', '-1e400', '1180591620717411303424', '1.5', '9007199254740993', '"1e3"', '"99999999999"'],
  ])('is refused if it is not a port: %s', port => {
    const error = read('get-service', `{"service_id": "s1", "endpoint": {"host": "h", "port": ${port}}}`)
    expect((error as Error).message).toContain('where endpoint.port is missing or differs')
  })

  test.each(['0', '-0'])('of zero is not yet an address: %s', port => {
    const record = read('get-service', `{"service_id": "s1", "endpoint": {"host": "h", "port": ${port}}}`)
    expect((record as { endpoint?: unknown }).endpoint).toBeUndefined()
  })

  test.each(['1e400', '1180591620717411303424', '1.5'])('is not an id: %s', id => {
    expect((read('get-vpc', `{"id": ${id}}`) as Error).message).toContain(
      'where id is missing or differs from the specification',
    )
  })

  it('may have any size in an unknown field', () => {
    expect(read('get-service', '{"service_id": "s1", "x": 1e400, "y": -0}')).toMatchObject({
      service_id: 's1',
    })
  })
})

it('takes the last of two keys of the same name, as JSON.parse does', () => {
  expect(read('get-service', '{"service_id": "s1", "service_id": "s2"}')).toEqual({ service_id: 's2' })
})

it('reads a list of 130,000 names, more than a call has arguments', () => {
  expect(read('list-metric-series', `[${Array(130_000).fill('"a"')}]`)).toHaveLength(130_000)
})

describe('reading a list stops at the first malformed record', () => {
  // Complaints about all of them would take gigabytes: a time-out or a crash.
  const million = (item: string) => `[${Array(1_000_000).fill(item).join(',')}]`

  test.each([
    ['a list', 'list-services', million('0'), 'where 0 is missing'],
    ['a list in a record', 'get-service', `{"service_id":"s1","resources":${million('7')}}`, 'resources.0'],
    ['lines of a log', 'get-service-logs', `{"logs":${million('7')}}`, 'where logs.0 is missing'],
  ] as const)('%s', (_, operation, body, problem) => {
    expect((read(operation, body) as Error).message).toContain(problem)
  })

  it('and a malformed list is refused', () => {
    expect((read('list-services', '{"length": 1e9}') as Error).message).toContain('the whole body is missing')
  })
})
