/** Tests the formats of connection details. */
import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it, test } from 'vitest'
import { type Connection, renderDatabaseUrl, renderJdbcUrl } from '#postgres/connection'

const plain: Connection = {
  host: 'db.example',
  port: 5432,
  user: 'tsdbadmin',
  database: 'tsdb',
  sslmode: 'disable',
}

describe('the URL of a database', () => {
  test.each<[string, Partial<Connection>, string]>([
    ['without a password', {}, 'postgresql://tsdbadmin@db.example:5432/tsdb?sslmode=disable'],
    [
      'with half a surrogate pair in the password',
      { password: 'a\ud800' },
      'postgresql://tsdbadmin:a%EF%BF%BD@db.example:5432/tsdb?sslmode=disable',
    ],
    ['with a password', { password: 'a' }, 'postgresql://tsdbadmin:a@db.example:5432/tsdb?sslmode=disable'],
    ['with an empty one', { password: '' }, 'postgresql://tsdbadmin:@db.example:5432/tsdb?sslmode=disable'],
    [
      'with reserved characters',
      { user: 'a b', password: `p@s/s:w?o#r[d]%!'()*`, database: 'x/y' },
      'postgresql://a%20b:p%40s%2Fs%3Aw%3Fo%23r%5Bd%5D%25%21%27%28%29%2A@db.example:5432/x%2Fy?sslmode=disable',
    ],
    ['at an IPv6 address', { host: '2001::1' }, 'postgresql://tsdbadmin@[2001::1]:5432/tsdb?sslmode=disable'],
    ['at one in brackets', { host: '[::1]' }, 'postgresql://tsdbadmin@[::1]:5432/tsdb?sslmode=disable'],
    ['at an IPv4 address', { host: '10.0.0.1' }, 'postgresql://tsdbadmin@10.0.0.1:5432/tsdb?sslmode=disable'],
  ])('is written %s', (_, parts, url) => {
    expect(renderDatabaseUrl({ ...plain, ...parts })).toBe(url)
  })
})

describe('the URL for JDBC', () => {
  test.each<[string, Partial<Connection>, string]>([
    ['without a password', {}, 'jdbc:postgresql://db.example:5432/tsdb?user=tsdbadmin&sslmode=disable'],
    [
      'with a password',
      { password: 'a&b=c d+e' },
      'jdbc:postgresql://db.example:5432/tsdb?user=tsdbadmin&password=a%26b%3Dc%20d%2Be&sslmode=disable',
    ],
    ['at an IPv6 host', { host: '::1' }, 'jdbc:postgresql://[::1]:5432/tsdb?user=tsdbadmin&sslmode=disable'],
  ])('is written %s', (_, parts, url) => {
    expect(renderJdbcUrl({ ...plain, ...parts })).toBe(url)
  })
})

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...` !"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`),
      fc.string({ unit: 'grapheme', maxLength: 1 }),
    ),
  )
  .map(chars => chars.join(''))
  .filter(chars => chars !== '')
const host = fc.constantFrom('db.example', '10.0.0.1', '2001:db8::1', '::1')
const connection = fc.record({
  host,
  port: fc.integer({ min: 1, max: 65_535 }),
  user: text,
  password: fc.option(text, { nil: undefined }),
  // No encoding keeps these two from being a step on a path (URL Standard, section 4.4).
  database: text.filter(name => name !== '.' && name !== '..'),
  sslmode: fc.constantFrom('disable', 'require', 'verify-full'),
})

describe('for any connection', () => {
  it('the PostgreSQL client reads the URL correctly', () => {
    fc.assert(
      fc.property(connection, made => {
        // pg leaves these encoded in the name of a database (pg-connection-string uses decodeURI).
        fc.pre(!/[;/?:@&=+$,#]/.test(made.database))
        const client = new pg.Client({ connectionString: renderDatabaseUrl({ ...made, sslmode: 'disable' }) })
        const { user, password, database, port } = client
        expect({ user, password: password ?? undefined, database, port }).toEqual({
          user: made.user,
          password: made.password,
          database: made.database,
          port: made.port,
        })
        expect(client.host.replace(/^\[|\]$/g, '')).toBe(made.host)
      }),
    )
  })

  it('no URL contains a special character of shells or logs', () => {
    fc.assert(
      fc.property(connection, made => {
        expect(renderDatabaseUrl(made)).toMatch(/^[\w.~:/?@=+,%[\]-]+$/)
        expect(renderJdbcUrl(made)).toMatch(/^[\w.~:/?&=%[\]-]+$/)
      }),
    )
  })
})
