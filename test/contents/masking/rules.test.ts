/** Tests the rules that keep the format of a value: tokens, addresses, places, dates, parts of JSON. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Outputs, run } from '../../support/fork.ts'
import { shareServer } from '../../support/shared-server.ts'
import { makeDatabase, mask } from './support/database.ts'

let service: Outputs
beforeAll(async () => {
  service = await shareServer()
})

async function masked(sql: string, rules: string, query: string) {
  const outputs = await makeDatabase(service, sql)
  const { proof } = await mask(outputs, rules)
  expect(proof.hits).toEqual([])
  return await run(outputs, query)
}

describe('token', () => {
  it('keeps length and alphabet, and keeps even short tokens different', async () => {
    const [row] = await masked(
      `CREATE TABLE keys (id int PRIMARY KEY, pin text UNIQUE, hex text UNIQUE, api text, totp text, raw bytea UNIQUE, long text);
       INSERT INTO keys SELECT n, lpad(n::text, 3, '0'), md5(n::text), 'sk_live_' || encode(sha256(n::text::bytea), 'base64'),
         translate(upper(md5(n::text)), '0189', 'GHIJ'), sha256(n::text::bytea), repeat(md5(n::text), 5) FROM generate_series(0, 999) AS n;
       CREATE UNIQUE INDEX ON keys (api);
       CREATE TABLE uses (hex varchar(40) REFERENCES keys (hex)); INSERT INTO uses SELECT hex FROM keys;
       CREATE TABLE before AS SELECT id, md5(hex) AS hex, md5(raw) AS raw FROM keys`,
      `public.keys: { pin: token, hex: token, api: token, totp: token, raw: token, long: token }
public.uses: { hex: token }
public.before: { hex: keep, raw: keep }`,
      `SELECT count(DISTINCT pin)::int AS pins, bool_and(pin ~ '^[0-9]{3}$') AS pin, bool_and(keys.hex ~ '^[0-9a-f]{32}$') AS hex,
         bool_and(api ~ '^[a-z]{2}_[a-z]{4}_[A-Za-z0-9+/]{43}=$') AS api, bool_and(totp ~ '^[A-Z2-7]{32}$') AS totp, bool_and(length(keys.raw) = 32) AS raw,
         bool_or(md5(keys.hex) = before.hex OR md5(keys.raw) = before.raw) AS same, count(uses.hex)::int AS joined,
         bool_and(length(long) = 160 AND long ~ '^[0-9a-f]+$') AS long, count(*) FILTER (WHERE left(long, 32) = substr(long, 65, 32))::int AS repeated
       FROM keys JOIN before USING (id) LEFT JOIN uses ON uses.hex = keys.hex`,
    )
    expect(row).toEqual({
      ...{ pins: 1000, pin: true, hex: true, api: true, totp: true, raw: true },
      ...{ same: false, joined: 1000, long: true, repeated: 0 },
    })
  })
})

describe('ip', () => {
  it('returns addresses that no host has, equal ones for equal input of every type', async () => {
    const [row] = await masked(
      `CREATE TABLE visits (id int, one inet, net cidr, many inet[], line text, six inet);
       INSERT INTO visits SELECT n, ('10.1.' || n || '.7')::inet, ('10.' || n || '.0.0/16')::cidr, array[('10.1.' || n || '.7')::inet, null],
         '10.1.' || n || '.7', ('2a00:1450:4001:' || n || '::200e')::inet FROM generate_series(1, 200) AS n;
       INSERT INTO visits (id) VALUES (201)`,
      'public.visits: { one: ip, net: ip, many: ip, line: ip, six: ip }',
      `SELECT bool_and(one << '240.0.0.0/4') AS one, bool_and(masklen(net) = 16 AND net << '240.0.0.0/4') AS net, bool_and(many = array[one, null]) AS many,
         bool_and(line = host(one)) AS line, bool_and(six << '2001:db8::/32') AS six, count(DISTINCT six)::int AS sixes, count(*) FILTER (WHERE one IS NULL)::int AS nulls
       FROM visits`,
    )
    expect(row).toEqual({
      one: true,
      net: true,
      many: true,
      line: true,
      six: true,
      sixes: 200,
      nulls: 1,
    })
  })
})

describe('ip6', () => {
  it('keeps unique addresses different, and equal ones equal in every type', async () => {
    const [row] = await masked(
      `CREATE TABLE hosts (id int, address inet UNIQUE, written text UNIQUE);
       INSERT INTO hosts SELECT n, '10.0.0.0'::inet + n, host('10.0.0.0'::inet + n) FROM generate_series(1, 500) AS n`,
      'public.hosts: { address: ip6, written: ip6 }',
      `SELECT bool_and(address << '2001:db8::/32') AS reserved, count(DISTINCT address)::int AS addresses, bool_and(written = host(address)) AS same FROM hosts`,
    )
    expect(row).toEqual({ reserved: true, addresses: 500, same: true })
  })
})

describe('location', () => {
  it('returns another place, the same one for equal coordinates of every type', async () => {
    const [row] = await masked(
      `CREATE TABLE places (id int, lat numeric(9,6), lon double precision, at point, written text, e7 int);
       INSERT INTO places SELECT n, 52 + n / 1000.0, 13 + n / 1000.0, point(13 + n / 1000.0, 52 + n / 1000.0), (52 + n / 1000.0)::numeric(9,6)::text, (52 + n / 1000.0) * 10000000
         FROM generate_series(1, 200) AS n; INSERT INTO places (id) VALUES (201)`,
      'public.places: { lat: location, lon: location, at: location, written: location, e7: location }',
      `SELECT bool_and(abs(lat) <= 85 AND abs(lon) <= 85) AS valid, count(*) FILTER (WHERE lat BETWEEN 51 AND 53)::int < 20 AS moved, bool_and(at[0] = lon AND at[1] = lat::float8) AS point,
         bool_and(written::numeric = lat) AS text, bool_and(e7 = lat * 10000000) AS e7, count(DISTINCT lat)::int AS places, count(*) FILTER (WHERE lat IS NULL AND at IS NULL)::int AS nulls FROM places`,
    )
    expect(row).toEqual({
      valid: true,
      moved: true,
      point: true,
      text: true,
      e7: true,
      places: 200,
      nulls: 1,
    })
  })
})

describe('date', () => {
  it('moves all dates of a row into the past by the same number of days', async () => {
    const rows = await masked(
      `CREATE TABLE people (id int, born date, joined timestamptz, seen timestamp, kept date);
       INSERT INTO people SELECT n, '1984-05-12'::date + n, '2020-03-01 12:34:56+00'::timestamptz + n * interval '1 hour', '2021-03-01', '1984-05-12'::date + n
         FROM generate_series(1, 300) AS n; INSERT INTO people (id) VALUES (301)`,
      'public.people: { born: date, joined: date, seen: date }',
      `SELECT count(DISTINCT kept - born)::int > 100 AS many, min(kept - born)::int >= 1 AND max(kept - born)::int <= 365 AS range,
         bool_and(joined = '2020-03-01 12:34:56+00'::timestamptz + id * interval '1 hour' - (kept - born) * interval '24 hours') AS joined,
         bool_and(seen = '2021-03-01'::timestamp - (kept - born) * interval '24 hours') AS seen, count(born)::int AS filled FROM people`,
    )
    expect(rows).toEqual([{ many: true, range: true, joined: true, seen: true, filled: 300 }])
  })
})

describe('json', () => {
  it('masks each value by the most specific of its paths', async () => {
    const outputs = await makeDatabase(
      service,
      `CREATE TABLE events (id int, data jsonb, old json);
       INSERT INTO events SELECT n, jsonb_build_object('email', 'ada' || n || '@example.com', 'plan', 'enterprise edition', 'active', true, 'none', null,
         'address', jsonb_build_object('street', n || ' Example Street', 'country', 'Elbonia', 'lat', 52.52), 'empty', '{}'::jsonb,
         'people', jsonb_build_array(jsonb_build_object('phone', 4930123456 + n, 'email', 'bob' || n || '@example.com')), 'notes', jsonb_build_array('first note', 'second note')),
         '{"a": "Caf\\u00e9 no. 4711", "a": "\\u0000 Original", "b": 1}' FROM generate_series(1, 50) AS n;
       INSERT INTO events VALUES (51, '"Plain original"', null)`,
    )
    const { proof, samples } = await mask(
      outputs,
      `public.events:
  data: { json: { "*": keep, email: email, "**.email": email, address: text, address.lat: location, "*.country": keep, people.phone: phone, notes: null, none: { fixed: filled } } }
  old: { json: { "*": text } }`,
    )
    expect(proof.hits).toEqual([])
    expect(samples.map(({ column, taken }) => [column, taken > 40])).toEqual([
      ['public.events.data', true],
      ['public.events.old', false],
    ])
    const [first] = await run(outputs, 'SELECT data, old FROM events WHERE id = 1')
    expect(first?.data).toEqual({
      email: expect.stringMatching(/^[0-9a-f]{20}@masked\.invalid$/),
      plan: 'enterprise edition',
      active: true,
      none: 'filled',
      address: {
        street: expect.stringMatching(/^[0-9a-f]{16}$/),
        country: 'Elbonia',
        lat: expect.any(Number),
      },
      empty: {},
      people: [{ phone: expect.any(Number), email: expect.stringMatching(/@masked\.invalid$/) }],
      notes: [null, null],
    })
    expect(first?.data).not.toMatchObject({ people: [{ phone: 4930123457 }] })
    expect(await run(outputs, 'SELECT data FROM events WHERE id = 51')).toEqual([{ data: 'Plain original' }])
  })
})

describe('each rule', () => {
  it('changes short texts and letters beyond ASCII, and rows in which all other columns are null', async () => {
    const [row] = await masked(
      `CREATE TABLE people (short text, accent text, email text, state text);
       INSERT INTO people SELECT 'zz', 'ëß', null, 'old' FROM generate_series(1, 50)`,
      'public.people: { short: text, accent: digits, email: hash, state: { fixed: new } }',
      `SELECT bool_or(short ~ 'z') AS short, bool_or(accent ~ '[ëß]') AS accent, bool_and(state = 'new') AS state FROM people`,
    )
    expect(row).toEqual({ short: false, accent: false, state: true })
    const [empty] = await masked(
      "CREATE TABLE people (name text, state text); INSERT INTO people VALUES (null, 'old')",
      'public.people: { name: hash, state: { fixed: new } }',
      'SELECT name, state FROM people',
    )
    expect(empty).toEqual({ name: null, state: 'new' })
    const [none] = await masked(
      'CREATE TABLE people (name text, state text); INSERT INTO people VALUES (null, null)',
      'public.people: { name: hash, state: { fixed: new } }',
      'SELECT name, state FROM people',
    )
    expect(none).toEqual({ name: null, state: 'new' })
  })

  it('returns another value in another run, because it depends on the secret of the run', async () => {
    const ruled = ['hash', 'email', 'name', 'phone', 'digits', 'text', 'token', 'ip']
    const names = ruled.map(rule => `of_${rule}`)
    const sql = `CREATE TABLE one (${names.map(name => `${name} text`).join()});
      INSERT INTO one VALUES (${names.map(() => "'10.20.30.40, value of 4711471147'").join()})`
    const rules = `public.one: { ${ruled.map(rule => `of_${rule}: ${rule}`).join(', ')} }`
    const [first] = await masked(sql, rules, 'SELECT * FROM one')
    const [second] = await masked(sql, rules, 'SELECT * FROM one')
    for (const name of names) expect(first?.[name]).not.toBe(second?.[name])
  })

  it('treats texts that differ in letter case as equal if the type does', async () => {
    const rows = await masked(
      `CREATE EXTENSION citext; CREATE TABLE people (email citext PRIMARY KEY); CREATE TABLE orders (buyer citext REFERENCES people);
       INSERT INTO people VALUES ('Ada@Example.com'); INSERT INTO orders VALUES ('ada@example.COM')`,
      'public.people: { email: email }\npublic.orders: { buyer: email }',
      'SELECT FROM people JOIN orders ON buyer = email',
    )
    expect(rows).toHaveLength(1)
  })
})
