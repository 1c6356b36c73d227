/** Tests that no statistic from before the masking remains. */
import { beforeAll, describe, expect, it } from 'vitest'
import { planMasking } from '#contents/masking/check-mask-file'
import { maskRows } from '#contents/masking/mask/mask'
import { createWorkSchema, prepareSessions } from '#contents/masking/mask/work'
import { type Outputs, runAsSuperuser, runSql } from '../../support/fork.ts'
import { createDatabase, mask, opener, parse, reusing } from './support/database.ts'

/** Fills a table with frequent values, and analyzes it. */
const fill = (table: string, column = 'line') =>
  `INSERT INTO ${table} (${column}) SELECT 'Canary ' || n % 5 FROM generate_series(1, 100) AS n; ANALYZE ${table}`

/** A situation in which ANALYZE keeps old statistics, and the rules of the tables. Each has its own schema. */
const cases: [string, string, string][] = [
  ['a table that was emptied', `CREATE TABLE t (line text); ${fill('t')}; DELETE FROM t`, '{ line: name }'],
  ['a table that is kept', `CREATE TABLE t (line text); ${fill('t')}; DELETE FROM t`, '{ line: keep }'],
  ['a table whose rows are dropped', `CREATE TABLE t (line text); ${fill('t')}`, 'drop_rows'],
  [
    'a table whose constraints refuse most rows, under a view',
    `CREATE TABLE t (line text NOT NULL CHECK (line ~ 'Canary') COLLATE "C"); CREATE VIEW v AS SELECT * FROM t; ${fill('t')}; DELETE FROM t`,
    '{ line: keep }',
  ],
  [
    'a column without statistics from now on',
    `CREATE TABLE t (line text); ${fill('t')}; ALTER TABLE t ALTER line SET STATISTICS 0`,
    '{ line: name }',
  ],
  [
    'a child that was detached',
    `CREATE TABLE t (line text); CREATE TABLE child () INHERITS (t); ${fill('child')}; ANALYZE t; ALTER TABLE child NO INHERIT t`,
    '{ line: name }|child: { line: name }',
  ],
  [
    'a child that was detached, under a view',
    `CREATE TABLE t (line text); CREATE TABLE child () INHERITS (t); CREATE VIEW v AS SELECT * FROM t; ${fill('child')}; ANALYZE t;
     ALTER TABLE child NO INHERIT t`,
    '{ line: name }|child: { line: name }',
  ],
  [
    'children that have rows, under a view',
    `CREATE TABLE t (line text); CREATE TABLE child () INHERITS (t); CREATE VIEW v AS SELECT * FROM t; ${fill('child')}; ANALYZE t`,
    '{ line: name }',
  ],
  [
    'partitions that were dropped, under a view',
    `CREATE TABLE t (line text NOT NULL) PARTITION BY LIST (line); CREATE TABLE part PARTITION OF t DEFAULT; CREATE VIEW v AS SELECT * FROM t;
     ${fill('t')}; DROP TABLE part`,
    '{ line: keep }',
  ],
  [
    'a partition that was emptied, under a view',
    `CREATE TABLE t (n int DEFAULT 1, line text) PARTITION BY LIST (n); CREATE TABLE part PARTITION OF t FOR VALUES IN (1);
     CREATE TABLE other PARTITION OF t FOR VALUES IN (2); CREATE VIEW v AS SELECT * FROM t; ${fill('t')};
     DELETE FROM t; INSERT INTO t VALUES (2, 'Original')`,
    '{ line: name }',
  ],
  [
    'an index on an expression',
    `CREATE TABLE t (line text); CREATE INDEX ON t (lower(line)); ${fill('t')}; DELETE FROM t`,
    '{ line: name }',
  ],
  [
    'a partial index without rows, and one without statistics from now on',
    `CREATE TABLE t (line text, old boolean); CREATE INDEX ON t (lower(line)) WHERE old; CREATE INDEX later ON t (upper(line));
     ALTER TABLE t ALTER old SET DEFAULT true; ${fill('t')}; DELETE FROM t; INSERT INTO t VALUES ('Original', false);
     ALTER INDEX later ALTER COLUMN 1 SET STATISTICS 0`,
    '{ line: name }',
  ],
  [
    'extended statistics',
    `CREATE TABLE t (line text, more text GENERATED ALWAYS AS (line || '!') STORED); CREATE STATISTICS s ON line, more FROM t;
     ALTER STATISTICS s SET STATISTICS 50; COMMENT ON STATISTICS s IS 'ours'; CREATE STATISTICS e ON (upper(line)) FROM t;
     ${fill('t')}; DELETE FROM t`,
    '{ line: name }',
  ],
  [
    'a materialized view over rows that are dropped',
    `CREATE TABLE t (line text); ${fill('t')}; CREATE MATERIALIZED VIEW m AS SELECT line FROM t; ANALYZE m`,
    'drop_rows',
  ],
  [
    'lists, and ranges of texts',
    `CREATE TYPE spread AS RANGE (subtype = text); CREATE TABLE t (list text[], range spread);
     INSERT INTO t SELECT array['Canary ' || n % 5], spread('Canary', 'Canary ' || n) FROM generate_series(1, 100) AS n;
     ANALYZE t; DELETE FROM t`,
    '{ list: hash, range: keep }',
  ],
  [
    'a table whose foreign key refuses every row, under a view',
    `CREATE TABLE main (line text PRIMARY KEY); CREATE TABLE t (line text NOT NULL REFERENCES main DEFERRABLE INITIALLY DEFERRED);
     CREATE VIEW v AS SELECT * FROM t; INSERT INTO main SELECT 'Canary ' || n FROM generate_series(0, 4) AS n; ${fill('t')};
     DELETE FROM t; DELETE FROM main`,
    '{ line: keep }|main: { line: keep }',
  ],
]

const rules = cases
  .map(([, , rule], index) =>
    `t: ${rule}`
      .split('|')
      .map(line => `s${index}.${line}`)
      .join('\n'),
  )
  .join('\n')

const setUp = cases
  .map(([, sql], index) => `CREATE SCHEMA s${index}; SET search_path = s${index}; ${sql};`)
  .join('\n')

/** The schemas with an original in a statistic. Only a superuser can read all statistics. */
async function findLeaks(outputs: Outputs): Promise<string[]> {
  const rows = await runAsSuperuser(
    outputs,
    `SELECT DISTINCT nspname AS schema FROM (
       SELECT starelid, concat_ws(' ', stavalues1, stavalues2, stavalues3, stavalues4, stavalues5) FROM pg_statistic
       UNION ALL SELECT stxrelid, concat_ws(' ', stxdexpr, (SELECT string_agg(item.values::text, ' ') FROM pg_mcv_list_items(stxdmcv) AS item))
         FROM pg_statistic_ext JOIN pg_statistic_ext_data ON stxoid = pg_statistic_ext.oid) AS kept(relation, value)
       JOIN pg_class ON pg_class.oid = relation JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE value ~* 'canary' ORDER BY 1`,
  )
  return rows.map(({ schema }) => cases[Number(String(schema).slice(1))]?.[0] ?? schema).sort()
}

/** Before PostgreSQL 18 no command clears statistics. The workarounds also run on version 18. */
const versions: [string, number][] = [
  ['of this PostgreSQL', Number.POSITIVE_INFINITY],
  ['that cannot be cleared', 170_000],
]

describe.each(versions)('statistics %s', (_, newest) => {
  let outputs: Outputs
  let before: unknown
  const schema = () =>
    runSql(
      outputs,
      `SELECT attrelid::regclass::text, attname, attstattarget, attcollation, attislocal, attinhcount FROM pg_attribute
         JOIN pg_class ON pg_class.oid = attrelid WHERE relnamespace::regnamespace::text ~ '^s\\d' AND relkind <> 'i' AND attnum > 0
       UNION ALL SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid), 0, 0, indisvalid, 0 FROM pg_index
         WHERE indrelid::regclass::text ~ '^s\\d'
       UNION ALL SELECT conrelid::regclass::text, pg_get_constraintdef(oid), 0, 0, true, 0 FROM pg_constraint WHERE connamespace::regnamespace::text ~ '^s\\d'
       UNION ALL SELECT stxname, pg_get_statisticsobjdef(oid) || obj_description(oid), stxstattarget, 0, true, 0 FROM pg_statistic_ext
       ORDER BY 1, 2`,
    )
  beforeAll(async () => {
    outputs = await createDatabase(setUp)
    expect(await findLeaks(outputs)).toEqual(cases.map(([what]) => what).toSorted())
    before = await schema()
    await reusing(opener(outputs), async opened => {
      const open = prepareSessions(opened)
      const plan = await open(session => planMasking(session, parse(rules)))
      await open(createWorkSchema)
      await maskRows(open, { ...plan, version: Math.min(plan.version, newest) }, { sessions: 2 })
    })
    await runSql(outputs, 'DROP SCHEMA managed_database_action_masking CASCADE')
  })

  it('contain no value from before the masking', async () => {
    expect(await findLeaks(outputs)).toEqual([])
  })

  it('exist for the masked rows', async () => {
    expect(
      await runSql(
        outputs,
        "SELECT FROM pg_stats WHERE schemaname = 's7' AND inherited AND most_common_vals IS NOT NULL",
      ),
    ).toHaveLength(1)
  })

  it('are renewed without a change of the schema', async () => {
    expect(await schema()).toEqual(before)
  })
})

it('fails the masking and names the statistics that cannot be renewed', async () => {
  const outputs = await createDatabase(`CREATE TABLE t (line text); ${fill('t')}`)
  await runAsSuperuser(
    outputs,
    'CREATE ROLE lends_nothing; ALTER TABLE t OWNER TO lends_nothing; GRANT SELECT ON t TO tsdbadmin',
  )
  await expect(mask(outputs, 'public.t: { line: keep }')).rejects.toThrow(
    'statistics from before the masking can neither be replaced nor deleted: public.t.line',
  )
})
