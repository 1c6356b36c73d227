/** Tests the rule `newer_than` with the real TimescaleDB: chunks, aggregates, tiered chunks and integer time columns. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkMaskFile, planMasking } from '#contents/masking/check-mask-file'
import { listReport } from '#contents/masking/report'
import { mask, opener, parse } from '../contents/masking/support/database.ts'
import { createFork, type Outputs, runAsSuperuser, runSql } from '../support/fork.ts'
import type { Workbench } from '../support/workbench.ts'
import { describeReal, openRealService } from './support.ts'

let bench: Workbench
let parent: Outputs
/** The day whose rows are the newest, such as `timestamptz '2026-01-31 00:00+00'`. A test may run across midnight UTC. */
let today: string

const columns = 'time timestamptz NOT NULL, person text, page text'

/** 40 days with 50 rows each. The chunks that are older than 5 days are compressed. */
async function fill(): Promise<void> {
  const [{ day } = { day: '' }] = await runSql(parent, "SELECT date_trunc('day', now(), 'UTC')::text AS day")
  today = `timestamptz '${day}'`
  await runSql(
    parent,
    `CREATE TABLE visits (${columns});
     SELECT create_hypertable('visits', 'time', chunk_time_interval => interval '1 day');
     ALTER TABLE visits SET (timescaledb.compress, timescaledb.compress_segmentby = 'page', timescaledb.compress_orderby = 'time');
     INSERT INTO visits SELECT ${today} - n / 50 * interval '1 day' + interval '1 minute',
       'Person number ' || n, 'Page of day ' || n / 50 FROM generate_series(0, 1999) AS n`,
  )
  await runSql(
    parent,
    `CREATE MATERIALIZED VIEW daily WITH (timescaledb.continuous) AS
     SELECT time_bucket('1 day', time) AS day, page, min(person) AS first FROM visits GROUP BY 1, 2 WITH NO DATA`,
  )
  await runSql(
    parent,
    `CREATE MATERIALIZED VIEW weekly WITH (timescaledb.continuous) AS
     SELECT time_bucket('7 days', day) AS week, min(first) AS first FROM daily GROUP BY 1 WITH NO DATA`,
  )
  await runSql(parent, "CALL refresh_continuous_aggregate('daily', NULL, NULL)")
  await runSql(parent, "CALL refresh_continuous_aggregate('weekly', NULL, NULL)")
  await runSql(
    parent,
    "SELECT compress_chunk(chunk) FROM show_chunks('visits', older_than => interval '5 days') AS chunk; ANALYZE",
  )
}

/** Attaches a foreign table with one row of 2020 as the tiered chunk of a hypertable. */
const attachTiered = (fork: Outputs, hypertable: string, list: string) =>
  runAsSuperuser(
    fork,
    `CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
     CREATE FOREIGN TABLE tiered (${list}) SERVER files OPTIONS (program 'echo 2020-01-01,Tiered', format 'csv');
     ALTER FOREIGN TABLE tiered OWNER TO tsdbadmin; SET ROLE tsdbadmin;
     SELECT _timescaledb_functions.attach_osm_table_chunk('${hypertable}', 'tiered')`,
  )

const shortenedOf = async (fork: Outputs, rules: string) => {
  const report = await mask(fork, rules)
  const names = listReport(report).find(({ title }) => title === 'Old chunks dropped')?.names
  return { ...report, names }
}

/** A `newer_than` that keeps this many days before `today`, and ends in the middle of the oldest one. */
async function daysBefore(days: number): Promise<string> {
  const [{ hours } = { hours: 0 }] = await runSql(
    parent,
    `SELECT floor(extract(epoch FROM now() - ${today}) / 3600)::int AS hours`,
  )
  return `${Number(hours) + days * 24 - 12} hours`
}

const sizes = (outputs: Outputs) =>
  runSql(
    outputs,
    `SELECT count(*)::int AS rows, hypertable_size('visits')::float8 AS bytes, min(time) < ${today} - interval '10 days' AS old FROM visits`,
  )

describeReal('newer_than', () => {
  beforeAll(async () => {
    ;[bench, parent] = await openRealService()
    await fill()
  }, 120_000)
  afterAll(() => bench.stop())

  it('drops old chunks before the originals are sampled, also from continuous aggregates and statistics', async () => {
    const fork = await createFork(bench, parent)
    const [before] = await sizes(fork)
    expect(before).toMatchObject({ rows: 2000, old: true })
    const newerThan = await daysBefore(10)
    const { shortened, samples, proof, rows, names } = await shortenedOf(
      fork,
      `public.visits: { newer_than: ${newerThan}, person: name, page: keep }\n`,
    )
    const [after] = await sizes(fork)
    expect(after).toMatchObject({ rows: 550, old: false })
    expect(shortened).toMatchObject([
      {
        table: 'public.visits',
        before: { rows: 2000, bytes: before?.bytes },
        after: { rows: 550 },
        tiered: [],
      },
    ])
    expect(Number(after?.bytes)).toBeLessThan(Number(before?.bytes))
    expect(names).toEqual([
      expect.stringMatching(
        /^public\.visits: newer_than \d+ hours\. Before: about 2,000 rows, [\d.]+ MB\. After: about 550 rows, [\d.]+ [kM]B$/,
      ),
    ])
    expect(rows).toBe(550)
    expect(samples).toMatchObject([{ column: 'public.visits.person', taken: 550 }])
    expect(proof.hits).toEqual([])
    expect(proof.searched.filter(place => /_materialized_hypertable_\d+\.first/.test(place))).toHaveLength(2)
    expect(
      await runSql(
        fork,
        `SELECT count(*)::int AS days, min(day) < ${today} - interval '10 days' AS old FROM daily`,
      ),
    ).toEqual([{ days: 11, old: false }])
    expect(await runSql(fork, `SELECT FROM weekly WHERE week < ${today} - interval '17 days'`)).toEqual([])
    expect(await runSql(fork, "SELECT FROM daily WHERE first ~ '^Person'")).toEqual([])
    expect(await runSql(fork, "SELECT FROM weekly WHERE first ~ '^Person'")).toEqual([])
    expect(
      await runSql(
        fork,
        "SELECT FROM pg_stats WHERE concat(most_common_vals, histogram_bounds) ~ 'Page of day (1[1-9]|[23][0-9])'",
      ),
    ).toEqual([])
  })

  it('keeps columns as they are, and shortens a hypertable whose time column is an integer', async () => {
    const fork = await createFork(bench, parent)
    await runSql(
      fork,
      `CREATE TABLE counted (step bigint NOT NULL, line text); SELECT create_hypertable('counted', 'step', chunk_time_interval => 100);
       INSERT INTO counted SELECT n, 'Line number ' || n FROM generate_series(0, 999) AS n; ANALYZE counted`,
    )
    const rules = (length: string) =>
      `public.counted: { newer_than: ${length}, line: keep }\npublic.visits: { person: name, page: keep }\n`
    await expect(opener(fork)(session => planMasking(session, parse(rules('300'))))).rejects.toThrow(
      'masking.yml:1:1: public.counted has an integer time column: newer_than needs its integer_now function',
    )
    await runSql(
      fork,
      `CREATE FUNCTION clock() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT 999::bigint'; SELECT set_integer_now_func('counted', 'clock')`,
    )
    await expect(opener(fork)(session => planMasking(session, parse(rules('3 days'))))).rejects.toThrow(
      'public.counted has an integer time column: set newer_than to a number in its unit, without days',
    )
    const { names } = await shortenedOf(fork, rules('300'))
    expect(names).toEqual([expect.stringContaining('After: about 400 rows')])
    expect(await runSql(fork, 'SELECT min(step)::int AS step, count(*)::int AS rows FROM counted')).toEqual([
      { step: 600, rows: 400 },
    ])
    expect(await runSql(fork, 'SELECT count(*)::int AS rows FROM visits')).toEqual([{ rows: 2000 }])
  })

  it('tries the rules in a dry run only on rows that stay', async () => {
    const fork = await createFork(bench, parent)
    await runSql(
      fork,
      `CREATE TABLE hits (time timestamptz NOT NULL, code int); SELECT create_hypertable('hits', 'time', chunk_time_interval => interval '1 day');
       ALTER TABLE hits SET (timescaledb.compress);
       INSERT INTO hits SELECT ${today} - n * interval '1 day' + interval '1 minute', n FROM generate_series(0, 39) AS n;
       SELECT compress_chunk(chunk) FROM show_chunks('hits', older_than => interval '25 days') AS chunk`,
    )
    const check = async (days: number, failing: number) => {
      const rules = `public.hits: { newer_than: ${await daysBefore(days)}, code: { sql: "100 / (code - ${failing})" } }\n`
      const text = `public.visits: drop_rows\n${rules}`
      return opener(fork)(session =>
        checkMaskFile(session, { name: 'masking.yml', path: 'masking.yml', text }),
      )
    }
    expect(await check(10, 30)).toMatchObject({ columns: 1, untried: 0 })
    expect(await check(10, 11)).toMatchObject({ columns: 1, untried: 0 })
    await expect(check(10, 10)).rejects.toThrow('the rule for public.hits.code fails')
    await expect(check(35, 30)).rejects.toThrow('the rule for public.hits.code fails')
  })

  it('refuses a hypertable that a foreign key references', async () => {
    const fork = await createFork(bench, parent)
    await runSql(
      fork,
      `CREATE TABLE orders (id int, time timestamptz NOT NULL, PRIMARY KEY (id, time)); SELECT create_hypertable('orders', 'time');
       CREATE TABLE parts (id int, time timestamptz, FOREIGN KEY (id, time) REFERENCES orders)`,
    )
    await expect(
      mask(fork, 'public.orders: { newer_than: 1 day }\npublic.visits: drop_rows\n'),
    ).rejects.toThrow(
      'masking.yml:1:1: public.orders is referenced by parts (parts_id_time_fkey): newer_than would break this foreign key',
    )
  })

  it('names tiered chunks outside the window, which stay, and keeps their rows out of continuous aggregates', async () => {
    const fork = await createFork(bench, parent)
    const columns = 'time timestamptz NOT NULL, line text'
    await runSql(
      fork,
      `CREATE TABLE trips (${columns}); SELECT create_hypertable('trips', 'time', chunk_time_interval => interval '1 day');
       INSERT INTO trips SELECT ${today} - n * interval '1 day' + interval '1 minute', 'Trip' FROM generate_series(0, 39) AS n`,
    )
    await attachTiered(fork, 'trips', columns)
    await runSql(
      fork,
      `CREATE MATERIALIZED VIEW trip_days WITH (timescaledb.continuous, timescaledb.materialized_only) AS
       SELECT time_bucket('1 day', time) AS day, count(*) FROM trips GROUP BY 1 WITH NO DATA`,
    )
    await runSql(fork, "CALL refresh_continuous_aggregate('trip_days', NULL, NULL)")
    const days = () =>
      runSql(
        fork,
        `SELECT count(*)::int AS days, min(day) < ${today} - interval '20 days' AS old FROM trip_days`,
      )
    expect(await days()).toEqual([{ days: 41, old: true }])
    const rules = `public.visits: { person: keep, page: keep }\npublic.trips: { newer_than: ${await daysBefore(20)}, line: keep }\n`
    const { names, proof } = await shortenedOf(fork, rules)
    expect(names?.[0]).toMatch(
      /\. Tiered chunks stay, because drop_chunks cannot drop them on a fork: tiered$/,
    )
    expect(proof.notSearched).toContain('tiered: foreign parts of public.trips')
    expect(await days()).toEqual([{ days: 21, old: false }])
    expect(await runSql(fork, "SELECT FROM trips WHERE time < '2021-01-01'")).toHaveLength(1)
    await runAsSuperuser(
      fork,
      `CREATE SCHEMA timescaledb_osm; GRANT USAGE ON SCHEMA timescaledb_osm TO tsdbadmin;
       CREATE VIEW timescaledb_osm.tiered_chunks AS SELECT 'public'::name AS hypertable_schema, 'trips'::name AS hypertable_name,
         'chunk_' || n AS chunk_name, now() - n * interval '1 day' AS range_start, now() - (n - 1) * interval '1 day' AS range_end
       FROM unnest(array[40, 5, 30]) AS n; GRANT SELECT ON timescaledb_osm.tiered_chunks TO tsdbadmin`,
    )
    const { shortened } = await mask(fork, rules)
    expect(shortened).toMatchObject([{ tiered: ['chunk_40', 'chunk_30'] }])
    await expect(mask(fork, rules.replace('line: keep', 'line: text'))).rejects.toThrow(
      'public.trips has rows that cannot be changed, in tiered: only drop_rows is possible',
    )
  })

  it('refuses a continuous aggregate with tiered chunks, before it drops a chunk', async () => {
    const fork = await createFork(bench, parent)
    const [{ stored } = { stored: '' }] = await runSql(
      fork,
      `SELECT format('%I.%I', materialization_hypertable_schema, materialization_hypertable_name) AS stored
       FROM timescaledb_information.continuous_aggregates WHERE view_name = 'daily'`,
    )
    await attachTiered(fork, String(stored), 'day timestamptz NOT NULL, page text, first text')
    await expect(
      mask(fork, 'public.visits: { newer_than: 20 days, person: keep, page: keep }\n'),
    ).rejects.toThrow('newer_than cannot delete the tiered rows of the continuous aggregates public.daily')
    expect(await sizes(fork)).toMatchObject([{ rows: 2000 }])
  })
})
