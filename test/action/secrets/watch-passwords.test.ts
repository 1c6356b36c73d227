import { describe, expect, it, test } from 'vitest'
import { watchPasswords } from '../../../src/action/secrets/watch-passwords.ts'
import type { HttpRequest, HttpResponse } from '../../../src/base/seam.ts'
import { FakeSeam, json } from '../../support/fake-seam.ts'

const manyPasswords = (count: number) =>
  json(
    200,
    Array.from({ length: count }, (_, index) => ({ initial_password: `p${index}` })),
  )

const host = 'https://host/public/api/v1'

/** What the listener is told of one exchange, in order. */
async function tell(path: string, response: HttpResponse): Promise<string[]> {
  const told: string[] = []
  const fake = new FakeSeam([response])
  const seam = watchPasswords(
    {
      ...{ now: () => 0, date: () => 0, random: () => 0 },
      ...{ sleep: async () => {}, after: () => () => {}, send: sent => fake.send(sent) },
    },
    {
      onGiven: (password, masked) => told.push(`${masked ? 'given' : 'given unmasked'} ${password}`),
      onService: id => told.push(`service ${id}`),
    },
  )
  const request: HttpRequest = { method: 'GET', url: host + path, headers: {}, timeout: 1, maxBytes: 1 }
  expect(await seam.send(request)).toBe(response)
  return told
}

describe('of an exchange with the API', () => {
  test.each<[string, path: string, response: HttpResponse, told: string[]]>([
    ['the service asked about is told', '/projects/p/services/s1/stop', json(500), ['service s1']],
    ['a query is no part of it', '/projects/p/services/s1?a=b', json(500), ['service s1']],
    ['a list of services is about none', '/projects/p/services', json(200, [{ service_id: 's1' }]), []],
    [
      'the password given and its service are told',
      '/projects/p/services',
      json(202, { service_id: 's2', initial_password: 'p"\\w' }),
      ['given p"\\w', 'service s2'],
    ],
    [
      'passwords of a list are told',
      '/projects/p/services',
      json(200, [{ initial_password: 'one' }, { initial_password: 'two' }]),
      ['given one', 'given two'],
    ],
    [
      'a password in what is no JSON is told',
      '/auth/info',
      { status: 200, headers: {}, body: '<p>"initial_password" : "a\nb\\x" ' },
      ['given a\nb\\x'],
    ],
    [
      'a password within JSON within an error is told',
      '/auth/info',
      json(400, { code: 'NO', message: `got ${JSON.stringify({ initial_password: 'p"\\w' })}` }),
      ['given p"\\w'],
    ],
    [
      'passwords, secrets and tokens are told, each once',
      '/auth/info',
      json(400, {
        details: { password: 'mine', a: [{ clientSecret: 'yours', token: 'mine' }] },
        message: "PASSWORD 'ours' at postgres://u:theirs@h?token=thine&b",
        'password=hers': 1,
      }),
      ['hers', 'mine', 'ours', 'theirs', 'thine', 'yours'].map(value => `given ${value}`),
    ],
    ['what is only about a password is not', '/auth/info', json(200, { password_hint: 'a word' }), []],
    [
      'common words and short ones are not, which would be hidden everywhere',
      '/auth/info',
      json(200, { password: 'required', token: 'abc', secret: 'TRUE', passwd: '****' }),
      [],
    ],
    [
      'a short one that the API gives is',
      '/auth/info',
      json(200, { initial_password: 'abc' }),
      ['given abc'],
    ],
    [
      'of very many all are told, and the runner is to mask the first 50',
      '/projects/p/services',
      manyPasswords(10_000),
      Array.from({ length: 10_000 }, (_, index) => `given ${index < 50 ? '' : 'unmasked '}p${index}`),
    ],
  ])('%s', async (_, path, response, told) => {
    expect(await tell(path, response)).toEqual(told)
  })
})

it('refuses an answer with more passwords than can be taken out of what is shown', async () => {
  const told = tell('/projects/p/services', manyPasswords(10_001))
  await expect(told).rejects.toThrow('the answer holds more than 10000 passwords or tokens')
})
