import { describe, expect, test } from 'vitest'
import { namesSecret, speaksOfSecret, withoutSecretFields } from '#base/secret-names'

describe('the name of a field', () => {
  test.each([
    ...['password', 'initial_password', 'initialPassword', 'PGPASSWORD', 'db-password', 'passwords'],
    ...['passwd', 'userPasswd', 'pwd', 'DB_PWD', 'pass', 'db_pass', 'dbPass', 'passphrase', 'pass_word'],
    ...['secret', 'clientSecret', 'secret_key', 'secrets', 'token', 'accessToken', 'REFRESH_TOKEN'],
    ...['credential', 'credentials', 'private_key', 'privateKey', 'access_key', 'accessKey'],
    ...['connection_string', 'connectionString', 'connection_uri', 'connectionURL', 'Connection-Strings'],
  ])('%s is that of a secret', name => {
    expect(speaksOfSecret(name)).toBe(true)
    expect(namesSecret(name)).toBe(true)
  })

  test.each([
    'password_hash',
    'token_type',
    'hasPassword2',
    'secretName',
    'credential_count',
    'passwordless',
  ])('%s is about a secret', name => {
    expect(speaksOfSecret(name)).toBe(true)
    expect(namesSecret(name)).toBe(false)
  })

  test.each([
    ...['name', 'service_id', 'public_key', 'apiKey', 'api_key', 'created', 'connection_pooler', 'endpoint'],
    ...[
      'passage',
      'compass',
      'bypass',
      'key',
      'keys',
      'monkey',
      'connection',
      'last_cursor',
      '',
      '__proto__',
    ],
  ])('%j is none', name => {
    expect(speaksOfSecret(name)).toBe(false)
    expect(namesSecret(name)).toBe(false)
  })
})

test.each<[unknown, unknown]>([
  [
    { a: [{ password: 'hush', b: 1 }], accessToken: 'hush', c: { d: 'e' } },
    { a: [{ b: 1 }], c: { d: 'e' } },
  ],
  [{ credentials: { user: 'a', value: 'hush' }, passwords: ['hush'] }, {}],
  [
    ['a', null, 1, true],
    ['a', null, 1, true],
  ],
  ['password', 'password'],
  [undefined, undefined],
])('%j without the fields of secrets is %j', (value, rest) => {
  expect(withoutSecretFields(value)).toEqual(rest)
})
