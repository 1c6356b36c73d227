/** Tests how rules match the tables of a database, and the message for each mismatch. */
import { beforeAll, describe, expect, it } from 'vitest'
import { planMasking } from '#contents/masking/check-mask-file'
import { findConflicts } from '#contents/masking/plan/conflicts'
import type { PlannedTable } from '#contents/masking/plan/plan'
import { type Outputs, runAsSuperuser } from '../../support/fork.ts'
import { createDatabase, opener, parse } from './support/database.ts'

let outputs: Outputs
beforeAll(async () => {
  outputs = await createDatabase(`
       CREATE DOMAIN amount AS numeric CHECK (value > 0); CREATE DOMAIN short AS varchar(10);
     CREATE TYPE mood AS ENUM ('good'); CREATE TYPE pair AS (one int, other text);
     CREATE TABLE kinds (a int, b numeric[], c amount, d mood, e int4range, f timestamptz, g uuid, h bool, i interval, j mood[], k oid);
     CREATE TABLE texts (a text, b varchar(5), c char(3), d name, e json, f jsonb, g bytea, h xml, i text[], j pair, k short, l pair[], m inet, n tsvector, o "char");
     CREATE TABLE people (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, email text NOT NULL UNIQUE, code varchar(10) UNIQUE, name text,
       whole text GENERATED ALWAYS AS (name || email) STORED, UNIQUE (id, name));
     CREATE TABLE orders (buyer text REFERENCES people (email), code varchar(10));
     CREATE TABLE days (day text, line text) PARTITION BY LIST (day); CREATE TABLE days_1 PARTITION OF days DEFAULT;
     CREATE SCHEMA tenant_1; CREATE TABLE tenant_1.people (name text); CREATE SCHEMA tenant_2; CREATE TABLE tenant_2.people (name text, more text);
     CREATE EXTENSION pg_stat_statements SCHEMA tenant_1;
     CREATE MATERIALIZED VIEW seen AS SELECT name FROM people`)
})

const complete: Record<string, string> = {
  'public.texts':
    '{ a: keep, b: keep, c: keep, d: keep, e: keep, f: keep, g: keep, h: keep, i: keep, j: keep, k: keep, l: keep, m: keep, n: keep, o: keep }',
  'public.people': '{ email: hash, code: keep, name: keep }',
  'public.orders': '{ buyer: hash, code: keep }',
  'public.days': '{ day: keep, line: keep }',
  'tenant_1.people': '{ name: keep }',
  'tenant_2.people': '{ name: keep, more: keep }',
}

const noTenants = { 'tenant_1.people': '', 'tenant_2.people': '' }

const rulesWith = (other: Record<string, string> = {}) =>
  Object.entries({ ...complete, ...other })
    .filter(([, rules]) => rules !== '')
    .map(([table, rules]) => `${table}: ${rules}\n`)
    .join('')

const checkIn = (database: Outputs, text: string, change = 'SELECT') =>
  opener(database)(async session => {
    await session.query(`BEGIN; ${change}`)
    return await planMasking(session, parse(text)).finally(() => session.query('ROLLBACK'))
  })

/** The problems of a file of rules, without their places, after a change that is rolled back. */
const problemsIn = (database: Outputs, text: string, change?: string): Promise<string> =>
  checkIn(database, text, change).then(
    () => 'no problem',
    error => (error as Error).message.replaceAll(/masking.yml:\d+:\d+: /g, ''),
  )

const check = (text: string) => checkIn(outputs, text)

const problemsOf = (other: Record<string, string>) => problemsIn(outputs, rulesWith(other))

describe('rules', () => {
  it('fit if they name every column that can contain text', async () => {
    const plan = await check(rulesWith())
    const kept = plan.tables.find(({ name }) => name === 'kinds')?.columns
    expect(kept?.every(({ holdsText, rule }) => !holdsText && rule === undefined)).toBe(true)
  })

  it('must name every column that can contain text', async () => {
    const types =
      'a text, b character varying(5), c character(3), d name, e json, f jsonb, g bytea, h xml, i text[], j pair, k short, l pair[], m inet, n tsvector, o "char"'
    expect(await problemsOf({ 'public.texts': '' })).toBe(
      types
        .split(', ')
        .map(text => text.replace(/^(\w) (.*)$/, 'public.texts.$1 ($2) has no rule'))
        .join('; '),
    )
  })

  it.each([
    [{ 'public.poeple': 'drop_rows' }, 'there is no table public.poeple (did you mean public.people?)'],
    [
      { 'public.orders': '{ buyer: hash, code: keep, cod: keep }' },
      'public.orders has no column cod (did you mean code?)',
    ],
    [
      { 'public.orders': '{ buyer: hash, code: keep, "code?": keep }' },
      'public.orders has no column code? (did you mean code?)',
    ],
    [{ 'public.seen': '{ name: keep }' }, 'public.seen is a materialized view, and takes no rules'],
    [
      { 'public.people': '{ email: null, code: keep, name: keep }', 'public.orders': 'drop_rows' },
      'public.people.email is NOT NULL: use another rule than null',
    ],
    [
      { 'public.people': '{ email: hash, code: keep, name: keep, id: { sql: id } }' },
      'public.people.id is GENERATED ALWAYS AS IDENTITY, so the database refuses another value: keep it',
    ],
    [
      { 'public.people': '{ email: hash, code: keep, name: keep, whole: text }' },
      'public.people.whole is computed from other columns: mask those',
    ],
    [
      { 'public.people': '{ email: hash, code: email, name: keep }' },
      'public.people.code has room for 10 characters, and email needs 35',
    ],
    [
      { 'public.people': '{ email: hash, code: hash, name: keep }' },
      'public.people.code must stay unique (people_code_key): use token or keep instead of hash',
    ],
    [
      { 'public.people': '{ email: hash, code: digits, name: keep }' },
      'public.people.code must stay unique (people_code_key): use token or keep instead of digits',
    ],
    // The primary key keeps the other one unique.
    [{ 'public.people': '{ email: hash, code: null, name: name }' }, 'no problem'],
    [
      { 'public.texts': complete['public.texts']?.replace('f: keep', 'f: hash') ?? '' },
      'public.texts.f is jsonb, and hash is for texts: use keep, null, shuffle, { fixed: … }, { json: … } or { sql: … }',
    ],
    [
      { 'public.texts': complete['public.texts']?.replace('k: keep', 'k: { fixed: longer than ten }') ?? '' },
      'public.texts.k has room for 10 characters, and the fixed text is longer',
    ],
    [
      { 'public.days': '{ day: text, line: text }' },
      'public.days.day decides in which partition or chunk a row is: keep it',
    ],
    [
      { 'public.orders': '{ buyer: email, code: keep }' },
      'public.orders.buyer refers to public.people (orders_buyer_fkey): both ends need the same rule, one of email, url, hash, keep, token, ip6, sql',
    ],
    [{ 'public.orders': '{ buyer: null, code: keep }' }, 'no problem'],
    [{ 'public.orders': 'drop_rows' }, 'no problem'],
    [
      { 'public.people': 'drop_rows' },
      'public.orders.buyer refers to public.people (orders_buyer_fkey), whose rows are dropped: use null or drop_rows for it too',
    ],
    [{ ...noTenants, 'tenant_*.people': '{ name: name, more: keep }' }, 'no problem'],
    [{ ...noTenants, 'tenant_*.people': '{ name: name }' }, 'tenant_2.people.more (text) has no rule'],
    [
      {
        'tenant_1.people': '',
        'tenant_2.people': '',
        'tenant_*.people': '{ name: name, mor: keep, more: keep }',
      },
      'tenant_*.people has no column mor (did you mean more?)',
    ],
  ])('%j: %s', async (other, problem) => {
    expect(await problemsOf(other)).toBe(problem)
  })

  it.each<[Partial<PlannedTable>, string[]]>([
    [{ newerThan: null }, []],
    [{ isHypertable: false }, ['is not a hypertable: newer_than drops chunks. Remove newer_than']],
    [
      { agePrefix: null },
      ['has an integer time column: newer_than needs its integer_now function (set_integer_now_func)'],
    ],
    [
      { agePrefix: 'public.clock() - ' },
      ['has an integer time column: set newer_than to a number in its unit, without days'],
    ],
    [{ newerThan: '90' }, ['needs a unit of time for newer_than, like 90 days']],
    [{ name: 'texts' }, []],
    [{ name: 'texts', newerThan: '9', agePrefix: 'public.clock() - ' }, []],
    [
      { name: 'texts', hasOwnerRights: false },
      ['belongs to tsdbadmin, whose rights this login does not have'],
    ],
    [{}, ['is referenced by orders (orders_buyer_fkey): newer_than would break this foreign key']],
  ])('find why old chunks cannot be dropped: %j', async (change, problems) => {
    const plan = await check(
      rulesWith({
        'public.people': '{ email: keep, code: keep, name: keep }',
        'public.orders': '{ buyer: keep, code: keep }',
      }),
    )
    const { name = 'people', ...facts } = change
    const tables = plan.tables.map(table =>
      table.name === name && table.schema === 'public'
        ? { ...table, isHypertable: true, agePrefix: 'interval ', newerThan: '90 days', ...facts }
        : table,
    )
    expect(findConflicts({ ...plan, tables }).map(({ message }) => message)).toEqual(
      problems.map(problem => `public.${name} ${problem}`),
    )
  })

  describe('of two tables', () => {
    let small: Outputs
    beforeAll(async () => {
      small = await createDatabase(
        'CREATE TABLE people (number int, email text UNIQUE, name text); CREATE TABLE orders (buyer text)',
      )
    })
    const rules = 'public.people: { email: email, name: name }\npublic.orders: { buyer: text }\n'
    const nothing = 'CREATE RULE nothing AS ON UPDATE TO people DO INSTEAD NOTHING'
    const object = "SELECT lo_from_bytea(0, 'x'), lo_from_bytea(0, 'y')"

    it.each([
      ['ALTER TABLE people DROP name', 'no problem'],
      ['ALTER TABLE people ADD nick text', 'no problem'],
      ['CREATE TABLE log (line jsonb)', 'no problem'],
      ['ALTER TABLE people RENAME name TO full_name', 'public.people.full_name (text) has no rule'],
    ])('may name missing tables and columns with a question mark: %s', async (change, problem) => {
      const optional =
        'public.people: { email: email, name?: name, nick?: text }\npublic.orders: { buyer: text }\npublic.log?: drop_rows\n'
      expect(await problemsIn(small, optional, change)).toBe(problem)
    })

    it.each([
      ['ALTER TABLE people ADD nick text', 'public.people.nick (text) has no rule'],
      ['ALTER TABLE people ADD age int', 'no problem'],
      [
        'ALTER TABLE people RENAME name TO full_name',
        'public.people has no column name (did you mean full_name?)',
      ],
      ['ALTER TABLE people RENAME TO peope', 'there is no table public.people (did you mean public.peope?)'],
      ['ALTER TABLE people DROP name', 'public.people has no column name: remove the rule'],
      ['ALTER TABLE people ALTER number TYPE text', 'public.people.number (text) has no rule'],
      ['CREATE TABLE log (line jsonb)', 'public.log.line (jsonb) has no rule'],
      [
        'ALTER TABLE people ADD UNIQUE (name)',
        'public.people.name must stay unique (people_name_key): use token or keep instead of name',
      ],
      [
        'ALTER TABLE orders ADD FOREIGN KEY (buyer) REFERENCES people (email)',
        'public.orders.buyer refers to public.people (orders_buyer_fkey): both ends need the same rule, one of email, url, hash, keep, token, ip6, sql',
      ],
      [object, 'pg_catalog.pg_largeobject.data (bytea) has no rule'],
      [nothing, 'public.people has a rewrite rule for updates: drop it from the parent, or use a trigger'],
    ])('are compared with a changed schema: %s', async (change, problem) => {
      expect(await problemsIn(small, rules, change)).toBe(problem)
    })

    it('may keep a table with a rewrite rule, and drop large objects', async () => {
      const kept = `${rules.replace('email: email, name: name', 'email: keep, name: keep')}pg_catalog.pg_largeobject: drop_rows`
      expect(await problemsIn(small, kept, `${nothing}; ${object}`)).toBe('no problem')
    })

    it('for an exact schema precede those for a wildcard, in any order', async () => {
      const change = [
        'CREATE SCHEMA tenant_1; CREATE SCHEMA tenant_2',
        'CREATE TABLE tenant_1.people (name text)',
      ]
      const more = [...change, 'CREATE TABLE tenant_2.people (name text)'].join('; ')
      const [one, all] = ['tenant_1.people: { name: hash }\n', 'tenant_*.people: { name: name }\n']
      for (const text of [one + all, all + one]) {
        const { tables } = await checkIn(small, rules + text, more)
        const people = tables
          .filter(({ schema }) => schema !== 'public')
          .filter(({ name }) => name === 'people')
        expect(people.map(({ columns }) => columns[0]?.rule?.kind)).toEqual(['hash', 'name'])
      }
    })

    it('are refused for a table of a role whose rights the login lacks', async () => {
      await runAsSuperuser(small, 'CREATE TABLE public.theirs (line text)')
      expect(await problemsIn(small, `${rules}public.theirs: { line: text }`)).toBe(
        'public.theirs belongs to postgres, whose rights this login does not have',
      )
    })
  })
})
