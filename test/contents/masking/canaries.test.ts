/** Tests that the search finds an original in every place that can contain one, and reports no false hit. */
import { beforeAll, describe, expect, it } from 'vitest'
import { checkProven, listReport, type MaskingReport } from '#contents/masking/report'
import { type Outputs, runAsSuperuser, runSql } from '../../support/fork.ts'
import { createDatabase, mask } from './support/database.ts'

const canary = 'Zoë.Canary@example.com'

const people = `
  CREATE TABLE people (id int PRIMARY KEY, email text, full_name text);
  INSERT INTO people SELECT n, 'person' || n || '@example.com' FROM generate_series(1, 20) AS n;
  INSERT INTO people VALUES (21, '${canary}'); `

const rules = 'public.people: { email: email, full_name: name }\n'

/** Runs a statement that needs the name of the database. */
const inDatabase = (sql: string) => `DO $$ BEGIN EXECUTE format($f$${sql}$f$, current_database()); END $$`

const shared = 'comments of roles and databases'

/** A place with a copy: the statements, the names of the hits, and the rules that omit it. */
type Copy = [what: string, sql: string, places: string[], rule?: string]

/** A copy in the kept column of a table. */
const inColumn = (
  type: string,
  value: string,
  { before = '', after = '' } = {},
): [string, string[], string] => [
  `${before} CREATE TABLE copy (line ${type}); INSERT INTO copy VALUES (${value}); ${after}`,
  ['public.copy.line'],
  'public.copy: { line: keep }',
]
const escaped = canary.replace('ë', '\\u00eb')

const copies: Copy[] = [
  ['nested jsonb', ...inColumn('jsonb', `'{"a": [{"b": ["${canary}"]}]}'`)],
  ['json with escapes', ...inColumn('json', `'{"a": "x\\n${escaped}"}'`)],
  [
    'json with escapes that PostgreSQL cannot read',
    ...inColumn('json', `'["\\u0000\\u0000\\ud800 \\\\u0000 \\udc00 ${escaped}\\u0000 \\ud83d\\ude00"]'`),
  ],
  ['text[]', ...inColumn('text[][]', `array[['a', 'b'], ['c', '${canary}']]`)],
  ['the middle of a sentence', ...inColumn('text', `'Dear <${canary.toUpperCase()}>, thank you'`)],
  ['bytea', ...inColumn('bytea', `convert_to('to: ${canary};', 'UTF8') || '\\x00ff'`)],
  [
    'bytea, with a capital letter beyond ASCII',
    ...inColumn('bytea', "convert_to('by Éva Canary', 'UTF8')", {
      before: "INSERT INTO people VALUES (23, null, 'Éva Canary');",
    }),
  ],
  ['hstore', ...inColumn('hstore', `hstore('mail', '${canary}')`, { before: 'CREATE EXTENSION hstore;' })],
  [
    'a composite',
    ...inColumn('contact', `(1, '${canary}')`, { before: 'CREATE TYPE contact AS (id int, mail text);' }),
  ],
  ['xml', ...inColumn('xml', `'<a href="mailto:${canary}"/>'`)],
  [
    'the audit table of a trigger',
    `CREATE TABLE audit (old jsonb); CREATE FUNCTION keep_old() RETURNS trigger LANGUAGE plpgsql
       AS $$ BEGIN INSERT INTO audit VALUES (to_jsonb(OLD)); RETURN NEW; END $$;
     CREATE TRIGGER audit AFTER UPDATE ON people FOR EACH ROW EXECUTE FUNCTION keep_old(); UPDATE people SET id = id`,
    ['public.audit.old'],
    'public.audit: { old: keep }',
  ],
  [
    'a materialized view over kept values',
    ...inColumn('text', `'${canary}'`, {
      after: "CREATE MATERIALIZED VIEW copies AS SELECT 'x ' || line AS line FROM copy",
    }),
  ],
  [
    'a large object',
    `SELECT lo_from_bytea(4711, convert_to(repeat('.', 500000 - 10) || ' ${canary} ', 'UTF8'))`,
    ['large object 4711'],
    'pg_catalog.pg_largeobject: { data: keep }',
  ],
  [
    'a generated column',
    `CREATE TABLE copy (line text, made text GENERATED ALWAYS AS ('mail:' || line) STORED); INSERT INTO copy VALUES ('${canary}')`,
    ['public.copy.line', 'public.copy.made'],
    'public.copy: { line: keep }',
  ],
  [
    'a partition',
    `CREATE TABLE copy (day date, line text) PARTITION BY RANGE (day); CREATE TABLE copy_1 PARTITION OF copy DEFAULT; INSERT INTO copy VALUES ('2026-01-01', '${canary}')`,
    ['public.copy.line'],
    'public.copy: { line: keep }',
  ],
  [
    'a table that inherits',
    `CREATE TABLE whole (line text); CREATE TABLE part (more text) INHERITS (whole); INSERT INTO part VALUES ('${canary}', '${canary}')`,
    ['public.part.more'],
    'public.whole: { line: text }\npublic.part: { more: keep }',
  ],
  [
    'another schema',
    `CREATE SCHEMA "Other.one"; CREATE TABLE "Other.one"."A ""copy""" ("The line" varchar(50)); INSERT INTO "Other.one"."A ""copy""" VALUES ('${canary}')`,
    ['"Other.one"."A ""copy""".The line'],
    `'"Other.one"."A ""copy"""': { The line: keep }`,
  ],
  [
    'rows that a policy hides from the owner too',
    ...inColumn('text', `'${canary}'`, {
      after: 'ALTER TABLE copy ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY',
    }),
  ],
  [
    'a tsvector, whose words stand by the alphabet',
    ...inColumn('tsvector', "to_tsvector('simple', 'by Zoë Anne Canary')", {
      before: "INSERT INTO people VALUES (22, null, 'Zoë Anne Canary');",
    }),
  ],
  ['a comment', `COMMENT ON TABLE people IS 'ask ${canary}'`, ['comment on table people']],
  [
    'a comment on a column',
    `COMMENT ON COLUMN people.id IS 'not that of ${canary}'`,
    ['comment on column id of table people'],
  ],
  [
    'the definition of a materialized view',
    `CREATE MATERIALIZED VIEW mail AS SELECT '${canary}'::text AS line`,
    ['view public.mail'],
  ],
  ['a comment on the database', inDatabase(`COMMENT ON DATABASE %I IS 'ask ${canary}'`), [shared]],
  [
    'a setting of a role',
    `ALTER ROLE CURRENT_USER SET application_name = 'ask ${canary}'`,
    ['settings of roles and databases'],
  ],
  ['a view', `CREATE VIEW few AS SELECT id FROM people WHERE email <> '${canary}'`, ['view public.few']],
  [
    'a default',
    `CREATE TABLE copy (line text DEFAULT 'it''s ${canary}')`,
    ['default of public.copy'],
    'public.copy: { line: keep }',
  ],
  [
    'the value of older rows in a new column',
    `CREATE TABLE copy (n int); INSERT INTO copy VALUES (1); ALTER TABLE copy ADD line text DEFAULT '${canary}';
     ALTER TABLE copy ALTER line DROP DEFAULT; DELETE FROM copy`,
    ['default of public.copy'],
    'public.copy: { line: keep }',
  ],
  [
    'the filter of a publication',
    `CREATE TABLE copy (line text PRIMARY KEY); CREATE PUBLICATION few FOR TABLE copy WHERE (line <> '${canary}')`,
    ['publication of public.copy'],
    'public.copy: { line: keep }',
  ],
  [
    'a constraint',
    `CREATE TABLE copy ("o'line" text CONSTRAINT "o'ne" CHECK ("o'line" <> '${canary}'))`,
    ["constraint o'ne"],
    `public.copy: { "o'line": keep }`,
  ],
  [
    'an index',
    `CREATE TABLE copy (n int); CREATE INDEX one_of ON copy (n) WHERE n::text <> '${canary}'`,
    ['index public.one_of'],
  ],
  [
    'the bounds of a partition',
    `CREATE TABLE copy (line text) PARTITION BY LIST (line); CREATE TABLE part_1 PARTITION OF copy FOR VALUES IN ('${canary}')`,
    ['partition public.part_1'],
    'public.copy: { line: keep }',
  ],
  [
    'a policy',
    `CREATE TABLE copy (n int); CREATE POLICY reading ON copy USING (current_user <> '${canary}');
     CREATE POLICY writing ON copy FOR INSERT WITH CHECK (current_user <> '${canary}')`,
    ['policy reading', 'policy writing'],
  ],
  [
    'a rule',
    `CREATE TABLE copy (n int); CREATE RULE reads AS ON DELETE TO copy DO ALSO SELECT '${canary}'`,
    ['rule reads'],
  ],
  [
    'an argument of a trigger',
    `CREATE TABLE copy (n int); CREATE FUNCTION act() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
     CREATE TRIGGER acting AFTER INSERT ON copy FOR EACH ROW EXECUTE FUNCTION act('${canary}')`,
    ['trigger acting'],
  ],
  [
    'a function',
    `CREATE FUNCTION one() RETURNS text LANGUAGE sql AS $$ SELECT '${canary}' $$;
     CREATE FUNCTION two() RETURNS text LANGUAGE sql RETURN '${canary}';
     CREATE FUNCTION three(line text DEFAULT '${canary}') RETURNS text LANGUAGE sql RETURN line`,
    ['function public.two', 'function public.three', 'function public.one'],
  ],
  [
    'a type',
    `CREATE TYPE kind AS ENUM ('none', '${canary}'); CREATE DOMAIN mail AS text DEFAULT '${canary}'`,
    ['type public.kind', 'type public.mail'],
  ],
  [
    'a column with each value in many rows',
    'CREATE TABLE copy AS SELECT email FROM people, generate_series(1, 30)',
    ['public.copy.email'],
    'public.copy: { email: keep }',
  ],
  [
    'a column with an ordinary word',
    "CREATE TABLE kinds (kind text); INSERT INTO kinds VALUES ('in_review'); CREATE TABLE copy AS TABLE kinds",
    ['public.copy.kind'],
    'public.kinds: { kind: hash }\npublic.copy: { kind: { sql: kind } }',
  ],
]

/** Places with words that are no copies: the title, the statements, and the rules. */
const noCopies: Copy[] = [
  [
    'single words of a tsvector, which is computed from other columns',
    "CREATE TABLE articles (words tsvector, kind text); INSERT INTO articles VALUES ('headlines', 'headlines')",
    [],
    'public.articles: { words: null, kind: keep }',
  ],
  [
    'days in partition bounds and statistics',
    `CREATE TABLE births (born text); INSERT INTO births VALUES ('2026-01-01');
     CREATE TABLE visits (day date) PARTITION BY RANGE (day);
     CREATE TABLE january PARTITION OF visits FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
     INSERT INTO visits SELECT '2026-01-01'::date + n / 2 FROM generate_series(0, 20) AS n; ANALYZE visits`,
    [],
    'public.births: { born: text }',
  ],
]

describe('the search for originals', () => {
  // All cases share a database, each in its own schema, so that masking and the search run once.
  let report: MaskingReport
  const inSchema = (index: number, text: string) => text.replaceAll('public.', `s${index}.`)
  beforeAll(async () => {
    const all = [...copies, ...noCopies]
    const filled = all.map(
      ([, sql], index) => `CREATE SCHEMA s${index}; SET search_path = s${index}, public; ${sql};`,
    )
    const kept = all.map(([, , , rule = ''], index) => inSchema(index, rule))
    const outputs = await createDatabase(people + filled.join('\n'))
    report = await mask(outputs, rules + kept.join('\n'))
    // Comments on databases and settings of roles are visible in other databases of the server.
    await runSql(
      outputs,
      `${inDatabase('COMMENT ON DATABASE %I IS NULL')}; ALTER ROLE CURRENT_USER RESET application_name`,
    )
  })
  const placesOf = (index: number, places: string[]) => places.map(place => inSchema(index, place))

  it.each(copies.map(([what, , places], index) => [what, placesOf(index, places)] as const))(
    'finds an original in %s',
    (_, places) => {
      const hits = report.proof.hits.filter(({ place }) => places.includes(place))
      expect(hits.map(({ place }) => place).sort()).toEqual(places.toSorted())
      expect(hits.every(({ from }) => from.some(one => /\.(?:people|kinds)\./.test(one)))).toBe(true)
    },
  )

  it('marks the columns with JSON', () => {
    const marked = report.proof.hits.filter(({ isJson }) => isJson).map(({ place }) => place)
    expect(marked).toEqual(expect.arrayContaining(['s0.copy.line', 's1.copy.line', 's2.copy.line']))
    expect(marked).not.toContain('s3.copy.line')
  })

  it('finds no original elsewhere, fails the masking, and prints no value', () => {
    const all = copies.flatMap(([, , places], index) => placesOf(index, places))
    expect(report.proof.hits.map(({ place }) => place).sort()).toEqual(all.sort())
    expect(() => checkProven(report)).toThrow(/^originals were found after masking: /)
    expect(JSON.stringify(listReport(report))).not.toMatch(/canary|person\d/i)
  })
})

it('finds originals in json with escapes that PostgreSQL cannot read, and in jsonb with similar text', async () => {
  const outputs = await createDatabase(`
       CREATE TABLE people (data json, more jsonb); CREATE TABLE copy (line text);
     INSERT INTO people VALUES ('["Original of json\\u0000"]', '["\\\\u0000 Original of jsonb"]');
     INSERT INTO copy VALUES ('the Original of json'), ('u0000 Original of jsonb')`)
  const { proof } = await mask(
    outputs,
    'public.people: { data: null, more: null }\npublic.copy: { line: keep }',
  )
  expect(proof.hits).toMatchObject([
    { place: 'public.copy.line', originals: 2, from: ['public.people.data', 'public.people.more'] },
  ])
})

describe('the texts of earlier statements', () => {
  const person = 'Statement.Canary@example.com'
  const make = async () => {
    const outputs = await createDatabase(
      `CREATE EXTENSION pg_stat_statements; CREATE TABLE people (email text); INSERT INTO people VALUES ('${person}')`,
    )
    // The server keeps 1,000 statements of all databases. Those of earlier test files would displace this one.
    await runAsSuperuser(outputs, 'SELECT pg_stat_statements_reset()')
    await runSql(outputs, `DO $$ BEGIN PERFORM '${person}'; END $$`)
    return outputs
  }
  const texts = (outputs: Outputs) =>
    runSql(
      outputs,
      `SELECT query FROM pg_stat_statements WHERE query LIKE '%${person.slice(0, 9)}%' AND query LIKE 'DO%' AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
  const rule = 'public.people: { email: email }'

  it('are searched if they cannot be reset', async () => {
    const outputs = await make()
    await runAsSuperuser(outputs, 'REVOKE ALL ON FUNCTION pg_stat_statements_reset FROM public, tsdbadmin')
    expect((await mask(outputs, rule)).proof.hits).toMatchObject([{ place: 'pg_stat_statements' }])
  })

  it('are reset if the role has the right', async () => {
    const outputs = await make()
    await runAsSuperuser(outputs, 'GRANT EXECUTE ON FUNCTION pg_stat_statements_reset TO tsdbadmin')
    expect(await texts(outputs)).toHaveLength(1)
    expect((await mask(outputs, rule)).proof.hits).toEqual([])
    expect(await texts(outputs)).toEqual([])
  })
})

describe('no hit', () => {
  it('is reported for common words', async () => {
    const outputs = await createDatabase(`CREATE TABLE people (id int, answer text, city text, about text);
       INSERT INTO people SELECT n, 'yes', 'London', 'Newcastle upon Tyne' FROM generate_series(1, 50) AS n;
       INSERT INTO people SELECT n, 'no', 'Paris', 'About no. ' || n FROM generate_series(100, 150) AS n;
       INSERT INTO people VALUES (0, 'maybe', 'Greater Manchester', 'of Greater Manchester');
       CREATE TABLE places (name text); INSERT INTO places SELECT 'yes, London' FROM generate_series(1, 50);
       INSERT INTO places SELECT 'Newcastle upon Tyne' FROM generate_series(1, 50);
       INSERT INTO places SELECT 'Greater Manchester' FROM generate_series(1, 50)`)
    const report = await mask(
      outputs,
      'public.people: { answer: text, city: text, about: text }\npublic.places: { name: keep }\n',
    )
    expect(report.proof).toMatchObject({ hits: [], common: 1 })
    expect(report.samples).toEqual([
      { column: 'public.people.answer', taken: 0, tooShort: 3, notUnique: 0 },
      { column: 'public.people.city', taken: 1, tooShort: 2, notUnique: 0 },
      { column: 'public.people.about', taken: 52, tooShort: 0, notUnique: 1 },
    ])
    expect(await runSql(outputs, "SELECT FROM places WHERE name = 'Greater Manchester'")).toHaveLength(50)
  })

  it('is reported for words of PostgreSQL and of extensions', async () => {
    const words = [
      ...['sessions', 'contenttypes', 'statistics', 'standard', 'template', 'database', 'administrative'],
      // Words in the bodies and comments of an extension.
      ...['earthdistance', 'multidimensional', 'cube_distance', 'longitude'],
    ]
    const outputs = await createDatabase(`
       CREATE EXTENSION cube; CREATE EXTENSION earthdistance; CREATE TABLE kinds (kind text);
       INSERT INTO kinds VALUES ${words.map(word => `('${word}')`).join()}`)
    await runAsSuperuser(outputs, 'ANALYZE')
    await runSql(
      outputs,
      `INSERT INTO kinds SELECT bound FROM pg_stats, unnest(histogram_bounds::text::text[]) AS bound
         WHERE schemaname = 'information_schema' ORDER BY length(bound) DESC LIMIT 1`,
    )
    const { proof, samples } = await mask(outputs, 'public.kinds: { kind: hash }')
    expect(samples).toMatchObject([{ taken: words.length + 1 }])
    expect(proof.hits).toEqual([])
    // The search includes users' comments on objects of PostgreSQL.
    await runSql(
      outputs,
      "COMMENT ON SCHEMA public IS 'of Zoë Canary'; INSERT INTO kinds VALUES ('Zoë Canary')",
    )
    expect((await mask(outputs, 'public.kinds: { kind: hash }')).proof.hits).toMatchObject([
      { place: 'comment on schema public', originals: 1, isSchema: true },
    ])
  })

  it('is reported for ordinary words in functions, comments and enums', async () => {
    const outputs = await createDatabase(`
       CREATE TABLE kinds (kind text); INSERT INTO kinds VALUES ('customers'), ('in_progress'), ('two-factor'), ('Lovelace'), ('Ada Lovelace');
       CREATE TYPE state AS ENUM ('in_progress', 'Ada Lovelace'); COMMENT ON TABLE kinds IS 'kinds of customers, also in_progress';
       CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $$ SELECT 'two-factor: Lovelace' $$; CREATE TABLE copy (kind text); INSERT INTO copy VALUES ('in_progress')`)
    const { proof } = await mask(outputs, 'public.kinds: { kind: hash }\npublic.copy: { kind: digits }')
    expect(proof.hits).toMatchObject([{ place: 'type state', originals: 1, isSchema: true }])
  })
})
