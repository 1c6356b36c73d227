/** Tests that all problems of a file of rules are reported together, before any change. */
import { describe, expect, it } from 'vitest'
import { checkMaskFile } from '#contents/masking/masking'
import { proposeFile } from '#contents/masking/propose/proposal'
import { type Outputs, runAsSuperuser, runSql } from '../../support/fork.ts'
import { createDatabase, mask, opener } from './support/database.ts'

const check = (outputs: Outputs, text: string) =>
  opener(outputs)(session => checkMaskFile(session, { name: 'masking.yml', path: 'masking.yml', text }))

/** The message of a failure, without the places. */
const problemsOf = async (act: Promise<unknown>) =>
  await act.then(
    () => [],
    error => (error as Error).message.replaceAll(/masking\.yml:\d+:\d+: /g, '').split('; '),
  )

const people = `
  CREATE TABLE people (tenant text, name text, CODE text CHECK (code <> 'no'), PRIMARY KEY (tenant, name));
  INSERT INTO people SELECT 'Tenant ' || n, 'Name ' || n, 'Code ' || n FROM generate_series(1, 3000) AS n;
  CREATE TABLE orders (id int, tenant text, name text, note text, FOREIGN KEY (tenant, name) REFERENCES people);
  INSERT INTO orders SELECT n, 'Tenant ' || n, 'Name ' || n, 'Note' FROM generate_series(1, 3000) AS n;`

describe('a dry run', () => {
  it('tries all rows and composite foreign keys, and changes nothing', async () => {
    const outputs = await createDatabase(people)
    const rules = `public.people: { tenant: hash, name: hash, code: { sql: "case code when 'Code 2999' then 'no' else 'yes' end" } }
public.orders: { tenant: hash, name: hash, note: text }`
    const before = await runSql(outputs, 'SELECT oid::int FROM pg_namespace ORDER BY 1')
    expect(await problemsOf(check(outputs, rules))).toEqual([
      'the rule for public.people.code fails: new row for relation "tried" violates check constraint "people_code_check" (SQLSTATE 23514)',
    ])
    expect(await check(outputs, rules.replace(/\{ sql: .* \} \}/, 'keep }'))).toEqual({
      ...{ columns: 5, tables: 2, untried: 0 },
    })
    expect(await runSql(outputs, 'SELECT oid::int FROM pg_namespace ORDER BY 1')).toEqual(before)
    expect(
      await runSql(outputs, "SELECT count(*)::int AS same FROM people WHERE name LIKE 'Name %'"),
    ).toEqual([{ same: 3000 }])
  })

  it('reports problems of the catalog, of rows and of keys in one message', async () => {
    const outputs = await createDatabase(`
       ${people} CREATE TABLE log (line text, number int); INSERT INTO log VALUES ('x');
       CREATE TABLE whole (tenant text, name text, FOREIGN KEY (tenant, name) REFERENCES people MATCH FULL)`)
    await runAsSuperuser(
      outputs,
      `SET session_replication_role = replica; INSERT INTO public.orders VALUES (1, 'Nobody', 'Nobody'), (2, 'Nobody', NULL)`,
    )
    const rules = `public.people: { tenant: hash, name: hash, code: keep }
public.orders: { tenant: hash, name: hash, note: text }
public.log: { line: { sql: missing() }, number: email }
public.whole: { tenant: hash, name: null }`
    for (const act of [check, mask])
      expect(await problemsOf(act(outputs, rules.replace(', number: email', '')))).toEqual([
        'public.orders.tenant, name refers to public.people (orders_tenant_name_fkey): 1 row has no match there',
        'the rule for public.log.line fails: function missing() does not exist (SQLSTATE 42883)',
        'public.whole.tenant, name refers to public.people (whole_tenant_name_fkey) with MATCH FULL: use null for all of its columns, or for none',
      ])
    expect(await problemsOf(mask(outputs, rules))).toContainEqual(
      expect.stringMatching(/^public\.log\.number is integer, and email is for texts: use /),
    )
    expect(await runSql(outputs, "SELECT FROM people WHERE name LIKE 'Name %'")).toHaveLength(3000)
  })

  it('proposes a rule for each column without one, and advises on a complete file only then', async () => {
    const outputs = await createDatabase(
      `CREATE TABLE people (email text, phone_number text, ip inet UNIQUE); INSERT INTO people VALUES ('ada@example.com')`,
    )
    const failure = (rules: string, act: typeof check | typeof mask = check) =>
      act(outputs, rules).then(
        () => undefined,
        error => error,
      )
    for (const act of [check, mask])
      expect(await failure('public.people: { email: email }', act)).toMatchObject({
        message:
          'public.people.phone_number (text) has no rule: phone is proposed (likely: named like a phone number); ' +
          'public.people.ip (inet) has no rule: ip6 is proposed (certain: IP addresses)',
        next: expect.stringContaining('without mask_file to print a complete file'),
      })
    expect(await failure('public.people: { email: email, phone_number: phone, ip: ip }')).toMatchObject({
      message: expect.stringContaining('must stay unique'),
      next: 'correct masking.yml',
    })
  })

  it('finds originals that would remain in kept columns and comments', async () => {
    const outputs = await createDatabase(`CREATE TABLE people (id int, name text, slug text, city text);
       INSERT INTO people SELECT n, 'Ada Lovelace ' || n, 'by-ada-lovelace-' || n || '-2026', 'London' FROM generate_series(1, 30) AS n;
       COMMENT ON TABLE people IS 'Ask Ada Lovelace 7'`)
    const rules = 'public.people:\n  name: text\n  slug: keep\n  city: keep'
    const before = await runSql(outputs, 'SELECT oid::int FROM pg_namespace ORDER BY 1')
    await expect(check(outputs, rules)).rejects.toMatchObject({
      message:
        'originals would remain in comment on table people: 1 original of public.people.name, in 1 value (change it in production, or use keep); ' +
        'masking.yml:3:3: originals would remain in public.people.slug: 30 originals of public.people.name, in 30 values',
      next: 'correct masking.yml, or the rows in production',
    })
    expect(await runSql(outputs, 'SELECT oid::int FROM pg_namespace ORDER BY 1')).toEqual(before)
    await runSql(outputs, 'COMMENT ON TABLE people IS NULL')
    expect(await check(outputs, rules.replace('slug: keep', 'slug: token'))).toMatchObject({ columns: 2 })
  })

  it('finds originals that a rule for JSON keeps, and none that it masks', async () => {
    const outputs = await createDatabase(`
       CREATE TABLE payments (token text, answer jsonb); INSERT INTO payments
         SELECT 'ch_' || md5(n::text), jsonb_build_object('id', 'ch_' || md5(n::text), 'owner', 'Ada Lovelace ' || n) FROM generate_series(1, 30) AS n`)
    const rules = 'public.payments: { token: token, answer: { json: { id: keep, "*": text } } }'
    await expect(check(outputs, rules)).rejects.toMatchObject({
      message: expect.stringContaining(
        'originals would remain in public.payments.answer: 30 originals of public.payments.token, in 30 values',
      ),
    })
    expect(await check(outputs, rules.replace('id: keep', 'id: token'))).toMatchObject({ columns: 2 })
  })

  it('compares the ends of a key by its own operator', async () => {
    const outputs = await createDatabase(`
       CREATE SCHEMA ext; CREATE EXTENSION citext SCHEMA ext; CREATE TABLE people (login ext.citext PRIMARY KEY);
       CREATE TABLE orders (login ext.citext REFERENCES people); INSERT INTO people VALUES ('Ada'); INSERT INTO orders VALUES ('ADA')`)
    const rules = 'public.people: { login: hash }\npublic.orders: { login: hash }'
    expect(await problemsOf(check(outputs, rules))).toEqual([])
  })

  it('names the tables that it could not try, because a policy binds the owner', async () => {
    const outputs = await createDatabase(`
       CREATE TABLE own (line text); ALTER TABLE own ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
       CREATE TABLE other (line text)`)
    expect(await check(outputs, 'public.own: { line: text }\npublic.other: { line: text }')).toEqual({
      ...{ columns: 2, tables: 2, untried: 1 },
    })
  })

  it('proposes and checks rules for a login that may only read, because the owner masks the copy', async () => {
    const outputs = await createDatabase(
      `${people} CREATE ROLE rules_reader LOGIN PASSWORD 'reader'; GRANT SELECT ON people, orders TO rules_reader`,
    )
    const session = opener(outputs, { user: 'rules_reader', password: 'reader' })
    const rules = await session(proposeFile)
    expect(rules).toContain('name: token # likely: a name in a table of persons')
    const file = { name: 'masking.yml', path: 'masking.yml', text: rules }
    expect(await session(session => checkMaskFile(session, file))).toEqual({
      ...{ columns: 4, tables: 2, untried: 2 },
    })
  })
})

it('masks rows that violate a NOT VALID constraint, and keeps the constraint', async () => {
  const outputs = await createDatabase(`
       CREATE TABLE parents (name text PRIMARY KEY); CREATE TABLE people (name text, age int) PARTITION BY HASH (name);
     CREATE TABLE people_0 PARTITION OF people FOR VALUES WITH (MODULUS 1, REMAINDER 0);
     CREATE TABLE plain (name text, age int); INSERT INTO people VALUES ('Original name', -1); INSERT INTO plain TABLE people;
     ALTER TABLE people ADD CONSTRAINT old CHECK (age > 0) NOT VALID; ALTER TABLE plain ADD CONSTRAINT old CHECK (age > 0) NOT VALID;
     ALTER TABLE plain ADD CONSTRAINT old_key FOREIGN KEY (name) REFERENCES parents NOT VALID`)
  const rules = 'public.people: { name: hash }\npublic.plain: { name: hash }\npublic.parents: { name: hash }'
  expect(await check(outputs, rules)).toMatchObject({ columns: 3 })
  expect((await mask(outputs, rules)).proof.hits).toEqual([])
  expect(
    await runSql(
      outputs,
      "SELECT conrelid::regclass::text AS of, convalidated FROM pg_constraint WHERE conname ~ '^old' ORDER BY 1, conname",
    ),
  ).toEqual([
    { of: 'people', convalidated: false },
    { of: 'people_0', convalidated: false },
    { of: 'plain', convalidated: false },
    { of: 'plain', convalidated: false },
  ])
})
