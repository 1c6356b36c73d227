/** Tests the names of fields that contain secrets. */
import { describe, expect, test } from 'vitest'
import { holdsSecret, mentionsSecret, withoutSecretFields } from '#base/secret-names'

describe('a field name', () => {
  test.each([
    ...['password', 'initial_password', 'initialPassword', 'PGPASSWORD', 'db-password', 'passwords'],
    ...['passwd', 'userPasswd', 'pwd', 'DB_PWD', 'pass', 'db_pass', 'dbPass', 'passphrase', 'pass_word'],
    ...['secret', 'clientSecret', 'secret_key', 'secrets', 'token', 'accessToken', 'REFRESH_TOKEN'],
    ...['credential', 'credentials', 'private_key', 'privateKey', 'access_key', 'accessKey'],
    ...['connection_string', 'connectionString', 'connection_uri', 'connectionURL', 'Connection-Strings'],
  ])('%s holds a secret', name => {
    expect(mentionsSecret(name)).toBe(true)
    expect(holdsSecret(name)).toBe(true)
  })

  test.each([
    ...['password_hash', 'token_type', 'hasPassword2', 'secretName', 'credential_count', 'passwordless'],
  ])('%s mentions a secret', name => {
    expect(mentionsSecret(name)).toBe(true)
    expect(holdsSecret(name)).toBe(false)
  })

  test.each([
    ...['name', 'service_id', 'public_key', 'apiKey', 'api_key', 'created', 'connection_pooler', 'endpoint'],
    ...['passage', 'compass', 'bypass', 'key', 'keys'],
    ...['monkey', 'connection', 'last_cursor', '', '__proto__'],
  ])('%j mentions no secret', name => {
    expect(mentionsSecret(name)).toBe(false)
    expect(holdsSecret(name)).toBe(false)
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
])('%j without its secret fields is %j', (value, rest) => {
  expect(withoutSecretFields(value)).toEqual(rest)
})
