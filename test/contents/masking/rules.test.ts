/** Tests the rules that keep the format of a value: tokens, addresses, places, dates, parts of JSON. */
import { beforeAll, expect, it } from 'vitest'
import type { MaskingReport } from '#contents/masking/report'
import { type Outputs, runSql } from '../../support/fork.ts'
import { createDatabase, mask } from './support/database.ts'

interface Case {
  title: string
  sql: string
  /** The rules by table. */
  rules: Record<string, string>
  query: string
  /** The only row of the query. */
  row: object
}

/** Each has its own schema. They share a database, so that masking and the search run once. */
const cases: Case[] = [
  {
    title: 'token keeps length and alphabet, and keeps even short tokens different',
    sql: `CREATE TABLE keys (id int PRIMARY KEY, pin text UNIQUE, hex text UNIQUE, api text, totp text, raw bytea UNIQUE, long text);
      INSERT INTO keys SELECT n, lpad(n::text, 3, '0'), md5(n::text), 'sk_live_' || encode(sha256(n::text::bytea), 'base64'),
        translate(upper(md5(n::text)), '0189', 'GHIJ'), sha256(n::text::bytea), repeat(md5(n::text), 5) FROM generate_series(0, 999) AS n;
      -- Only short tokens can collide, and each long one costs a millisecond.
      UPDATE keys SET hex = NULL, api = NULL, totp = NULL, raw = NULL, long = NULL WHERE id >= 100;
      CREATE UNIQUE INDEX ON keys (api);
      CREATE TABLE uses (hex varchar(40) REFERENCES keys (hex)); INSERT INTO uses SELECT hex FROM keys WHERE hex IS NOT NULL;
      CREATE TABLE before AS SELECT id, md5(hex) AS hex, md5(raw) AS raw FROM keys`,
    rules: {
      keys: '{ pin: token, hex: token, api: token, totp: token, raw: token, long: token }',
      uses: '{ hex: token }',
      before: '{ hex: keep, raw: keep }',
    },
    query: `SELECT count(DISTINCT pin)::int AS pins, bool_and(pin ~ '^[0-9]{3}$') AS pin, bool_and(keys.hex ~ '^[0-9a-f]{32}$') AS hex,
        bool_and(api ~ '^[a-z]{2}_[a-z]{4}_[A-Za-z0-9+/]{43}=$') AS api, bool_and(totp ~ '^[A-Z2-7]{32}$') AS totp, bool_and(length(keys.raw) = 32) AS raw,
        bool_or(md5(keys.hex) = before.hex OR md5(keys.raw) = before.raw) AS same, count(uses.hex)::int AS joined,
        bool_and(length(long) = 160 AND long ~ '^[0-9a-f]+$') AS long, count(*) FILTER (WHERE left(long, 32) = substr(long, 65, 32))::int AS repeated
      FROM keys JOIN before USING (id) LEFT JOIN uses ON uses.hex = keys.hex`,
    row: {
      ...{ pins: 1000, pin: true, hex: true, api: true, totp: true, raw: true },
      ...{ same: false, joined: 100, long: true, repeated: 0 },
    },
  },
  {
    title: 'ip returns addresses that no host has, equal ones for equal input of every type',
    sql: `CREATE TABLE visits (id int, one inet, net cidr, many inet[], line text, six inet);
      INSERT INTO visits SELECT n, ('10.1.' || n || '.7')::inet, ('10.' || n || '.0.0/16')::cidr, array[('10.1.' || n || '.7')::inet, null],
        '10.1.' || n || '.7', ('2a00:1450:4001:' || n || '::200e')::inet FROM generate_series(1, 200) AS n;
      INSERT INTO visits (id) VALUES (201)`,
    rules: { visits: '{ one: ip, net: ip, many: ip, line: ip, six: ip }' },
    query: `SELECT bool_and(one << '240.0.0.0/4') AS one, bool_and(masklen(net) = 16 AND net << '240.0.0.0/4') AS net, bool_and(many = array[one, null]) AS many,
        bool_and(line = host(one)) AS line, bool_and(six << '2001:db8::/32') AS six, count(DISTINCT six)::int AS sixes, count(*) FILTER (WHERE one IS NULL)::int AS nulls
      FROM visits`,
    row: { one: true, net: true, many: true, line: true, six: true, sixes: 200, nulls: 1 },
  },
  {
    title: 'ip6 keeps unique addresses different, and equal ones equal in every type',
    sql: `CREATE TABLE hosts (id int, address inet UNIQUE, written text UNIQUE);
      INSERT INTO hosts SELECT n, '172.31.0.0'::inet + n, host('172.31.0.0'::inet + n) FROM generate_series(1, 500) AS n`,
    rules: { hosts: '{ address: ip6, written: ip6 }' },
    query: `SELECT bool_and(address << '2001:db8::/32') AS reserved, count(DISTINCT address)::int AS addresses, bool_and(written = host(address)) AS same FROM hosts`,
    row: { reserved: true, addresses: 500, same: true },
  },
  {
    title: 'location returns another place, the same one for equal coordinates of every type',
    sql: `CREATE TABLE places (id int, lat numeric(9,6), lon double precision, at point, written text, e7 int);
      INSERT INTO places SELECT n, 52 + n / 1000.0, 13 + n / 1000.0, point(13 + n / 1000.0, 52 + n / 1000.0), (52 + n / 1000.0)::numeric(9,6)::text, (52 + n / 1000.0) * 10000000
        FROM generate_series(1, 200) AS n; INSERT INTO places (id) VALUES (201)`,
    rules: { places: '{ lat: location, lon: location, at: location, written: location, e7: location }' },
    query: `SELECT bool_and(abs(lat) <= 85 AND abs(lon) <= 85) AS valid, count(*) FILTER (WHERE lat BETWEEN 51 AND 53)::int < 20 AS moved, bool_and(at[0] = lon AND at[1] = lat::float8) AS point,
        bool_and(written::numeric = lat) AS text, bool_and(e7 = lat * 10000000) AS e7, count(DISTINCT lat)::int AS places, count(*) FILTER (WHERE lat IS NULL AND at IS NULL)::int AS nulls FROM places`,
    row: { valid: true, moved: true, point: true, text: true, e7: true, places: 200, nulls: 1 },
  },
  {
    title: 'date moves all dates of a row into the past by the same number of days',
    sql: `CREATE TABLE people (id int, born date, joined timestamptz, seen timestamp, kept date);
      INSERT INTO people SELECT n, '1984-05-12'::date + n, '2020-03-01 12:34:56+00'::timestamptz + n * interval '1 hour', '2021-03-01', '1984-05-12'::date + n
        FROM generate_series(1, 300) AS n; INSERT INTO people (id) VALUES (301)`,
    rules: { people: '{ born: date, joined: date, seen: date }' },
    query: `SELECT count(DISTINCT kept - born)::int > 100 AS many, min(kept - born)::int >= 1 AND max(kept - born)::int <= 365 AS range,
        bool_and(joined = '2020-03-01 12:34:56+00'::timestamptz + id * interval '1 hour' - (kept - born) * interval '24 hours') AS joined,
        bool_and(seen = '2021-03-01'::timestamp - (kept - born) * interval '24 hours') AS seen, count(born)::int AS filled FROM people`,
    row: { many: true, range: true, joined: true, seen: true, filled: 300 },
  },
  {
    title: 'json masks each value by the most specific of its paths, also in texts',
    sql: `CREATE TABLE events (id int, data jsonb, old json, line text);
      INSERT INTO events SELECT n, jsonb_build_object('email', 'ada' || n || '@example.com', 'plan', 'enterprise edition', 'active', true, 'none', null,
        'address', jsonb_build_object('street', n || ' Example Street', 'country', 'Elbonia', 'lat', 52.52), 'empty', '{}'::jsonb,
        'people', jsonb_build_array(jsonb_build_object('phone', 4930123456 + n, 'email', 'bob' || n || '@example.com')), 'notes', jsonb_build_array('first note', 'second note')),
        '{"a": "Caf\\u00e9 no. 4711", "a": "\\u0000 Original", "b": 1}' FROM generate_series(1, 50) AS n;
      INSERT INTO events VALUES (51, '"Plain original"', null);
      UPDATE events SET line = '{"to": "line' || id || '@example.com", "kind": "late"}';
      UPDATE events SET line = 'no JSON, line 51' WHERE id = 51; INSERT INTO events VALUES (52, null, null, '')`,
    rules: {
      events: `
  data: { json: { "*": keep, email: email, "**.email": email, address: text, address.lat: location, "*.country": keep, people.phone: phone, notes: null, none: { fixed: filled } } }
  old: { json: { "*": text } }
  line: { json: { kind: keep, "*": email } }`,
    },
    query: `SELECT data, data #> '{people,0,phone}' <> '4930123457' AS "isOther",
      line::json AS line, (SELECT data FROM events WHERE id = 51) AS plain, (SELECT json_agg(line ORDER BY id) FROM events WHERE id > 50) AS lines FROM events WHERE id = 1`,
    row: {
      data: {
        email: expect.stringMatching(/^[0-9a-f]{20}@masked\.example$/),
        plan: 'enterprise edition',
        active: true,
        none: 'filled',
        address: {
          street: expect.stringMatching(/^[0-9a-f]{16}$/),
          country: 'Elbonia',
          lat: expect.any(Number),
        },
        empty: {},
        people: [{ phone: expect.any(Number), email: expect.stringMatching(/@masked\.example$/) }],
        notes: [null, null],
      },
      isOther: true,
      plain: 'Plain original',
      line: { to: expect.stringMatching(/@masked\.example$/), kind: 'late' },
      lines: [expect.stringMatching(/^[0-9a-f]{16}$/), ''],
    },
  },
  {
    title: 'json masks JSON in arrays of texts, and distinguishes the letter case of keys in citext',
    sql: `CREATE TABLE calls (id int, line public.citext, list text[]);
      INSERT INTO calls SELECT n, '{"Email": "Call' || n || '@example.com", "kind": "Late"}', array['{"to": "call' || n || '@example.com", "kind": "late"}', 'no JSON, call ' || n, null, '']
        FROM generate_series(1, 50) AS n`,
    rules: {
      calls: '{ line: { json: { Email: email, "*": keep } }, list: { json: { kind: keep, "*": email } } }',
    },
    query: `SELECT line::json AS line, list[1]::json AS first, list[2:4] AS others FROM calls WHERE id = 1`,
    row: {
      line: { Email: expect.stringMatching(/@masked\.example$/), kind: 'Late' },
      first: { to: expect.stringMatching(/@masked\.example$/), kind: 'late' },
      others: [expect.stringMatching(/^[0-9a-f]{15}$/), null, ''],
    },
  },
  {
    title: 'each masks texts whose collation supports no patterns',
    sql: `CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
      CREATE TABLE people (id int, name text COLLATE loose, key text COLLATE loose, ip text COLLATE loose, data text COLLATE loose, tags text[] COLLATE loose);
      INSERT INTO people SELECT n, 'Ada' || n, 'Key-' || n, '10.1.1.' || n, '{"to": "loose' || n || '@example.com\\u00e9"}', array['Tag of ' || n] FROM generate_series(1, 50) AS n`,
    rules: { people: '{ name: name, key: token, ip: ip, data: { json: { "*": email } }, tags: name }' },
    query: `SELECT bool_and(name COLLATE "C" ~ '^[A-Z][a-z]{5}$') AS name, bool_and(key COLLATE "C" ~ '^[A-Z][a-z]{2}-[0-9]+$') AS key, bool_and(ip COLLATE "C" ~ '^2[0-9.]+$') AS ip,
      bool_and(data::json ->> 'to' ~ '@masked') AS data, bool_and(tags[1] COLLATE "C" ~ '^[A-Z][a-z]{5} [A-Z][a-z]{5}$') AS tags FROM people`,
    row: { name: true, key: true, ip: true, data: true, tags: true },
  },
  {
    title: 'text, digits and hash change short texts and letters beyond ASCII',
    sql: `CREATE TABLE people (short text, accent text, email text, state text);
      INSERT INTO people SELECT 'zz', 'ëß', null, 'old' FROM generate_series(1, 50)`,
    rules: { people: '{ short: text, accent: digits, email: hash, state: { fixed: new } }' },
    query: `SELECT bool_or(short ~ 'z') AS short, bool_or(accent ~ '[ëß]') AS accent, bool_and(state = 'new') AS state FROM people`,
    row: { short: false, accent: false, state: true },
  },
  {
    title: 'fixed also fills rows in which all other columns are null',
    sql: "CREATE TABLE people (name text, state text); INSERT INTO people VALUES (null, 'old'), (null, null)",
    rules: { people: '{ name: hash, state: { fixed: new } }' },
    query: "SELECT count(*)::int FROM people WHERE name IS NULL AND state = 'new'",
    row: { count: 2 },
  },
  {
    title: 'each treats texts that differ in letter case as equal if the type does',
    sql: `CREATE TABLE people (email public.citext PRIMARY KEY); CREATE TABLE orders (buyer public.citext REFERENCES people);
      INSERT INTO people VALUES ('Ada@Example.com'); INSERT INTO orders VALUES ('ada@example.COM')`,
    rules: { people: '{ email: email }', orders: '{ buyer: email }' },
    query: 'SELECT count(*)::int FROM people JOIN orders ON buyer = email',
    row: { count: 1 },
  },
  {
    title: 'token keeps the scheme and the cost of a password hash, and changes its salt and digest',
    sql: `CREATE TABLE logins (id int PRIMARY KEY, start text, secret text, hash text);
      INSERT INTO logins SELECT row_number() OVER (), start, n, start || n || 'Qr8Gv0l.Zk3/nW5xT1bYcD' FROM generate_series(100, 119) AS n, unnest(array[
        '$2b$12$', '$2y$10$', '$argon2id$v=19$m=65536,t=3,p=4$', '$6$rounds=656000$', '$pbkdf2-sha256$29000$', 'pbkdf2_sha256$720000$', 'bcrypt_sha256$$2b$12$',
        'argon2$argon2id$v=19$m=102400,t=2,p=8$', 'scrypt:32768:8:1$', 'pbkdf2:sha256:1000000$', '{bcrypt}$2a$10$', '$wp$2y$10$', '$P$B', 'SCRAM-SHA-256$4096:']) AS start;
      CREATE TABLE secrets AS SELECT n, '$' || md5(n::text) || '$' AS value, '{' || md5(n::text) || '}' AS braces FROM generate_series(1, 20) AS n;
      CREATE TABLE spare AS SELECT n, md5(md5(n::text)) AS value FROM secrets`,
    rules: {
      logins: '{ start: keep, secret: keep, hash: token }',
      secrets: '{ value: token, braces: token }',
      spare: '{ value: keep }',
    },
    query: `SELECT count(*) FILTER (WHERE NOT starts_with(hash, start))::int AS other, count(DISTINCT hash)::int AS hashes,
        count(*) FILTER (WHERE substr(hash, length(start) + 1) = secret || 'Qr8Gv0l.Zk3/nW5xT1bYcD')::int AS same, bool_and(substr(hash, length(start) + 1) ~ '^[0-9]{3}[A-Z][a-z][0-9]') AS shape,
        (SELECT count(*)::int FROM secrets JOIN spare USING (n) WHERE md5(trim(secrets.value, '$')) = spare.value OR md5(trim(braces, '{}')) = spare.value) AS unmasked
      FROM logins`,
    row: { other: 0, hashes: 280, same: 0, shape: true, unmasked: 0 },
  },
]

let outputs: Outputs
let report: MaskingReport
beforeAll(async () => {
  const sql = cases.map((one, at) => `CREATE SCHEMA s${at}; SET search_path = s${at}; ${one.sql};`)
  outputs = await createDatabase(['CREATE EXTENSION citext SCHEMA public;', ...sql].join('\n'))
  const rules = cases.flatMap((one, at) =>
    Object.entries(one.rules).map(([table, rule]) => `s${at}.${table}: ${rule}`),
  )
  report = await mask(outputs, rules.join('\n'))
})

it.each(cases.map((one, at) => ({ ...one, at })))('$title', async ({ at, query, row }) => {
  expect(await runSql(outputs, `SET search_path = s${at}, public; ${query}`)).toEqual([row])
})

it('no rule leaves an original, and the samples of JSON contain its masked parts', () => {
  expect(report.proof.hits).toEqual([])
  const samples = Object.fromEntries(report.samples.map(({ column, taken }) => [column, taken]))
  expect(samples['s5.events.data']).toBeGreaterThan(40)
  expect(samples['s5.events.old']).toBeLessThan(41)
  expect(samples['s5.events.line']).toBe(51)
})
