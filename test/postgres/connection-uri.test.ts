/** Tests connection URIs with any characters. */
import { expect, test } from 'vitest'
import { parseConnectionUri } from '#postgres/connection-uri'

const plain = {
  host: 'db.example',
  port: 5432,
  user: 'app',
  password: '',
  database: 'app',
  sslmode: 'prefer',
  ignored: [],
}

test.each<[string, object]>([
  ['postgres://app@db.example', {}],
  ['postgresql://app:p%40ss@db.example:6432/shop', { password: 'p@ss', port: 6432, database: 'shop' }],
  ['postgresql://app:a+b@db.example?sslmode=verify-full', { password: 'a+b', sslmode: 'verify-full' }],
  ['postgresql://app@[2001:db8::1]:6432/', { host: '2001:db8::1', port: 6432 }],
  [
    'postgresql:///b?host=db.example&user=app&password=hush&port=7',
    { password: 'hush', port: 7, database: 'b' },
  ],
  [
    'postgresql://app@db.example?dbname=shop&connect_timeout=3&options=-c%20a',
    { database: 'shop', ignored: ['connect_timeout', 'options'] },
  ],
  [
    'postgresql://app@db.example?sslmode=allow&sslrootcert=%2Fca',
    { sslmode: 'allow', rootCertificate: '/ca' },
  ],
  ['postgresql://app@db.example?sslrootcert=system', { sslmode: 'verify-full' }],
])('%s is read as libpq reads it', (uri, expected) => {
  expect(parseConnectionUri(uri)).toEqual({ value: { ...plain, ...expected } })
})

test.each([
  ['host=db.example user=app', 'got text that does not start with postgresql://'],
  ['https://app:hush@db.example', 'got one that begins with https://'],
  ['mysql://app:hush@db.example/shop', 'got one that begins with mysql://'],
  ['hush:hush@db.example/shop', 'got text that does not start with postgresql://'],
  ['postgresql://db.example/shop', 'got one without a user'],
  ['postgresql://app:hush@/shop', 'got one without a host'],
  ['postgresql://app:hush@one.example,two.example', 'a connection URL with one host, got one with several'],
  ['postgresql://app:hush@%2Fvar%2Frun/shop', 'got one whose host is neither a name nor an address'],
  ['postgresql://app:hush@db.example:0/shop', 'a port from 1 to 65535, got one with another port'],
  ['postgresql://app:hush@db.example:65536/shop', 'a port from 1 to 65535, got one with another port'],
  ['postgresql://app:hush@db.example:pg/shop', 'got one with an unreadable host or port'],
  ['postgresql://app:hush50%@db.example/b', 'with % written as %25, got one with a bare % in its password'],
  [
    'postgresql://app:hush@db.example/shop?sslmode=required',
    'sslmode to be disable, allow, prefer, require, verify-ca or verify-full, got sslmode=required',
  ],
  ['postgresql://app:hush@db.example/shop?sslmode=re quire', 'or verify-full, got another sslmode'],
  ['postgresql://app:hush@db.example/shop#part', 'got one with a fragment after #'],
  [
    'postgresql://app:hush@b@db.example/shop',
    'in the password written as %40 %2F %3F and %23, got one with such a character in its user or password',
  ],
])('%s is refused because of its wrong part', (uri, message) => {
  const parsed = parseConnectionUri(uri)
  const words = 'got' in parsed ? `${parsed.expected}, got ${parsed.got}` : ''
  expect(words).toContain(message)
  expect(words).not.toContain('hush')
})
