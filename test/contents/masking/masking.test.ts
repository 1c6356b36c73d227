import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderProof } from '../../../src/contents/masking/report.ts'
import { openWorkbench, type Workbench } from '../../support/workbench.ts'
import { makeService, type Outputs, run } from '../quarantine/support/fork.ts'
import { makeDatabase, mask } from './support/database.ts'

let bench: Workbench
let service: Outputs
beforeAll(async () => {
  bench = await openWorkbench()
  service = await makeService(bench)
})
afterAll(() => bench.stop())

describe('a database', () => {
  it('is masked by its rules, and none of its originals is found', async () => {
    const outputs = await makeDatabase(
      service,
      `CREATE TABLE people (id bigint PRIMARY KEY, email text UNIQUE NOT NULL, name text, phone varchar(20), note text,
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
       ANALYZE`,
    )
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
    expect(report.proof.hits).toEqual([])
    expect(renderProof(report)).toBe(
      'none of 5002 originals of 10 columns found in 20 places; left out: 0 shorter than 8 characters, 0 not unique, 0 common in columns that are kept',
    )
    expect(report.keptByRule).toEqual(['public.people.kept'])
    expect(report.keptByType).toEqual(['public.orders.id', 'public.people.id'])
    expect(report.computed).toEqual(['public.people.login'])
    expect(
      await run(
        outputs,
        `SELECT count(*)::int AS joined, count(DISTINCT email)::int AS mails, bool_and(email ~ '^[0-9a-f]{20}@masked.invalid$') AS email,
           bool_and(name ~ '^[A-Z][a-z]+ [A-Z][a-z]+$') AS name, bool_and(phone ~ '^\\+999[0-9]{11}$') AS phone, bool_and(note IS NULL) AS note,
           bool_and(code ~ '^[A-Z]{2}-[0-9]{7}$') AS code, bool_and(length(remark) = length('Remark no. ' || people.id) AND remark ~ '^[0-9a-f]+$') AS remark,
           (SELECT count(DISTINCT city) FROM people)::int AS cities, bool_or(city <> 'City of ' || people.id) AS shuffled, bool_and(born = '1984-01-01') AS born,
           bool_and(tags[1] ~ '^[0-9a-f]{32}$' AND cardinality(tags) = 2 AND tags[2] IS NULL) AS tags, bool_and(data = '{}') AS data,
           bool_and(login = email) AS login
         FROM people JOIN orders ON buyer = email`,
      ),
    ).toEqual([
      {
        ...{ joined: 500, mails: 500, cities: 500, shuffled: true },
        ...{ email: true, name: true, phone: true, note: true, code: true, remark: true, born: true },
        ...{ tags: true, data: true, login: true },
      },
    ])
    // Nobody but the users' own triggers would have filled it, and they are as they were.
    expect(await run(outputs, 'SELECT FROM log')).toEqual([])
    expect(
      await run(
        outputs,
        "SELECT tgname, tgenabled FROM pg_trigger WHERE tgname IN ('audit', 'sleeping') ORDER BY 1",
      ),
    ).toEqual([
      { tgname: 'audit', tgenabled: 'O' },
      { tgname: 'sleeping', tgenabled: 'D' },
    ])
    expect(
      await run(
        outputs,
        "SELECT pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE contype = 'f' AND convalidated",
      ),
    ).toEqual([{ key: 'FOREIGN KEY (buyer) REFERENCES people(email) ON UPDATE CASCADE' }])
    expect(await run(outputs, "SELECT FROM pg_namespace WHERE nspname ~ 'masking'")).toEqual([])
    expect(await run(outputs, 'SELECT FROM mails JOIN people USING (email)')).toHaveLength(501)
  })

  it('is masked whatever its columns are called', async () => {
    const names = [
      'value',
      'place',
      'digest',
      'one',
      'letter',
      'byte',
      'element',
      'words',
      'target',
      'key',
      'original',
      'cell',
      'part',
    ]
    for (const rule of ['digits', 'name', 'hash']) {
      const outputs = await makeDatabase(
        service,
        `CREATE TABLE odd (${names.map(name => `"${name}" text`).join()}, list text[]);
         INSERT INTO odd VALUES (${names.map(name => `'Original of ${name}'`).join()}, '{Original of list}')`,
      )
      const { proof, samples } = await mask(
        outputs,
        `public.odd: { list: ${rule}, ${names.map(name => `${name}: ${rule}`).join(', ')} }`,
      )
      expect(proof.hits).toEqual([])
      expect(samples.every(({ taken }) => taken === 1)).toBe(true)
    }
  })
})
