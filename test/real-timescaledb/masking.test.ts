/** Tests masking with the real TimescaleDB. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mask } from '../contents/masking/support/database.ts'
import { createFork, type Outputs, runAsSuperuser, runSql } from '../support/fork.ts'
import type { Workbench } from '../support/workbench.ts'
import { describeReal, openRealService } from './support.ts'

let bench: Workbench
let parent: Outputs

async function fill(): Promise<void> {
  await runSql(
    parent,
    `CREATE TABLE visits (time timestamptz NOT NULL, device int, person text, page text, kept text);
     SELECT create_hypertable('visits', 'time', chunk_time_interval => interval '1 day');
     ALTER TABLE visits SET (timescaledb.compress, timescaledb.compress_segmentby = 'page', timescaledb.compress_orderby = 'person, time');
     CREATE TABLE seen (person text);
     CREATE FUNCTION keep_person() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO seen VALUES (OLD.person); RETURN NEW; END $$;
     CREATE TRIGGER audit AFTER UPDATE ON visits FOR EACH ROW EXECUTE FUNCTION keep_person();
     INSERT INTO visits SELECT '2026-01-01'::timestamptz + n * interval '5 minutes', n, 'Person number ' || n, 'Page of person ' || n % 20, 'yes' FROM generate_series(1, 2000) AS n`,
  )
  await runSql(
    parent,
    `CREATE MATERIALIZED VIEW daily WITH (timescaledb.continuous) AS
     SELECT time_bucket('1 day', time) AS day, page, min(person) AS first, max(person) AS last FROM visits GROUP BY 1, 2 WITH NO DATA`,
  )
  await runSql(
    parent,
    `CREATE MATERIALIZED VIEW weekly WITH (timescaledb.continuous) AS
     SELECT time_bucket('7 days', day) AS week, min(first) AS first FROM daily GROUP BY 1 WITH NO DATA`,
  )
  await runSql(parent, "CALL refresh_continuous_aggregate('daily', NULL, NULL)")
  await runSql(parent, "CALL refresh_continuous_aggregate('weekly', NULL, NULL)")
  await runSql(parent, 'ANALYZE')
  await runSql(
    parent,
    "SELECT compress_chunk(chunk, if_not_compressed => true) FROM show_chunks('visits', older_than => '2026-01-06'::timestamptz) AS chunk",
  )
  await runSql(parent, 'ANALYZE')
}

const compressed = (outputs: Outputs) =>
  runSql(outputs, 'SELECT count(*)::int AS chunks FROM timescaledb_information.chunks WHERE is_compressed')

describeReal('masking', () => {
  beforeAll(async () => {
    ;[bench, parent] = await openRealService()
    await fill()
  }, 120_000)
  afterAll(() => bench.stop())

  it('compressed chunks and continuous aggregates hold no original after masking', async () => {
    const fork = await createFork(bench, parent)
    const before = await compressed(fork)
    const { proof, rows } = await mask(
      fork,
      'public.visits: { person: name, page: text, kept: keep }\npublic.seen: { person: text }\n',
    )
    expect(proof.hits).toEqual([])
    expect(proof.searched).toContain('public.visits.person')
    expect(proof.rebuilt).toContain('statistics')
    expect(proof.searched.filter(place => /_materialized_hypertable_\d+\.first/.test(place))).toHaveLength(2)
    expect(rows).toBe(2000)
    expect(await compressed(fork)).toEqual(before)
    expect(await runSql(fork, 'SELECT FROM seen')).toEqual([])
    expect(
      await runSql(
        fork,
        "SELECT tgenabled FROM pg_trigger WHERE tgname = 'audit' AND tgrelid = 'visits'::regclass",
      ),
    ).toEqual([{ tgenabled: 'O' }])
    expect(
      await runSql(fork, "SELECT count(*)::int AS days FROM daily WHERE first ~ '^Person' OR page ~ '^Page'"),
    ).toEqual([{ days: 0 }])
    expect(await runSql(fork, 'SELECT count(*)::int AS days FROM daily')).not.toEqual([{ days: 0 }])
  })

  it('an aggregate keeps nothing of rows in dropped chunks', async () => {
    const fork = await createFork(bench, parent)
    await runSql(fork, "SELECT drop_chunks('visits', older_than => '2026-01-04'::timestamptz)")
    // As after a restore from a dump, which lacks the log of changes.
    await runAsSuperuser(
      fork,
      'DELETE FROM _timescaledb_catalog.continuous_aggs_hypertable_invalidation_log; DELETE FROM _timescaledb_catalog.continuous_aggs_materialization_invalidation_log',
    )
    await mask(
      fork,
      'public.visits: { person: name, page: text, kept: keep }\npublic.seen: { person: text }\n',
    )
    expect(await runSql(fork, "SELECT FROM daily WHERE first ~ '^Person' OR page ~ '^Page'")).toEqual([])
    expect(await runSql(fork, "SELECT FROM weekly WHERE first ~ '^Person'")).toEqual([])
    expect(await runSql(fork, 'SELECT FROM daily')).not.toEqual([])
  })

  it('an original that is kept in a compressed chunk or an aggregate is found there', async () => {
    const fork = await createFork(bench, parent)
    await runSql(
      fork,
      'CREATE TABLE people (name text); INSERT INTO people SELECT DISTINCT person FROM visits',
    )
    const { proof } = await mask(
      fork,
      'public.people: { name: name }\npublic.visits: { person: keep, page: keep, kept: keep }\npublic.seen: { person: text }\n',
    )
    expect(proof.hits.map(({ place }) => place.replace(/\d+/g, 'N'))).toEqual(
      expect.arrayContaining([
        '_timescaledb_internal._materialized_hypertable_N.first',
        'public.visits.person',
      ]),
    )
    expect(proof.hits.find(({ place }) => place === 'public.visits.person')).toMatchObject({
      originals: 1000,
      times: 1000,
    })
  })

  it('words of TimescaleDB itself raise no alarm', async () => {
    const fork = await createFork(bench, parent)
    await runSql(
      fork,
      "CREATE TABLE kinds (kind text); INSERT INTO kinds VALUES ('hypertable'), ('decompress_chunk'), ('Telemetry Reporter')",
    )
    const { proof, samples } = await mask(
      fork,
      'public.kinds: { kind: hash }\npublic.visits: drop_rows\npublic.seen: drop_rows\n',
    )
    expect(samples).toContainEqual(expect.objectContaining({ column: 'public.kinds.kind', taken: 3 }))
    expect(proof.hits).toEqual([])
  })

  it('a tiered chunk is named, and is dropped with its table without a change where its rows are', async () => {
    const fork = await createFork(bench, parent)
    const columns = 'time timestamptz NOT NULL, device int, person text, page text, kept text'
    await runSql(
      fork,
      `CREATE TABLE elsewhere (${columns}); INSERT INTO elsewhere VALUES ('2020-01-01', 1, 'Person elsewhere', '', '')`,
    )
    await runAsSuperuser(
      fork,
      `CREATE EXTENSION postgres_fdw; CREATE SERVER here FOREIGN DATA WRAPPER postgres_fdw;
         GRANT USAGE ON FOREIGN SERVER here TO tsdbadmin; SET ROLE tsdbadmin;
         CREATE FOREIGN TABLE tiered (${columns}) SERVER here OPTIONS (table_name 'elsewhere');
         SELECT _timescaledb_functions.attach_osm_table_chunk('visits', 'tiered')`,
    )
    const rules =
      'public.elsewhere: { person: keep, page: keep, kept: keep }\npublic.seen: drop_rows\npublic.visits: '
    await expect(mask(fork, `${rules}{ person: name, page: text, kept: keep }`)).rejects.toThrow(
      'public.visits has rows that cannot be changed, in tiered: only drop_rows is possible',
    )
    const { proof } = await mask(fork, `${rules}drop_rows`)
    expect(proof.hits).toEqual([])
    expect(await runSql(fork, 'SELECT FROM visits')).toEqual([])
    expect(await runSql(fork, 'SELECT FROM daily')).toEqual([])
    expect(await runSql(fork, 'SELECT FROM elsewhere')).toHaveLength(1)
  })

  it('statistics of rows that were deleted are gone, of chunks and of the hypertable too', async () => {
    const fork = await createFork(bench, parent)
    await runSql(
      fork,
      `DELETE FROM visits WHERE time > '2026-01-07'; CREATE TABLE emptied (LIKE visits); SELECT create_hypertable('emptied', 'time');
       INSERT INTO emptied SELECT '2026-01-01'::timestamptz + n * interval '1 day', 1, 'Person ' || n % 3 FROM generate_series(1, 30) AS n;
       ANALYZE emptied; SELECT drop_chunks('emptied', older_than => now() + interval '9 years')`,
    )
    await mask(
      fork,
      'public.visits: { person: keep, page: keep, kept: keep }\npublic.seen: { person: text }\npublic.emptied: { person: name, page: text, kept: text }\n',
    )
    expect(
      await runSql(
        fork,
        `SELECT FROM pg_stats WHERE tablename ~ '_chunk$|emptied|visits'
           AND concat(most_common_vals, histogram_bounds) ~ '2026-01-(0[89]|[12])|Person [0-9]'`,
      ),
    ).toEqual([])
    expect(await runSql(fork, 'SELECT FROM emptied')).toEqual([])
    expect(await runSql(fork, 'SELECT FROM visits WHERE person IS NULL')).toEqual([])
  })

  it('the column that decides the chunk of a row cannot be masked', async () => {
    await expect(
      mask(
        parent,
        'public.visits: { time: { sql: "now()" }, person: keep, page: keep, kept: shuffle }\npublic.seen: drop_rows\n',
      ),
    ).rejects.toThrow(
      'masking.yml:1:18: public.visits.time decides in which partition or chunk a row is: keep it; masking.yml:1:68: public.visits.kept is in a hypertable',
    )
  })
})
