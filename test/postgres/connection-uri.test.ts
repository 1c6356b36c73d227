import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderDatabaseUrl } from '#postgres/connection'
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
  [
    'postgresql://app:a+b@db.example/shop?sslmode=verify-full',
    { password: 'a+b', database: 'shop', sslmode: 'verify-full' },
  ],
  ['postgresql://app@[2001:db8::1]:6432/', { host: '2001:db8::1', port: 6432 }],
  [
    'postgresql:///shop?host=db.example&user=app&password=hush&port=7',
    { password: 'hush', port: 7, database: 'shop' },
  ],
  [
    'postgresql://app@db.example?dbname=shop&connect_timeout=3&options=-c%20a',
    { database: 'shop', ignored: ['connect_timeout', 'options'] },
  ],
  [
    'postgresql://app@db.example?sslmode=verify-ca&sslrootcert=%2Fca.pem',
    { sslmode: 'verify-ca', rootCertificate: '/ca.pem' },
  ],
  ['postgresql://app@db.example?sslrootcert=system', { sslmode: 'verify-full' }],
])('%s is read as libpq reads it', (uri, expected) => {
  expect(parseConnectionUri(uri)).toEqual({ ...plain, ...expected })
})

test.each([
  'host=db.example user=app',
  'https://app@db.example',
  'postgresql://db.example/shop',
  'postgresql://app@/shop',
  'postgresql://app@one.example,two.example/shop',
  'postgresql://app@%2Fvar%2Frun/shop',
  'postgresql://app@db.example:0/shop',
  'postgresql://app@db.example:65536/shop',
  'postgresql://app:50%@db.example/shop',
  'postgresql://app@db.example/shop?sslmode=on',
  'postgresql://app@db.example/shop#part',
  'postgresql://app:a@b@db.example/shop',
])('%s is refused', uri => expect(parseConnectionUri(uri)).toBeUndefined())

test('what the outputs say is read as it was meant, whatever signs are in it', () => {
  const word = fc.string({ unit: 'binary', minLength: 1 }).filter(text => text.isWellFormed())
  const given = fc.record({
    host: fc.constantFrom('db.example', '127.0.0.1', '2001:db8::1'),
    port: fc.integer({ min: 1, max: 65_535 }),
    user: word,
    password: word,
    database: word,
    sslmode: fc.constantFrom('require', 'verify-ca'),
  })
  fc.assert(
    fc.property(given, connection => {
      expect(parseConnectionUri(renderDatabaseUrl(connection))).toEqual({ ...connection, ignored: [] })
    }),
  )
})
