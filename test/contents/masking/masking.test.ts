/** Tests masking of complete databases by a file of rules. */
import { describe, expect, it } from 'vitest'
import type { Progress } from '#contents/masking/mask/progress'
import { listReport, renderProof } from '#contents/masking/report'
import { connectTo, runAsSuperuser, runSql } from '../../support/fork.ts'
import { createDatabase, mask } from './support/database.ts'

describe('a database', () => {
  it('is masked by its rules, and contains no original afterwards', async () => {
    const outputs = await createDatabase(`
       CREATE TABLE people (id bigint PRIMARY KEY, email text UNIQUE NOT NULL, name text, phone varchar(20), note text,
         code varchar(12), remark text, city text, born date, tags text[], data jsonb, kept text,
         login text GENERATED ALWAYS AS (lower(email)) STORED);
       INSERT INTO people SELECT n, 'Person' || n || '@example.com', 'Original Name ' || n, '+4477009' || 100000 + n, 'note about ' || n,
         'AB-' || 1000000 + n, 'Remark no. ' || n, 'City of ' || n, '1984-05-12', array['tag number ' || n, null],
         jsonb_build_object('deep', jsonb_build_array('secret no. ' || n)), 'yes' FROM generate_series(1, 500) AS n;
       INSERT INTO people (id, email) VALUES (501, 'nobody@example.com');
       CREATE TABLE orders (id int PRIMARY KEY, buyer text REFERENCES people (email) ON UPDATE CASCADE);
       INSERT INTO orders SELECT n, 'Person' || n || '@example.com' FROM generate_series(1, 500) AS n;
       CREATE TABLE log (line text); INSERT INTO log SELECT email FROM people;
       CREATE FUNCTION keep_old() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log VALUES (OLD.email); RETURN NEW; END $$;
       CREATE TRIGGER audit AFTER UPDATE ON people FOR EACH ROW EXECUTE FUNCTION keep_old();
       CREATE TRIGGER sleeping AFTER UPDATE ON people FOR EACH ROW EXECUTE FUNCTION keep_old();
       ALTER TABLE people DISABLE TRIGGER sleeping;
       CREATE MATERIALIZED VIEW names AS SELECT name, email FROM people;
       CREATE MATERIALIZED VIEW mails AS SELECT email FROM names;
       CREATE MATERIALIZED VIEW empty AS SELECT name FROM people WITH NO DATA;
       ANALYZE`)
    const report = await mask(
      outputs,
      `public.people:
  email: email
  name: name
  phone: phone
  note: null
  code: digits
  remark: text
  city: shuffle
  born: { sql: "date_trunc('year', born)" }
  tags: hash
  data: { fixed: '{}' }
  kept: keep
public.orders:
  buyer: email
public.log: drop_rows
`,
    )
    expect(report.rows).toBe(501 + 500)
    expect(report.proof.hits).toEqual([])
    expect(renderProof(report)).toBe(
      'none of 5002 originals of 10 columns found in 17 places; originals not counted: 0 shorter than 8 characters, 0 not unique, 0 common in kept columns',
    )
    const names = Object.fromEntries(report.treatment.map(({ title, names }) => [title, names]))
    expect(names).toMatchObject({
      'Kept by rule': ['public.people.kept'],
      'Kept by type': ['public.orders.id', 'public.people.id'],
      'Computed from other columns': ['public.people.login'],
    })
    const read = (sql: string) => runSql(outputs, sql)
    expect(
      await read(`SELECT count(*)::int AS joined, count(DISTINCT email)::int AS mails, bool_and(email ~ '^[0-9a-f]{20}@masked.example$') AS email,
           bool_and(name ~ '^[A-Z][a-z]+ [A-Z][a-z]+$') AS name, bool_and(phone ~ '^\\+999[0-9]{11}$') AS phone, bool_and(note IS NULL) AS note,
           bool_and(code ~ '^[A-Z]{2}-[0-9]{7}$') AS code, bool_and(length(remark) = length('Remark no. ' || people.id) AND remark ~ '^[0-9a-f]+$') AS remark,
           (SELECT count(DISTINCT city) FROM people)::int AS cities, bool_or(city <> 'City of ' || people.id) AS shuffled, bool_and(born = '1984-01-01') AS born,
           bool_and(tags[1] ~ '^[0-9a-f]{32}$' AND cardinality(tags) = 2 AND tags[2] IS NULL) AS tags, bool_and(data = '{}') AS data,
           bool_and(login = email) AS login
         FROM people JOIN orders ON buyer = email`),
    ).toEqual([
      {
        ...{ joined: 500, mails: 500, cities: 500, shuffled: true },
        ...{ email: true, name: true, phone: true, note: true, code: true, remark: true, born: true },
        ...{ tags: true, data: true, login: true },
      },
    ])
    // Only the users' triggers would fill the log, and masking disables them.
    expect(await read('SELECT FROM log')).toEqual([])
    expect(
      await read("SELECT tgname, tgenabled FROM pg_trigger WHERE tgname IN ('audit', 'sleeping') ORDER BY 1"),
    ).toEqual([
      { tgname: 'audit', tgenabled: 'O' },
      { tgname: 'sleeping', tgenabled: 'D' },
    ])
    expect(
      await read(
        "SELECT pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE contype = 'f' AND convalidated",
      ),
    ).toEqual([{ key: 'FOREIGN KEY (buyer) REFERENCES people(email) ON UPDATE CASCADE' }])
    expect(await read("SELECT FROM pg_namespace WHERE nspname ~ 'masking'")).toEqual([])
    expect(await read('SELECT FROM mails JOIN people USING (email)')).toHaveLength(501)
    expect(await read("SELECT relispopulated FROM pg_class WHERE relname = 'empty'")).toEqual([
      { relispopulated: false },
    ])
  })

  it('loses a foreign partition with the rows of its table, and the other database stays unchanged', async () => {
    const outputs = await createDatabase(`CREATE TABLE days (day date, line text) PARTITION BY RANGE (day);
       CREATE TABLE days_1 (line text, day date); ALTER TABLE days ATTACH PARTITION days_1 DEFAULT;
       INSERT INTO days VALUES ('2026-01-01', 'Original of days');
       CREATE TABLE elsewhere (day date, line text); INSERT INTO elsewhere VALUES ('2020-01-01', 'Original elsewhere')`)
    await runAsSuperuser(
      outputs,
      `CREATE EXTENSION postgres_fdw; CREATE SERVER here FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1');
       GRANT USAGE ON FOREIGN SERVER here TO tsdbadmin; SET ROLE tsdbadmin;
       CREATE FOREIGN TABLE days_0 PARTITION OF days FOR VALUES FROM ('2020-01-01') TO ('2021-01-01') SERVER here OPTIONS (table_name 'elsewhere')`,
    )
    const rules = 'public.elsewhere: { line: keep }\npublic.days: '
    await expect(mask(outputs, `${rules}{ day: keep, line: text }`)).rejects.toThrow(
      'masking.yml:2:1: public.days has rows that cannot be changed, in days_0: only drop_rows is possible',
    )
    const kept = await mask(outputs, `${rules}{ day: keep, line: keep }`)
    expect(kept.proof.searched).toContain('public.days.line')
    expect(kept.proof.notSearched).toContain('days_0: foreign parts of public.days')
    const { proof, samples } = await mask(outputs, `${rules}drop_rows`)
    expect(samples).toMatchObject([{ column: 'public.days.line', taken: 1 }])
    expect(proof.hits).toEqual([])
    expect(await runSql(outputs, 'SELECT FROM days')).toEqual([])
    expect(await runSql(outputs, 'SELECT line FROM elsewhere')).toEqual([{ line: 'Original elsewhere' }])
  })

  it('reports the masked rows and the remaining time while a statement runs', async () => {
    const outputs = await createDatabase(`
       CREATE TABLE people (id int, name text); INSERT INTO people SELECT n, 'Original ' || n FROM generate_series(1, 3000) AS n; ANALYZE;
       CREATE FUNCTION stop_at(n int, name text) RETURNS text LANGUAGE plpgsql AS
         $$ BEGIN IF n = 2000 THEN PERFORM pg_advisory_lock_shared(1); END IF; RETURN md5(name); END $$`)
    const client = await connectTo(outputs)
    await client.query('SELECT pg_advisory_lock(1)')
    const reported: Progress[] = []
    await mask(outputs, 'public.people: { name: { sql: "public.stop_at(id, name)" } }', {
      every: 0,
      onProgress(progress) {
        reported.push(progress)
        if (progress.rows >= 2000) void client.query('SELECT pg_advisory_unlock(1)')
      },
    })
    await client.end()
    expect(reported).toContainEqual({ stage: 'masking', rows: 2000, allRows: 3000, left: expect.any(Number) })
  })

  it('is masked with any column names', async () => {
    const names = [
      ...['value', 'place', 'digest', 'one', 'letter', 'byte', 'element'],
      ...['words', 'target', 'key', 'original', 'cell', 'part'],
    ]
    const rules = ['digits', 'name', 'hash']
    const outputs = await createDatabase(
      rules
        .map(
          rule => `CREATE TABLE ${rule} (${names.map(name => `"${name}" text`).join()}, list text[]);
         INSERT INTO ${rule} VALUES (${names.map(name => `'Original ${rule} of ${name}'`).join()}, '{Original ${rule} of list}')`,
        )
        .join(';'),
    )
    const lines = rules.map(
      rule => `public.${rule}: { list: ${rule}, ${names.map(name => `${name}: ${rule}`).join(', ')} }`,
    )
    const { proof, samples } = await mask(outputs, lines.join('\n'))
    expect(proof.hits).toEqual([])
    expect(samples.map(({ taken }) => taken)).toEqual(rules.flatMap(() => [1, ...names.map(() => 1)]))
  })
})

it('keeps a table of an extension, such as a queue, unless it has a rule, and lists it in the report', async () => {
  const queues = ['kept', 'masked', 'emptied']
  const add = (name: string) =>
    `CREATE TABLE ${name} (id int, message text); ALTER EXTENSION hstore ADD TABLE ${name};
     INSERT INTO ${name} VALUES (1, 'Queued canary of ${name}');`
  const outputs = await createDatabase(`CREATE EXTENSION hstore; ${queues.map(add).join('')}`)
  const report = await mask(outputs, 'public.masked: { message: hash }\npublic.emptied: drop_rows')
  const title = 'Kept, as a table of an extension'
  expect(listReport(report)).toContainEqual({ title, names: ['public.kept.message'] })
  const rows = await Promise.all(queues.map(name => runSql(outputs, `SELECT message FROM ${name}`)))
  expect(rows).toEqual([
    [{ message: 'Queued canary of kept' }],
    [{ message: expect.stringMatching(/^[0-9a-f]{32}$/) }],
    [],
  ])
})
