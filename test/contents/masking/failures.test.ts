/** Tests failures of masking: refusals by the database, and plans that omit a place. */
import { describe, expect, it } from 'vitest'
import { planMasking } from '#contents/masking/check-mask-file'
import { maskRows } from '#contents/masking/mask/mask'
import { createWorkSchema, prepareSessions, runInParallel } from '#contents/masking/mask/work'
import { hashCatalog } from '#contents/masking/masking'
import type { Plan } from '#contents/masking/plan/plan'
import { proveMasking } from '#contents/masking/prove/prove'
import { takeSamples } from '#contents/masking/prove/sample'
import type { OpenSession } from '#postgres/session'
import { type Outputs, runAsSuperuser, runSql } from '../../support/fork.ts'
import { createDatabase, mask, opener, parse, reusing } from './support/database.ts'

const people = `CREATE TABLE people (id int PRIMARY KEY, name text CHECK (length(name) > 8), login text UNIQUE, born date CHECK (born > '1900-01-01'));
  INSERT INTO people SELECT n, 'Canary name ' || n, 'canary' || n, '1984-05-12' FROM generate_series(1, 20) AS n;
  CREATE FUNCTION raise_with(text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE check_violation USING MESSAGE = $1; END $$; `

const hidden = '(its message may hold values, and is not shown)'

/** The rules of a table, and the reason of each column whose rule fails. */
const refusals: [rules: string, failing: Record<string, string>][] = [
  [
    '{ name: { fixed: short }, login: keep }',
    { name: 'new row for relation "tried" violates check constraint "NAME_name_check" (SQLSTATE 23514)' },
  ],
  [
    '{ name: keep, login: { sql: "\'same\'" } }',
    { login: 'duplicate key value violates unique constraint "tried_login_key" (SQLSTATE 23505)' },
  ],
  ['{ name: keep, login: keep, born: { sql: "x" } }', { born: 'column "x" does not exist (SQLSTATE 42703)' }],
  ['{ name: { sql: "name::int::text" }, login: keep }', { name: `SQLSTATE 22P02 ${hidden}` }],
  ['{ name: { sql: "public.raise_with(name)" }, login: keep }', { name: `SQLSTATE 23514 ${hidden}` }],
  ['{ name: { sql: "current_setting(login)" }, login: keep }', { name: `SQLSTATE 42704 ${hidden}` }],
  [
    `{ name: { sql: "query_to_xml('select ' || login, true, true, '')::text" }, login: keep }`,
    { name: `SQLSTATE 42703 ${hidden}` },
  ],
  [
    '{ name: { sql: "to_regclass(login || \'.a.b\')::text" }, login: keep }',
    { name: `SQLSTATE 0A000 ${hidden}` },
  ],
  [
    '{ name: { sql: "missing()" }, login: { sql: "login ||" } }',
    {
      name: 'function missing() does not exist (SQLSTATE 42883)',
      login: 'syntax error at or near ")" (SQLSTATE 42601)',
    },
  ],
]

it('reports all refusals by the database together before any change, each with its place, without a value', async () => {
  const tables = refusals.map((_, index) => `people_${index}`)
  const copies = tables.map(name =>
    people.replaceAll('people', name).replace('FUNCTION', 'OR REPLACE FUNCTION'),
  )
  const outputs = await createDatabase(copies.join('\n'))
  const read = () => Promise.all(tables.map(name => runSql(outputs, `SELECT * FROM ${name} ORDER BY id`)))
  const before = await read()
  const rules = refusals.map(([rule], index) => `public.people_${index}: ${rule}\n`)
  const failure = await mask(outputs, rules.join('')).catch((error: Error) => error)
  if (!(failure instanceof Error)) return expect.fail('masked')
  const places = failure.message
    .split('; ')
    .map(problem => problem.replace(/^(masking\.yml:\d+):\d+: /, '$1: '))
  expect(places).toEqual(
    refusals.flatMap(([, failing], index) =>
      Object.entries(failing).map(
        ([column, reason]) =>
          `masking.yml:${index + 1}: the rule for public.people_${index}.${column} fails: ${reason.replace('NAME', `people_${index}`)}`,
      ),
    ),
  )
  expect(failure.cause).toBeUndefined()
  expect(await read()).toEqual(before)
})

/** Masks by an incomplete plan, and searches by the complete one. */
const maskBy = (outputs: Outputs, rules: string, miss: (plan: Plan) => Plan): Promise<string[]> =>
  reusing(opener(outputs), async opened => {
    const open = prepareSessions(opened)
    const plan = await open(session => planMasking(session, parse(rules)))
    await open(createWorkSchema)
    await takeSamples(open, plan, 2)
    await maskRows(open, miss(plan), { sessions: 2 })
    const { hits } = await proveMasking(open, plan, { sessions: 2 })
    return hits.map(({ place }) => place)
  })

describe('the search', () => {
  it('names the columns that it may not read completely, and does not count them as searched', async () => {
    const outputs = await createDatabase(people)
    await runAsSuperuser(
      outputs,
      `CREATE TABLE public.theirs (line text); INSERT INTO public.theirs VALUES ('Canary name 3'); ALTER TABLE public.theirs ENABLE ROW LEVEL SECURITY;
       CREATE POLICY hiding ON public.theirs USING (false); GRANT SELECT ON public.theirs TO tsdbadmin`,
    )
    const rules = 'public.people: { name: name, login: hash }\npublic.theirs: { line: keep }'
    const { searched, notSearched } = (await mask(outputs, rules)).proof
    expect(searched).not.toContain('public.theirs.line')
    expect(notSearched).toContainEqual(expect.stringMatching(/^public\.theirs\.line: .*SQLSTATE 42501/))
  })

  it('fails if a value is unreadable', async () => {
    const outputs = await createDatabase(`
       ${people} CREATE TYPE pair AS (one text); CREATE FUNCTION refuse(pair) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE division_by_zero; END $$;
       CREATE CAST (pair AS text) WITH FUNCTION refuse(pair); CREATE TABLE pairs (one pair); INSERT INTO pairs VALUES (ROW('x'))`)
    const rules = 'public.people: { name: name, login: hash }\npublic.pairs: { one: keep }'
    await expect(mask(outputs, rules)).rejects.toThrow('the search in public.pairs.one: SQLSTATE 22012')
  })

  it('finds few originals in few rows of a kept column, and more than a hundredth of the originals of a column', async () => {
    const copy = (name: string, originals: number, times: number) =>
      `CREATE TABLE ${name} (line text); INSERT INTO ${name} SELECT 'Canary name ' || n
         FROM generate_series(1, ${originals}) AS n, generate_series(1, ${times})`
    const outputs = await createDatabase(`
       CREATE TABLE people (name text); INSERT INTO people SELECT 'Canary name ' || n FROM generate_series(1, 1000) AS n;
       ${copy('few', 2, 5)}; ${copy('many', 20, 11)}`)
    const kept = 'public.few: { line: keep }\npublic.many: { line: keep }'
    expect((await mask(outputs, `public.people: { name: hash }\n${kept}`)).proof.hits).toMatchObject([
      { place: 'public.few.line', originals: 2, times: 10 },
      { place: 'public.many.line', originals: 20, times: 220 },
    ])
  })
})

it('fails as soon as one of several parallel tasks fails', async () => {
  const open: OpenSession = use =>
    use({ query: async () => ({ rows: [] }) } as unknown as Parameters<typeof use>[0])
  const act = async (_: unknown, task: number) => {
    if (task === 2) throw new Error('refused')
  }
  const work = runInParallel(open, 2, [1, 2, 3], act)
  await expect(work).rejects.toThrow('refused')
})

it('restricts the schema of masking to its owner, and changes the catalog hash with the type of a column', async () => {
  const outputs = await createDatabase(
    'ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO PUBLIC; CREATE TABLE one (name text)',
  )
  const open = opener(outputs)
  await open(createWorkSchema)
  expect(
    await runSql(
      outputs,
      "SELECT FROM pg_namespace, aclexplode(nspacl) AS granted WHERE nspname ~ '_masking$' AND grantee = 0",
    ),
  ).toEqual([])
  const hash = async () =>
    hashCatalog(await open(session => planMasking(session, parse('public.one: { name: text }'))))
  const before = await hash()
  expect(await hash()).toBe(before)
  await runSql(outputs, 'ALTER TABLE one ALTER name TYPE varchar(20)')
  expect(await hash()).not.toBe(before)
})

describe('masking that omits', () => {
  it('a trigger leaves originals in its audit table, and so does an expression that changes nothing', async () => {
    const outputs = await createDatabase(`
       ${people} CREATE TABLE audit (old jsonb); CREATE FUNCTION keep_old() RETURNS trigger LANGUAGE plpgsql
         AS $$ BEGIN INSERT INTO audit VALUES (to_jsonb(OLD)); RETURN NEW; END $$;
       CREATE TRIGGER audit AFTER UPDATE ON people FOR EACH ROW EXECUTE FUNCTION keep_old()`)
    const rules =
      'public.people: { name: { sql: "initcap(name)" }, login: hash }\npublic.audit: { old: keep }'
    const places = await maskBy(outputs, rules, plan => ({ ...plan, triggers: [] }))
    expect(places).toEqual(['public.audit.old', 'public.people.name'])
  })

  it('a table leaves its originals, which the search finds however often each occurs', async () => {
    const outputs = await createDatabase(
      `${people} CREATE TABLE copy (line text); INSERT INTO copy SELECT name FROM people, generate_series(1, 11) WHERE id < 3; ANALYZE`,
    )
    const rules = 'public.people: { name: name, login: hash }\npublic.copy: { line: text }'
    expect(await maskBy(outputs, rules, plan => ({ ...plan, tables: [] }))).toEqual([
      ...['public.copy.line', 'public.people.login', 'public.people.name'],
    ])
  })

  it('nothing removes the statistics and large objects of dropped rows', async () => {
    const outputs = await createDatabase(`${people} SELECT lo_from_bytea(0, 'Canary name 3'); ANALYZE`)
    expect(
      await maskBy(outputs, 'public.people: drop_rows\npg_catalog.pg_largeobject: drop_rows', plan => plan),
    ).toEqual([])
    expect(await runSql(outputs, 'SELECT FROM pg_largeobject_metadata')).toEqual([])
    expect(
      await runSql(
        outputs,
        "SELECT FROM pg_stats WHERE schemaname = 'public' AND coalesce(most_common_vals, histogram_bounds) IS NOT NULL",
      ),
    ).toEqual([])
  })
})
