/** Tests the detection of secrets by the names of fields. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findNamedSecrets, hideNamedSecrets } from '#action/secrets/named-secrets'
import { anyText } from '../../support/any-text.ts'

const valuesIn = (text: string) => findNamedSecrets(text).map(({ value }) => value)

/** JSON within JSON, so many times. */
const nest = (value: unknown, depth: number): string =>
  depth === 0 ? JSON.stringify(value) : nest(nest(value, 0), depth - 1)

describe('a text with a secret', () => {
  test.each<[text: string, hidden: string, values: string[]]>([
    ['{"password":"hush","b":1}', '{"password":"***","b":1}', ['hush']],
    ['{ "db-password" :\n "hush" }', '{ "db-password" :\n "***" }', ['hush']],
    ['{\\"initial_password\\":\\"hu sh\\"}', '{\\"initial_password\\":\\"***\\"}', ['hu sh']],
    ['{\\\\\\"token\\\\\\":\\\\\\"hush\\\\\\"}', '{\\\\\\"token\\\\\\":\\\\\\"***\\\\\\"}', ['hush']],
    ['"password":"a\\"b\\\\","c":"d"', '"password":"***","c":"d"', ['a"b\\']],
    ['"password":"no \\escape"', '"password":"***"', ['no \\escape']],
    ['"initial_password":"cut off', '"initial_password":"***', ['cut off']],
    ['"password": 12345, "b": 6', '"password": ***, "b": 6', ['12345']],
    ["{'secret': 'hush', 'b': 1}", "{'secret': '***', 'b': 1}", ['hush']],
    ['{:password=>"hush"}', '{:password=>"***"}', ['hush']],
    ['password=>hush b', 'password=>*** b', ['hush']],
    ['token: "hush"', 'token: "***"', ['hush']],
    ['user=a password=hush host=b', 'user=a password=*** host=b', ['hush']],
    ['PGPASSWORD=hush psql', 'PGPASSWORD=*** psql', ['hush']],
    ["password = 'hu sh' user=a", "password = '***' user=a", ['hu sh']],
    ['--db-password=hush --b', '--db-password=*** --b', ['hush']],
    ['?password=hush&sslmode=require b', '?password=*** b', ['hush']],
    ['Password=hush;Server=a', 'Password=***', ['hush']],
    ['(access_token=hush).', '(access_token=***', ['hush']],
    ['"jdbc:postgresql://h/d?password=hush"', '"jdbc:postgresql://h/d?password=***"', ['hush']],
    ['{\\"url\\":\\"jdbc:h?password=hush\\"} b', '{\\"url\\":\\"jdbc:h?password=***\\"} b', ['hush']],
    ["ALTER USER a PASSWORD 'it''s' VALID", "ALTER USER a PASSWORD '***' VALID", ["it's"]],
    ["alter user a password E'hush'", "alter user a password E'***'", ['hush']],
    ['postgres://user:hush@host/db', 'postgres://user:***@host/db', ['hush']],
    ['postgres://user:a%40b@host/db', 'postgres://user:***@host/db', ['a@b']],
    ['postgres://user:100%@host/db', 'postgres://user:***@host/db', ['100%']],
    ['postgres://user:a@b@host/db?c=@', 'postgres://user:***@host/db?c=@', ['a@b']],
    ['postgres://user:a/b@host/db', 'postgres://user:***@host/db', ['a/b']],
    ["'postgres://user:it's@host/db' b", "'postgres://user:***@host/db' b", ["it's"]],
    ["'user=a password=hush', b", "'user=a password=*** b", ['hush']],
    ['?password=it%27s&b=c', '?password=***', ["it's"]],
    ['postgres:\\/\\/user:hush@host', 'postgres:\\/\\/user:***@host', ['hush']],
    ['a://b:one@c,a://b:two@c', 'a://b:***@c,a://b:***@c', ['one', 'two']],
    ['connection_string=a://b:hush@c d', 'connection_string=*** d', ['a://b:hush@c', 'hush']],
    ['password=one password=two', 'password=*** password=***', ['one', 'two']],
  ])('%s becomes %s', (text, hidden, values) => {
    expect(hideNamedSecrets(text)).toBe(hidden)
    expect(valuesIn(text)).toEqual(values)
    expect(hideNamedSecrets(hidden)).toBe(hidden)
  })
})

describe('a text without a secret stays unchanged', () => {
  test.each([
    '',
    'password authentication failed for user "tsdbadmin"',
    'password: expected a password (update-password needs it), got nothing',
    'its password was in the lost answer; a new one is set',
    "the password's length is 'short'",
    'Unexpected token \'<\', "<html>" is not valid JSON',
    'secret_key: expected a key, from a secret of the repository',
    '{"password":"","public_key":"a","apiKey":{"name":"b"}}',
    '{"message":"password","b":"c"}',
    'http://127.0.0.1:8787/public/api/v1/users/a@b?c=d:e@f',
    'https://host/a:b@c',
    'https://user@host and a:b@c',
    'mypasswords="',
    'password',
    'password=',
  ])('%s', text => {
    expect(hideNamedSecrets(text)).toBe(text)
    expect(valuesIn(text)).toEqual([])
  })
})

test('a password in JSON is found at any depth of JSON within JSON', () => {
  const password = anyText({ minLength: 1 }).filter(text => !text.includes('***'))
  fc.assert(
    fc.property(password, fc.nat(4), fc.string(), (value, depth, other) => {
      const text = nest({ a: { 'db password': value }, b: other.replaceAll(/pass|key|:/gi, '') }, depth)
      expect(valuesIn(text)).toEqual([value])
      const hidden = hideNamedSecrets(text)
      let read: unknown = hidden
      for (let level = 0; level <= depth; level++) read = JSON.parse(read as string)
      expect(read).toMatchObject({ a: { 'db password': '***' } })
    }),
  )
})
