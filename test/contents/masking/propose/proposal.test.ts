/** Tests the proposed file of rules on an example application: complete, usable unchanged, and without values. */
import { describe, expect, it } from 'vitest'
import { findHeld } from '#contents/masking/propose/holders'
import type { Session } from '#postgres/session'
import { runSql } from '../../../support/fork.ts'
import { createDatabase, mask, opener, propose } from '../support/database.ts'
import { rows, schema } from './support/club.ts'

const proposeFor = async (sql: string) => propose(await createDatabase(sql))

it('proposes a complete file without values, and masks with it unchanged', async () => {
  const outputs = await createDatabase(`${schema}${rows}`)
  const text = await propose(outputs)
  expect(text).toMatchInlineSnapshot(`
    "# Proposed from names, definitions and counts of values. Check each line. Lines marked uncertain: 2.
    public.boards:
      description: keep # uncertain: maybe describes a term (text)
      slug: keep # likely: a technical term (character varying(12))
      name: keep # likely: the name of a thing (text)
      manufacturer: keep # likely: few values, each in several rows (text)
      settings: keep # likely: settings (jsonb)
      # kept without a rule: id
    public.members:
      signature_png: null # uncertain: a file or an unknown content (bytea)
      username: token # certain: named like the name of a person (character varying(24), unique)
      email: email # certain: values are e-mail addresses (contact, unique)
      full_name: name # certain: named like the name of a person (text)
      mobile: phone # likely: named like a phone number (text)
      born: date # likely: a date of birth (date)
      street: text # certain: a postal address (text)
      city: text # likely: a place (text)
      state: text # likely: part of an address (character varying(20))
      zip: digits # likely: a postal code (character varying(10))
      status: keep # certain: the schema lists its values (text)
      last_ip: ip # certain: IP addresses (inet)
      known_ips: ip # certain: IP addresses (inet[])
      home_lat: location # likely: coordinates (double precision)
      home_lon: location # likely: coordinates (double precision)
      backup_codes: token # certain: named like a secret (text[])
      password_hash: token # certain: named like a secret (text)
      avatar_url: url # likely: a link of a person (text)
      locale: keep # likely: a property that programs read (character varying(5))
      extra: { json: { "**.type": keep, "**.email": email, "*": text } } # likely: contains e-mail addresses (jsonb)
      remark: text # likely: written by people (text)
      search: null # certain: computed from texts (tsvector)
      # kept without a rule: id, skill
    public.bans:
      address: ip6 # certain: IP addresses (inet, unique)
      reason: text # likely: written by people (text)
    public.games:
      white: token # certain: shares values with members.username (character varying(24))
      black: token # certain: shares values with members.username (character varying(24))
      opening: keep # likely: few values, each in several rows (text)
      notation: keep # likely: few values, each in several rows (text)
      board_slug: keep # likely: shares values with boards.slug (character varying(12))
      checksum: keep # likely: a checksum (character(32))
      subject_type: keep # likely: a property that programs read (character varying)
      result: keep # likely: few values, each in several rows (character varying(7))
      # kept without a rule: id
    public.messages:
      title: text # likely: written by people (text)
      body: text # likely: written by people (text)
      kind: keep # certain: the schema lists its values (text)
      # kept without a rule: id, author_id
    public.payments:
      stripe_customer_id: token # likely: an account of another service (text)
      iban: token # likely: an official or bank number (character varying(34))
      provider: keep # likely: a property that programs read (text)
      payload: { json: { "**.type": keep, "**.email": email, "*": text } } # likely: sent by people or programs (jsonb)
      currency: keep # likely: a property that programs read (character(3))
      # kept without a rule: id, member_id
    public.schema_migrations:
      version: keep # certain: Rails needs it (character varying)
    public.sessions:
      key: token # likely: a key in a table of secrets (character varying(40))
      user_agent: text # likely: values are names of browsers (text)
      credential_id: token # likely: in a table of secrets (bytea, unique)
      # kept without a rule: id, member_id
    "
  `)
  expect(text).not.toMatch(/canary|example|rookmaster|acme/i)
  expect((await mask(outputs, text)).proof.hits).toEqual([])
  const tables = ['members', 'sessions', 'games', 'messages', 'payments', 'bans']
  const found = await runSql(
    outputs,
    tables
      .map(
        table =>
          `SELECT '${table}' AS name, count(*)::int FROM ${table} WHERE ${table}::text ~* 'canary|rookmaster|198[.]51[.]100[.]|203[.]0[.]113[.]'`,
      )
      .join(' UNION ALL '),
  )
  expect(found.filter(({ count }) => count !== 0)).toEqual([])
  expect(
    await runSql(
      outputs,
      'SELECT count(*)::int FROM games JOIN members ON username = black JOIN boards ON slug = board_slug',
    ),
  ).toEqual([{ count: 60 }])
}, 120_000)

it('decides by names and definitions if tables are empty', async () => {
  const text = await proposeFor(schema)
  expect(text).toContain('  home_lat: location # likely: coordinates (double precision)')
  expect(text).toContain('  status: keep # certain: the schema lists its values (text)')
})

it('ignores constraints on the length, which all new values meet, and comparisons with nothing', async () => {
  const text = await proposeFor(`
       CREATE TABLE users (first_name text CHECK (length(first_name) <= 140), last_name varchar,
       middle_name text CHECK (length(middle_name) <= 9), maiden_name text CHECK (length(maiden_name) <= 140 AND maiden_name ~ '^[A-Z]'), address jsonb);
     CREATE INDEX ON users (address) WHERE address <> '{}'; ALTER TABLE users ADD CHECK (char_length(last_name) <= 255) NOT VALID`)
  expect(text).toContain('  first_name: name #')
  expect(text).toContain('  last_name: name #')
  expect(text).toContain('  middle_name: token #')
  expect(text).toContain('  maiden_name: token #')
  // A comparison with an empty object lists no values.
  expect(text).toContain('# likely: describes people (jsonb)')
})

it('takes a row as personal because of its owner, and not because of its creator', async () => {
  const text = await proposeFor(`
       CREATE TABLE users (id int PRIMARY KEY); CREATE TABLE halls (hall_title text, changed_by int REFERENCES users, created_by int);
     CREATE TABLE lockers (locker_title text, keeper int REFERENCES users);
     CREATE TABLE accounts (id int PRIMARY KEY, domain text); CREATE TABLE rules (rule_title text, account_id int REFERENCES accounts);
     CREATE TABLE wishes (id int, author_id int REFERENCES users); CREATE TABLE wish_translations (wish_id int, body text);
     CREATE TABLE phase_translations (phase_id int, summary text); CREATE TABLE groups (full_name text, contact_email text);
     CREATE TABLE scans (page bytea UNIQUE); CREATE TABLE members (id text); CREATE TABLE flags (created_by text)`)
  // The accounts of an application with users are its customers.
  expect(text).toContain('rule_title: keep')
  expect(text).toContain('hall_title: keep')
  expect(text).toContain('locker_title: text # likely: written by people')
  // Translations belong to the person who wrote the original.
  expect(text).toContain('body: text')
  expect(text).toContain('summary: keep')
  expect(text).toContain('full_name: keep')
  expect(text).toContain('contact_email: email')
  // The ids of users are numbers, those of other persons are not.
  expect(text).toContain('created_by: name')
  // A unique column gets neither NULL nor a fixed value.
  expect(text).toContain('page: token')
})

it('finds e-mail addresses within URLs and their queries', async () => {
  const text = await proposeFor(`
       CREATE TABLE visits (url_query text, url_path text, slug text, login_name text); INSERT INTO visits
       SELECT 'page=' || n, '/orders/' || n, 'a-' || n, 'ada' || n || CASE WHEN n % 3 = 0 THEN '@example.com' ELSE '' END FROM generate_series(1, 60) AS n;
     UPDATE visits SET url_query = 'email=ada.zwettl%40example.com&page=1', url_path = '/users/ada@example.co.uk' WHERE slug = 'a-7'; ANALYZE`)
  expect(text).toMatch(/ {2}url_query: keep # uncertain: .*, but a value has an e-mail address/)
  expect(text).toMatch(/ {2}url_path: keep # uncertain: .*, but a value has an e-mail address/)
  expect(text).toMatch(/ {2}slug: keep # likely/)
  // A third of the values are e-mail addresses.
  expect(text).toMatch(/ {2}login_name: name # certain: named like/)
})

it('finds references and copies without a foreign key by their values', async () => {
  const text = await proposeFor(`
       CREATE TABLE people (code text PRIMARY KEY, login_name text); CREATE TABLE log (entry text, created_by text);
     CREATE TABLE patients (full_name text, path text); INSERT INTO patients SELECT 'Ada Zwettl ' || n, 'ada-zwettl-' || n FROM generate_series(1, 60) AS n;
     INSERT INTO people SELECT 'code-' || n, 'rookmaster' || n FROM generate_series(1, 60) AS n;
     INSERT INTO log SELECT login_name, code FROM people;
     CREATE TABLE payers (code text PRIMARY KEY, iban text); CREATE TABLE fees (payer text REFERENCES payers);
     CREATE TABLE grades (code text PRIMARY KEY, note text); CREATE TABLE exams (grade text REFERENCES grades, note text);
     INSERT INTO grades SELECT n::text, 'Remark number ' || n FROM generate_series(1, 60) AS n;
     INSERT INTO exams SELECT code, note FROM grades LIMIT 4; ANALYZE`)
  expect(text).toContain('  entry: name # uncertain: shares values with people.login_name')
  expect(text).toContain('  created_by: keep # likely: values of people.code')
  // A table with numbers of persons lists no terms, although another one refers to it by a code.
  expect(text).toContain('  iban: digits')
  // A few equal values under the same name suffice.
  expect(text).toContain('  note: text # uncertain: shares values with exams.note')
  // The search for originals compares words, so it finds a name in a slug.
  expect(text).toContain('  path: name # uncertain: shares values with patients.full_name')
})

it('keeps references to ids and the names of other tables, and takes a record as personal because of its creator', async () => {
  const text = await proposeFor(`
       CREATE TABLE users (id int PRIMARY KEY); CREATE TABLE sessions (id text PRIMARY KEY); CREATE TABLE devices (id text, code text, device_id text);
     CREATE TABLE readings (device_id text, device_title text, login_session text REFERENCES sessions);
     CREATE TABLE messages (topic_title text, created_by int REFERENCES users)`)
  expect(text).toContain('device_id: keep # likely: refers to another table')
  expect(text).toContain('device_id: token # likely: an account of another service')
  expect(text).toContain('device_title: keep # uncertain: maybe the name of a thing')
  expect(text).toContain('login_session: keep # certain: refers to another row')
  expect(text).toContain('topic_title: text # likely: written by people')
})

it('removes the beginning that columns share with their table', async () => {
  const text = await proposeFor(
    'CREATE TABLE sgd_dir_letters (sgd_dir_mail text, sgd_dir_nombre text, sgd_dir_weight text, sgd_dir_x text, a text, b text, c text, d text, e text)',
  )
  expect(text).toContain('sgd_dir_nombre: name')
})

it('keeps the codes and descriptions of a table that lists values, and masks those of other tables', async () => {
  const text = await proposeFor(`
       CREATE TABLE outcomes (value text PRIMARY KEY, description text); CREATE TABLE orders (email text, outcome_text text REFERENCES outcomes);
     CREATE TABLE letters (value text PRIMARY KEY, description text, sender_name text, sent_to text, body text)`)
  expect(text).toContain('outcome_text: keep # certain: refers to another row')
  expect(text).toContain('description: keep # uncertain: a text of the application')
})

it('masks the id of a user of another service, and decides a key by the column to which it refers', async () => {
  const text = await proposeFor(`
       CREATE TABLE customers (id int PRIMARY KEY, email text); CREATE TABLE visits (customer_id text, customer_uuid uuid);
     CREATE TABLE rooms (room_short text PRIMARY KEY, a int, b int, c int, d int); CREATE TABLE staff (email text, room_short text REFERENCES rooms)`)
  expect(text).toContain('customer_id: token # likely: an account of another service')
  expect(text).toContain('room_short: keep # uncertain: shares values with rooms.room_short')
})

it('keeps an id with the same name in several tables, even without foreign keys', async () => {
  const tables = ['etudiants', 'adresses', 'notes', 'absences']
  const create = (names: string[], unique: string) =>
    names
      .map(name => `CREATE TABLE ${name} (etudid text${name === unique ? ' UNIQUE' : ''}, remarque text);`)
      .join('')
  const all = await proposeFor(create(tables, 'etudiants'))
  const idsOf = (text: string) => text.match(/etudid: \w+/g) ?? []
  expect(idsOf(all)).toEqual(tables.map(() => 'etudid: keep'))
  const few = await proposeFor(create(tables.slice(0, 3), 'etudiants'))
  expect(idsOf(few)).toContain('etudid: token')
})

describe('the paths of JSON', () => {
  const id = (kind: string) => `substr(md5('${kind}' || n), 1, 16)`
  const columns = `
    CREATE TABLE users (id uuid PRIMARY KEY, email text UNIQUE, login varchar(40) UNIQUE, full_name text);
    CREATE TABLE rooms (id varchar(16) PRIMARY KEY); CREATE TABLE visits (id int PRIMARY KEY);
    CREATE TABLE bookings (id int PRIMARY KEY, payload jsonb, data text, settings jsonb, room_id varchar(16) REFERENCES rooms); CREATE TABLE callbacks (payload json); CREATE TABLE credentials (data text);`
  const values = `
    INSERT INTO users SELECT md5('user' || n)::uuid, 'canary' || n || '@example.com', 'rookmaster' || n, 'Ada Canary' || n FROM generate_series(1, 3000) AS n;
    INSERT INTO rooms SELECT ${id('room')} FROM generate_series(1, 60) AS n; INSERT INTO visits SELECT 10 + n FROM generate_series(1, 60) AS n;
    INSERT INTO bookings SELECT 500 + n, jsonb_build_object('type', 'booking', 'room', ${id('room')}, 'visit_id', 10 + n, 'size', 10 + n, 'guestIds', jsonb_build_array(md5('user' || n)::uuid),
        'items', jsonb_build_array(jsonb_build_object('id', 'item-' || md5(n::text), 'author', 'rookmaster' || n), jsonb_build_object('sender', 'canary' || n || '@example.com')),
        'email', 'canary' || n || '@example.com', 'note', 'Canary sings ' || n,
        'by', jsonb_build_object((array['slack', 'mail', 'sms'])[1 + n % 3], jsonb_build_object('room', ${id('room')}, 'text', 'Canary ' || n))),
      jsonb_build_object('roomId', ${id('room')}, 'person', 'Ada Canary' || n)::text, jsonb_build_object('mode', 'auto', 'smtp', jsonb_build_object('apiKey', md5('key' || n)), 'pair', '-----BEGIN PRIVATE KEY-----' || repeat(md5(n::text), 9), 'curator', 'rookmaster' || n, 'roomId', ${id('room')}), ${id('room')}
      FROM generate_series(1, 60) AS n; INSERT INTO bookings (id, data) VALUES (61, 'Canary is no JSON'); ANALYZE`
  const others = '"**.type": keep, "**.email": email, "*": text'

  it('get the rules of the columns that hold their values', async () => {
    const outputs = await createDatabase(`${columns}${values}`)
    const text = await propose(outputs)
    expect(text).not.toMatch(/canary|example|rookmaster/i)
    expect(text.match(/json: .*/g)).toEqual([
      `json: { "person": name, "roomId": keep, ${others} } } # uncertain: JSON in a text; values of users.full_name, rooms.id (text)`,
      `json: { "curator": token, "pair": token, "smtp.apiKey": token, "*": keep } } # uncertain: settings; values of users.login, secrets (jsonb)`,
      `json: { "by.*.room": keep, "guestIds": keep, "items.author": token, "items.sender": email, "room": keep, "visit_id": keep, ${others} } } # likely: contains e-mail addresses; values of rooms.id, users.id, users.login, users.email, visits.id (jsonb)`,
      // Nothing can be measured in an empty table.
      `json: { "**.id": keep, ${others} } } # likely: sent by people or programs (json)`,
    ])
    expect((await mask(outputs, text)).proof.hits).toEqual([])
    const joins = [
      ["payload ->> 'room'", 'rooms', 'id'],
      ["payload #>> '{guestIds,0}'", 'users', 'id::text'],
      ["payload #>> '{items,0,author}'", 'users', 'login'],
      ["settings ->> 'curator'", 'users', 'login'],
      ["CASE WHEN data LIKE '{%' THEN data::json ->> 'person' END", 'users', 'full_name'],
    ]
    const counts = joins.map(
      ([part, table, column]) =>
        `SELECT count(*)::int FROM bookings WHERE ${part} IN (SELECT ${column} FROM ${table})`,
    )
    expect(await runSql(outputs, counts.join(' UNION ALL '))).toEqual(joins.map(() => ({ count: 60 })))
  })

  it('contain no key that may be data, and keep no other values', async () => {
    const text = await proposeFor(`
       ${columns}${values}; CREATE TABLE orders (payload json); INSERT INTO orders SELECT json_build_object(
         'mixed', CASE WHEN n % 3 = 0 THEN 'Mister Canary' || n ELSE ${id('room')} END,
         'byPerson', json_build_object('canary' || n || '@example.com', json_build_object('room', ${id('room')})),
         'Ada Canary' || n, ${id('room')}, 'short', 'abc', 'theme', CASE WHEN n % 9 = 0 THEN 'rookmaster' || n ELSE 'theme ' || n END, 'id', 'evt_' || md5(n::text)) FROM generate_series(1, 60) AS n`)
    expect(text).not.toMatch(/canary|example\./i)
    expect(text).toContain(`payload: { json: { "byPerson.*.room": keep, ${others} } }`)
  })

  it('keep each key if another path of the same form has other values', async () => {
    const text = await proposeFor(`
       ${columns}${values}; CREATE TABLE orders (payload json); INSERT INTO orders SELECT json_build_object('roomId', ${id('room')}, 'place', ${id('room')},
         'target', ${id('room')}, 'slack', json_build_object('room', ${id('room')}), 'mail', json_build_object('room', ${id('room')}),
         'sms', json_build_object('room', ${id('room')}), 'post', json_build_object('room', 'Canary Street ' || n)) FROM generate_series(1, 60) AS n`)
    expect(text).toContain(
      `payload: { json: { "mail.room": keep, "place": keep, "roomId": keep, "slack.room": keep, "sms.room": keep, "target": keep, ${others} } }`,
    )
  })
})

describe('kept columns with originals', () => {
  const tables = `
    CREATE TABLE members (id int PRIMARY KEY, email text UNIQUE, full_name text);
    CREATE TABLE boards (slug text PRIMARY KEY, name text NOT NULL, kind text, settings jsonb, counts jsonb, icon bytea, homepage text);
    CREATE TABLE plays (board_slug text REFERENCES boards, status text); CREATE TABLE shelves (slug text PRIMARY KEY); CREATE TABLE books (slug text REFERENCES shelves);
    INSERT INTO members SELECT n, 'canary' || n || '@example.com', 'Ada Canary' || n FROM generate_series(1, 60) AS n;
    INSERT INTO boards SELECT 'board-' || n, CASE WHEN n < 31 THEN 'Board of Ada Canary' || n ELSE 'temple chess-' || n END, 'round ' || n % 3, jsonb_build_object('theme', 'for Ada Canary' || n),
        jsonb_build_object('Ada Canary' || n, n), convert_to('for Ada Canary' || n, 'UTF8'), 'https://boards.example.com/?by=canary' || n || '@example.com'
      FROM generate_series(1, 60) AS n;
    INSERT INTO plays SELECT slug, 'temple chess-' || n FROM boards, generate_series(31, 60) AS n WHERE slug = 'board-' || n;
    INSERT INTO shelves SELECT 'ada-canary' || n FROM generate_series(1, 60) AS n; INSERT INTO books TABLE shelves; ANALYZE`
  const without = (text: string) =>
    text.match(/^ {2}(?:name|kind|settings|counts|icon|homepage|status|slug): .*/gm)

  it('get rules, apart from keys', async () => {
    const outputs = await createDatabase(tables)
    const text = await propose(outputs)
    expect(text).not.toMatch(/canary/i)
    const others = '"**.type": keep, "**.email": email, "*": text'
    expect(without(text)).toEqual([
      '  name: text # uncertain: contains values of members.full_name (text)',
      `  settings: { json: { ${others} } } # uncertain: contains values of members.full_name (jsonb)`,
      // No rule changes keys.
      `  counts: { json: { "**.id": keep, ${others} } } # uncertain: its keys or kept parts contain values of members.full_name (jsonb)`,
      '  icon: null # uncertain: contains values of members.full_name (bytea)',
      '  homepage: url # uncertain: contains values of members.email (text)',
      '  slug: keep # likely: a technical term (text)',
      '  kind: keep # likely: a property that programs read (text)',
      // A key stays, because others refer to it.
      '  slug: keep # uncertain: contains values of members.full_name (text)',
      '  status: text # uncertain: contains values of boards.name (text)',
      '  slug: keep # uncertain: contains values of members.full_name (text)',
    ])
    const { hits } = (await mask(outputs, text)).proof
    expect(hits.map(({ place }) => place)).toEqual([
      'public.boards.counts',
      'public.books.slug',
      'public.shelves.slug',
    ])
  })

  it('stay if they are ids or have a checked form, and give parts of JSON their rules', async () => {
    const outputs = await createDatabase(
      `${tables}; CREATE TABLE cards (id text PRIMARY KEY); CREATE TABLE copies (card_id text REFERENCES cards, twin_uid text);
       CREATE TABLE codes (identifier text); CREATE TABLE callbacks (payload jsonb);
       INSERT INTO cards SELECT md5('card' || n) FROM generate_series(1, 60) AS n; INSERT INTO copies SELECT id, id FROM cards;
       INSERT INTO codes SELECT CASE WHEN n < 20 THEN md5('card' || n) ELSE 'canary' || n || '@example.com' END FROM generate_series(1, 60) AS n;
       INSERT INTO callbacks SELECT jsonb_build_object('title', name) FROM boards;
       CREATE TABLE clubs (id text PRIMARY KEY); CREATE TABLE teams (club_id text REFERENCES clubs); CREATE TABLE quotas (id text); CREATE TABLE matches (club_id text);
       INSERT INTO clubs SELECT 'harbor-club-' || n FROM generate_series(1, 26) AS n; INSERT INTO teams TABLE clubs; INSERT INTO matches TABLE clubs;
       INSERT INTO quotas SELECT 'canary' || n || '@example.com' FROM generate_series(1, 60) AS n UNION ALL TABLE clubs;
       CREATE TABLE scripts (path text CHECK (path ~ '^[uf]/')); INSERT INTO scripts SELECT 'u/Ada Canary' || n FROM generate_series(1, 60) AS n;
       CREATE TABLE flows (path text UNIQUE, rank int); CREATE TABLE runs (flow_path text, remark text); CREATE TABLE drafts (path text);
       INSERT INTO flows SELECT 'u/Ada Canary' || n || '/report', n FROM generate_series(1, 60) AS n; INSERT INTO runs SELECT path, 'Start ' || path FROM flows;
       INSERT INTO drafts SELECT 'u/Ada Canary' || n || '/draft' FROM generate_series(1, 60) AS n`,
    )
    const text = await propose(outputs)
    expect(text).toContain('  twin_uid: keep # uncertain: contains values of codes.identifier (text)')
    expect(text).toContain('  id: email # certain: values are e-mail addresses (text)')
    expect(text).toMatch(/public\.matches:\n {2}club_id: keep # uncertain: contains values of quotas.id/)
    expect(text).toContain('  path: keep # uncertain: contains values of members.full_name (text)')
    expect(text).toContain('  payload: { json: { "**.type": keep, "**.email": email, "*": text } }')
    // Another table finds its rows by the path, but nothing refers to a draft.
    expect(text).toMatch(/public\.flows:\n {2}path: keep # uncertain: contains values of members.full_name/)
    expect(text).toContain('  flow_path: keep # uncertain: contains values of members.full_name')
    expect(text).toMatch(/public\.drafts:\n {2}path: text # uncertain: contains values of members.full_name/)
  })

  it('stay if they are unique, and only documents have their values', async () => {
    const text = await proposeFor(
      `${tables}; CREATE TABLE topics (name text UNIQUE); INSERT INTO topics SELECT 'wooden-clock-' || n FROM generate_series(1, 60) AS n;
       CREATE TABLE callbacks (payload jsonb); INSERT INTO callbacks SELECT jsonb_build_object('subject', CASE WHEN n % 2 = 0 THEN 'Canary sings ' ELSE 'wooden-clock-' END || n) FROM generate_series(1, 60) AS n; ANALYZE`,
    )
    expect(text).toContain('  name: keep # uncertain: contains values of callbacks.payload (text)')
  })

  it('stay without the rights for a trial', async () => {
    const outputs = await createDatabase(tables)
    await runSql(outputs, `REVOKE CREATE ON DATABASE ${outputs.database} FROM ${outputs.user}`)
    expect(without(await propose(outputs))).toContain('  name: keep # likely: the name of a thing (text)')
  })
})

describe('the columns of actors', () => {
  const linesOf = (text: string) => text.match(/^ {2}(?:\w+_by\w*|owner|author): .*/gm)

  it('follow the persons whose values they have', async () => {
    const text = await proposeFor(`
       CREATE TABLE users (id text PRIMARY KEY, email text UNIQUE, login varchar(40) UNIQUE, full_name text, approved_by text); CREATE TABLE robots (code text UNIQUE);
       CREATE TABLE ads (owner text); CREATE TABLE bills (created_by text, approved_by text, edited_by text); CREATE TABLE fees (author text);
       CREATE TABLE gains (updated_by text, author text); CREATE TABLE meals (created_by jsonb, created_by_flow text); CREATE TABLE taxes (last_modified_by_user text);
       CREATE TABLE tolls (updated_by text); CREATE TABLE wages (created_by varchar(90)); CREATE TABLE yields (updated_by varchar(40) REFERENCES users (login));
       INSERT INTO users SELECT 'person-' || n, 'canary' || n || '@example.com', 'rook' || n, 'Ada Canary' || n, 'approver-' || n FROM generate_series(1, 3000) AS n;
       INSERT INTO robots SELECT 'robot-' || n FROM generate_series(1, 60) AS n; INSERT INTO ads SELECT login FROM users LIMIT 60;
       INSERT INTO bills SELECT id, 'Mister Robin ' || substr(id, 8), 'robot-' || substr(id, 8) FROM users LIMIT 60; INSERT INTO fees SELECT email FROM users LIMIT 60;
       INSERT INTO taxes SELECT (array['rook1', 'rook2', 'system'])[1 + n % 3] FROM generate_series(1, 60) AS n;
       INSERT INTO tolls SELECT (array['person-1', 'person-2', 'system'])[1 + n % 3] FROM generate_series(1, 60) AS n; ANALYZE`)
    expect(linesOf(text)).toEqual([
      '  edited_by: keep # uncertain: maybe the id of a user (text)',
      '  created_by: keep # likely: values of users.id (text)',
      '  approved_by: name # likely: named like the name of a person (text)',
      '  created_by: keep # uncertain: an unknown content (jsonb)',
      '  created_by_flow: keep # likely: a property that programs read (text)',
      '  owner: token # likely: values of users.login (text)',
      '  author: email # likely: values of users.email (text)',
      '  updated_by: keep # likely: as bills.created_by (text)',
      '  author: name # likely: named like the name of a person (text)',
      '  last_modified_by_user: token # likely: values of users.login (text)',
      '  updated_by: keep # likely: values of users.id (text)',
      '  approved_by: name # likely: as bills.approved_by (text)',
      '  created_by: keep # likely: as bills.created_by (character varying(90))',
      '  updated_by: token # certain: shares values with users.login (character varying(40))',
    ])
  })

  it('are asked for once if no table has rows', async () => {
    const text = await proposeFor(`
       CREATE TABLE users (id text PRIMARY KEY, email text UNIQUE); CREATE TABLE bills (created_by text, updated_by text, amount int);
       CREATE TABLE dues (created_by varchar(90)); CREATE TABLE fees (last_modified_by_user text)`)
    expect(linesOf(text)).toEqual([
      '  created_by: keep # uncertain: maybe the id of a user (text)',
      '  updated_by: keep # likely: as bills.created_by (text)',
      '  created_by: keep # likely: as bills.created_by (character varying(90))',
      '  last_modified_by_user: keep # likely: as bills.created_by (text)',
    ])
  })
})

it('reads no values when the time is up, and restores the limit of the session', async () => {
  const outputs = await createDatabase('CREATE TABLE one (id int)')
  const search = (session: Session, start: string, seconds: number) =>
    findHeld(
      { session, salt: '', start },
      `found(path, value) as (select 'key', 'Ada' from pg_sleep(${seconds}))`,
      { keys: [], byHash: new Map() },
      { masked: 0, kept: 0, characters: 0 },
    )
  const found = await opener(outputs)(async session => {
    const [late, early] = [await search(session, '2026-01-01', 10), await search(session, 'now', 0)]
    return { late, early, limit: (await session.query('SHOW statement_timeout')).rows }
  })
  expect(found).toEqual({
    late: [],
    early: [{ path: 'key', holder: undefined, hasSecret: false }],
    limit: [{ statement_timeout: '0' }],
  })
})
