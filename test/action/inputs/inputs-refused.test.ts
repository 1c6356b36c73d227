/** Tests the rejection of inputs. */
import { describe, expect, it, test } from 'vitest'
import { access, readTestInputs, refusalOf, type Texts } from '../../support/test-inputs.ts'

const refused = (texts: Texts) => refusalOf({ ...access, ...texts })

describe('the credentials', () => {
  const { base_url } = access

  test.each<[string, Texts, object]>([
    ['are two keys', { public_key: 'pub', secret_key: 's:e:c' }, { publicKey: 'pub', secretKey: 's:e:c' }],
    ['are both keys in one', { api_key: 'pub:sec' }, { publicKey: 'pub', secretKey: 'sec' }],
    ['may have a colon in the secret', { api_key: 'pub:s:e:c:' }, { publicKey: 'pub', secretKey: 's:e:c:' }],
  ])('%s', (_, keys, expected) => {
    const inputs = readTestInputs({ operation: 'get-auth-info', base_url, ...keys })
    expect(inputs.credentials).toEqual(expected)
  })

  test.each<[string, Texts, string]>([
    [
      'nothing at all',
      {},
      'api_key: expected public:secret (or public_key and secret_key instead), but all are empty: check the names of their secrets',
    ],
    [
      'half of them',
      { public_key: 'pub' },
      'secret_key: expected a key, from a secret of the repository or organization, got nothing: check the name of its secret',
    ],
    [
      'no secret after the colon',
      { api_key: 'hush:' },
      'api_key: expected public:secret in visible ASCII characters in one line, got 5 characters with nothing on one side of the ":"',
    ],
    [
      'both ways at once',
      { api_key: 'hush:hush', secret_key: 'hushhush' },
      'api_key: expected no other key, got secret_key: remove secret_key, or remove api_key',
    ],
  ])('are rejected with %s', (_, keys, message) => {
    expect(refusalOf({ operation: 'get-auth-info', base_url, ...keys })).toBe(message)
  })
})

describe('an input is rejected that', () => {
  test.each<[string, Texts, string]>([
    [
      'is missing',
      { operation: 'get-service' },
      'service_id: expected an id of up to 64 letters, digits, "-" and "_" (get-service needs it), got nothing',
    ],
    [
      'is no number',
      { operation: 'create-service', name: 'a', replica_count: 'two' },
      'replica_count: expected a whole number of at least 0, like 1, got "two"',
    ],
    [
      'is half a JSON list',
      { operation: 'get-service-logs', service_id: 's1', search: '["a"' },
      'search: expected a list of words, got "[\\"a\\""',
    ],
    [
      'needs another one',
      { operation: 'fork-service', service_id: 's1', fork_strategy: 'PITR' },
      'target_time: expected a date and time to fork from, like 2026-01-31T12:00:00Z, because fork_strategy is PITR, got nothing',
    ],
    [
      'does not go with another one',
      {
        operation: 'fork-service',
        service_id: 's1',
        fork_strategy: 'NOW',
        target_time: '2026-01-31T12:00:00Z',
      },
      'target_time: expected nothing, because it requires fork_strategy PITR, got "2026-01-31T12:00:00Z"',
    ],
    [
      'has all its alternatives missing',
      { operation: 'set-ha', service_id: 's1' },
      'replica_count: expected a number in replica_count, sync_replica_count or both, got nothing',
    ],
    [
      'is longer than any timer',
      { operation: 'list-services', request_timeout: '600h' },
      'request_timeout: expected a duration from 1ms to 24d, got "600h"',
    ],
    [
      'is longer than any age',
      { operation: 'prune-previews', max_age: '4000d' },
      'max_age: expected a duration from 1ms to 3650d, got "4000d"',
    ],
    [
      'is no time at all',
      { operation: 'list-services', request_timeout: '0s' },
      'request_timeout: expected a duration from 1ms to 24d, got "0s"',
    ],
    [
      'is out of range',
      { operation: 'list-services', max_attempts: '0' },
      'max_attempts: expected a whole number from 1 to 999, got "0"',
    ],
  ])('%s', (_, texts, message) => {
    expect(refused(texts)).toBe(message)
  })
})

describe('a rejection', () => {
  it('names every problem at once', () => {
    const message = refusalOf({ operation: 'create-replica', nodes: '0', wait: 'maybe', secret_key: 'hush' })
    expect(message).toMatch(/^7 problems with the inputs: /)
    expect(message.split('; ').map(problem => problem.replace(/^7 .*?: /, '').split(':')[0])).toEqual([
      ...['wait', 'base_url', 'public_key', 'service_id', 'nodes', 'cpu_millis', 'memory_gbs'],
    ])
  })

  it('contains no secret from any input', () => {
    const secret = 'hush-hush-hush'
    const messages = [
      refusalOf({ operation: 'list-services', public_key: `${secret}:`, secret_key: `${secret}é` }),
      refusalOf({ operation: 'list-services', api_key: secret }),
      refused({ operation: 'list-services', password_secret: secret }),
      refused({ operation: 'list-services', base_url: `https://user:${secret}@api.example/` }),
      refused({ operation: 'list-services', base_url: `https://${secret}@api.example/public` }),
      refused({ operation: 'list-services', base_url: `https:user:${secret}@api.example/public` }),
      refused({ operation: 'list-services', base_url: `https://user:x/${secret}@api.example/public` }),
    ]
    for (const message of messages) expect(message).not.toContain(secret)
  })

  it('reports that no request was sent', () => {
    expect(() => readTestInputs({})).toThrow(
      expect.objectContaining({ next: 'correct the inputs of the step; no request was sent' }),
    )
  })
})
