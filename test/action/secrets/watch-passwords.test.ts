/** Tests the detection of passwords in answers. */
import { describe, expect, it, test } from 'vitest'
import { watchPasswords } from '#action/secrets/watch-passwords'
import { type EndpointName, endpoints } from '#api/endpoints'
import type { HttpResponse } from '#base/seam'
import { type CallOptions, createClient } from '#client/client'
import { clientOptions } from '../../support/client-options.ts'
import { FakeSeam, json } from '../../support/fake-seam.ts'

const manyPasswords = (count: number) =>
  json(
    200,
    Array.from({ length: count }, (_, index) => ({ initial_password: `p${index}` })),
  )

const ids = { project_id: 'p', service_id: 's1' }

/** The passwords that the listener receives for an answer, in order, and the failure of the call. */
async function tell(
  operation: EndpointName,
  answer: HttpResponse,
  options: CallOptions = {},
): Promise<{ told: string[]; failure: unknown }> {
  const told: string[] = []
  const client = createClient({
    ...clientOptions(),
    seam: new FakeSeam([answer]),
    maxAttempts: 1,
    onAnswer: watchPasswords({
      onPassword: (password, masked) => told.push(`${masked ? 'given' : 'given unmasked'} ${password}`),
      onService: id => told.push(`service ${id}`),
    }),
  })
  const parameters = endpoints[operation].path.includes('{service_id}') ? ids : { project_id: 'p' }
  const failure = await client.callAny(operation, parameters, options).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { told, failure }
}

describe('of an exchange with the API', () => {
  test.each<[string, operation: EndpointName, response: HttpResponse, told: string[]]>([
    ['the service asked about is told', 'stop-service', json(500), ['service s1']],
    ['a list of services is about none', 'list-services', json(200, [{ service_id: 's1' }]), []],
    [
      'the password given and its service are told',
      'create-service',
      json(202, { service_id: 's2', initial_password: 'p"\\w' }),
      ['service s2', 'given p"\\w'],
    ],
    [
      'passwords of a list are told',
      'list-services',
      json(200, [{ initial_password: 'one' }, { initial_password: 'two' }]),
      ['given one', 'given two'],
    ],
    [
      'a password in what is no JSON is told',
      'get-auth-info',
      { status: 200, headers: {}, body: '<p>"initial_password" : "a\nb\\x" ' },
      ['given a\nb\\x'],
    ],
    [
      'the password and the service of half an answer are told',
      'create-service',
      { status: 202, headers: {}, body: '{"service_id": "s2", "initial_password": "cut off' },
      ['service s2', 'given cut off'],
    ],
    [
      'a password within JSON within an error is told',
      'get-auth-info',
      json(400, { code: 'NO', message: `got ${JSON.stringify({ initial_password: 'p"\\w' })}` }),
      ['given p"\\w'],
    ],
    [
      'passwords, secrets and tokens are told, each once',
      'get-auth-info',
      json(400, {
        details: { password: 'mine', a: [{ clientSecret: 'yours', token: 'mine' }] },
        message: "PASSWORD 'ours' at postgres://u:theirs@h?token=thine&b",
        'password=hers': 1,
      }),
      ['hers', 'mine', 'ours', 'theirs', 'thine', 'yours'].map(value => `given ${value}`),
    ],
    ['what is only about a password is not', 'get-auth-info', json(200, { password_hint: 'a word' }), []],
    [
      'common words and short ones are not, which would be hidden everywhere',
      'get-auth-info',
      json(200, { password: 'required', token: 'abc', secret: 'TRUE', passwd: '****' }),
      [],
    ],
    ['a short one of the API is', 'get-auth-info', json(200, { initial_password: 'abc' }), ['given abc']],
    [
      'of very many all are told, and the runner is to mask the first 50',
      'list-services',
      manyPasswords(10_000),
      Array.from({ length: 10_000 }, (_, index) => `given ${index < 50 ? '' : 'unmasked '}p${index}`),
    ],
  ])('%s', async (_, operation, response, told) => {
    expect((await tell(operation, response)).told).toEqual(told)
  })
})

it('finds the password in a record that the call does not read', async () => {
  const answer = json(200, [{ service_id: 's1', initial_password: 'one' }, { service_id: 's2' }])
  const { told } = await tell('list-services', answer, { only: ({ service_id }) => service_id === 's2' })
  expect(told).toEqual(['given one'])
})

it('rejects an answer with too many passwords', async () => {
  const { failure } = await tell('list-services', manyPasswords(10_001))
  expect(failure).toMatchObject({
    message: expect.stringContaining('the answer holds more than 10000 passwords or tokens'),
  })
})
