/** Tests the input password_secret. */
import { describe, expect, it, test } from 'vitest'
import { access, readTestInputs, refusalOf, type Texts, warningsOf } from '../../support/test-inputs.ts'

const { base_url } = access
const keys = (secret_key: string) => ({ base_url, public_key: 'pub', secret_key })
const short = 'fifteen-letters'
const long = 'sixteen-letters!'
const opened = { name: 'pull_request', action: 'opened' }

describe('the secret for deriving passwords', () => {
  test.each<[string, Texts, string | undefined]>([
    ['is the secret key', keys(long), long],
    ['is the secret part of both keys in one', { base_url, api_key: `pub:${long}` }, long],
    ['is a secret of its own', { ...keys(long), password_secret: `${long}${long}` }, `${long}${long}`],
    ['is a secret of its own beside a short key', { ...keys(short), password_secret: long }, long],
    ['is the secret key where the other is empty', { ...keys(long), password_secret: '' }, long],
    ['is the secret key where the other is blank', { ...keys(long), password_secret: ' \n' }, long],
    ['is trimmed', { ...keys(long), password_secret: ` ${long}\n` }, long],
    ['is nothing where the secret key is too short', keys(short), undefined],
  ])('%s', (_, texts, expected) => {
    expect(readTestInputs({ operation: 'create-service', name: 'shop', ...texts }).passwordSecret).toBe(
      expected,
    )
  })
})

describe('a password_secret is refused', () => {
  const expected = 'password_secret: expected at least 16 visible ASCII characters in one line, got'

  test.each<[string, string, string, string]>([
    ['of 15 characters', 'get-connection', short, `${expected} 15 characters`],
    ['by an operation without passwords', 'prune-previews', short, `${expected} 15 characters`],
    ['of words', 'get-connection', 'correct horse battery', `${expected} 21 characters with a blank`],
    [
      'of letters that are not ASCII',
      'preview',
      'sixteen-létters!',
      `${expected} 16 characters with one that is not ASCII`,
    ],
  ])('%s', (_, operation, password_secret, message) => {
    expect(refusalOf({ ...access, operation, password_secret })).toBe(message)
    expect(refusalOf({ ...keys(short), operation, password_secret })).toBe(message)
  })

  it('together with all other problems', () => {
    const texts = { operation: 'get-connection', wait: 'maybe', ...keys('short'), password_secret: 'hush' }
    expect(refusalOf(texts)).toMatch(/^2 problems with the inputs: .*password_secret: .*; wait: /)
  })
})

it('is not required if the keys are in the wrong order', () => {
  const exchanged = { base_url, public_key: 'a-secret-key-of-30-characters!', secret_key: 'PUB1234567' }
  expect(refusalOf({ operation: 'get-connection', ...exchanged })).toBe(
    'secret_key: expected the longer key of the pair, got 10 characters, and public_key has 30: swap them',
  )
})

describe('a secret key of 15 characters', () => {
  const refusal =
    'secret_key: expected at least 16 characters, because without password_secret the action derives passwords from this key, ' +
    'got 15 characters: copy the complete key, or set password_secret'

  test.each<[string, Texts, object]>([
    ['create-preview', { empty: 'true' }, {}],
    ['get-connection', {}, {}],
    ['get-connection of a service', { service_id: 's1' }, {}],
    ['preview of an opened pull request', { empty: 'true' }, opened],
    ['preview of a push', { empty: 'true' }, { name: 'pull_request_target', action: 'synchronize' }],
  ])('is rejected by %s', (name, texts, event) => {
    const operation = name.split(' ')[0] as string
    expect(refusalOf({ operation, ...keys(short), ...texts }, event)).toBe(refusal)
    expect(refusalOf({ operation, base_url, api_key: `pub:${short}`, ...texts }, event)).toBe(refusal)
    expect(warningsOf(readTestInputs({ operation, ...keys(long), ...texts }, event))).toEqual([])
    expect(
      warningsOf(readTestInputs({ operation, ...keys(short), ...texts, password_secret: long }, event)),
    ).toEqual([])
  })

  test.each<[string, Texts, object]>([
    ['preview of a closed pull request', {}, { name: 'pull_request', action: 'closed' }],
    ['preview on a schedule', {}, { name: 'schedule' }],
    ['preview on an event that it does not know', {}, { name: 'push' }],
    ['delete-preview', {}, opened],
    ['prune-previews', {}, opened],
    ['create-service', { name: 'shop' }, opened],
    ['fork-service', { service_id: 's1', fork_strategy: 'NOW' }, opened],
    ['get-service', { service_id: 's1' }, opened],
  ])('is accepted by %s', (name, texts, event) => {
    const operation = name.split(' ')[0] as string
    expect(warningsOf(readTestInputs({ operation, ...keys(short), ...texts }, event))).toEqual([])
  })
})

it.each([
  ['none', { public_key: 'pub' }, 'secret_key'],
  ['a wrong one', keys('hush\nhush'), 'secret_key'],
  ['half of both keys in one', { api_key: 'hush' }, 'api_key'],
])('%s instead of the secret key is one problem', (_, texts, name) => {
  expect(refusalOf({ operation: 'get-connection', base_url, ...texts })).toMatch(
    new RegExp(`^${name}: expected (?!.*password_secret)`),
  )
})

describe('password_secret', () => {
  test.each<[string, Texts]>([
    ['create-service', { name: 'shop' }],
    ['fork-service', { service_id: 's1', fork_strategy: 'NOW' }],
    ['preview', {}],
  ])('is used by %s', (operation, texts) => {
    expect(warningsOf(readTestInputs({ ...access, operation, ...texts, password_secret: long }))).toEqual([])
  })

  it('is unused without a password', () => {
    const given = { ...access, operation: 'delete-preview', password_secret: long }
    expect(warningsOf(readTestInputs(given))).toEqual([
      'the input password_secret is not used by delete-preview: remove it',
    ])
  })
})
