/** Tests the stand-ins for extensions. */
import { readdir } from 'node:fs/promises'
import type { Client } from 'pg'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { addStandIns } from '../../../../emulator/clusters/installation/stand-ins.ts'
import { openClusters } from '../../../../emulator/clusters/open-clusters.ts'
import type { Address } from '../../../../emulator/data-plane.ts'
import { openRoot } from '../../../support/database-folder.ts'
import { newId, query, useClusters, withClient } from '../support.ts'

const plane = useClusters({ snapshotAfter: 60_000, extensions: false })

let address: Address
const ask = (sql: string) => query(address, 'p', sql)
const gives = async (sql: string, rows: object[]) => expect(await ask(sql)).toEqual(rows)
const refuses = (sql: string, problem: string) => expect(ask(sql)).rejects.toThrow(problem)
/** The one value that the query gives, as text. */
const value = async (expression: string) =>
  (await query<{ value: string }>(address, 'p', `SELECT (${expression})::text AS value`))[0]?.value
beforeAll(async () => {
  address = await plane().createService(newId(), 'p')
})

async function collectNotices(client: Client, sql: string): Promise<string[]> {
  const notices: string[] = []
  client.on('notice', ({ message }) => notices.push(message ?? ''))
  await client.query(sql)
  return notices
}

test.each(['timescaledb', 'vector'])('%s has the comment of a stand-in', async name => {
  const notices = await withClient(address, 'p', client => collectNotices(client, `CREATE EXTENSION ${name}`))
  expect(notices).toEqual([expect.stringContaining('stand-in of the emulator')])
  const about = `SELECT comment FROM pg_available_extensions WHERE name = '${name}'`
  await gives(about, [{ comment: expect.stringContaining('stand-in') }])
})

describe('time_bucket', () => {
  it.each([
    ["time_bucket('5 minutes', timestamptz '2021-01-01 00:07:30+00')", '2021-01-01 00:05:00+00'],
    ["time_bucket('1 week', date '2021-08-01')", '2021-07-26'],
    ["time_bucket('1 week', timestamp '1999-12-31 10:00')", '1999-12-27 00:00:00'],
    ["time_bucket('1 week', date '2021-08-01', origin => date '2021-08-01')", '2021-08-01'],
    ["time_bucket('1 day', timestamp '2020-01-01 05:00', INTERVAL '6 hours')", '2019-12-31 06:00:00'],
    ["time_bucket('3 months', date '2021-05-15')", '2021-04-01'],
    ["time_bucket('1 year', timestamptz '1999-05-15 03:00+00')", '1999-01-01 00:00:00+00'],
    [
      "time_bucket('2 months', timestamptz '2021-02-15', origin => timestamptz '2021-02-20')",
      '2021-02-01 00:00:00+00',
    ],
    ["time_bucket('1 month', timestamptz '2022-03-15', 'Europe/Berlin')", '2022-02-28 23:00:00+00'],
    [
      "time_bucket('1 day', timestamptz '2022-03-28 01:00+00', timezone => 'Europe/Berlin')",
      '2022-03-27 22:00:00+00',
    ],
    ['time_bucket(10, -1)', '-10'],
    ['time_bucket(10, 11, 2)', '2'],
    ['time_bucket(3::smallint, 8::smallint)', '6'],
    ['time_bucket(100::bigint, 1000000000123)', '1000000000100'],
    ["time_bucket('1 day', NULL::timestamptz) IS NULL", 'true'],
  ])('%s is %s', async (expression, expected) => {
    expect(await value(expression)).toBe(expected)
  })

  it('refuses an invalid width', async () => {
    await expect(value("time_bucket('0 days', now())")).rejects.toThrow('period must be greater than 0')
    await expect(value("time_bucket('1 month 1 day', now())")).rejects.toThrow('intervals cannot have day')
  })
})

describe('a hypertable', () => {
  it('is created by either signature, from a table that is empty or may be migrated', async () => {
    await ask('CREATE TABLE conditions (time timestamptz NOT NULL, device int, temperature float8)')
    await gives("SELECT * FROM create_hypertable('conditions', 'time', 'device', 4)", [
      { hypertable_id: 1, schema_name: 'public', table_name: 'conditions', created: true },
    ])
    await refuses("SELECT create_hypertable('conditions', 'time')", 'is already a hypertable')
    const again =
      "SELECT created FROM create_hypertable('conditions', by_range('time'), if_not_exists => true)"
    await gives(again, [{ created: false }])
    await ask(
      `CREATE TABLE metrics (at bigint, host text, v int); INSERT INTO metrics VALUES (5, 'a', 1), (25, 'b', 2)`,
    )
    await refuses("SELECT create_hypertable('metrics', by_range('at', 10))", 'is not empty')
    await ask(`SELECT create_hypertable('metrics', by_range('at', 10), migrate_data => true);
      SELECT add_dimension('metrics', by_hash('host', 2)); SELECT set_chunk_time_interval('conditions', INTERVAL '1 day')`)
    const columns =
      'hypertable_name AS name, column_name AS column, time_interval::text, integer_interval, num_partitions'
    await gives(`SELECT ${columns} FROM timescaledb_information.dimensions ORDER BY 1, dimension_number`, [
      {
        name: 'conditions',
        column: 'time',
        time_interval: '24:00:00',
        integer_interval: null,
        num_partitions: null,
      },
      {
        name: 'conditions',
        column: 'device',
        time_interval: null,
        integer_interval: null,
        num_partitions: 4,
      },
      { name: 'metrics', column: 'at', time_interval: null, integer_interval: '10', num_partitions: null },
      { name: 'metrics', column: 'host', time_interval: null, integer_interval: null, num_partitions: 2 },
    ])
    expect(await ask("SELECT indexname FROM pg_indexes WHERE tablename = 'conditions'")).toHaveLength(1)
  })

  it('refuses the same statements as TimescaleDB', async () => {
    await ask('CREATE TABLE keyed (id int PRIMARY KEY, time timestamptz); CREATE TABLE named (name text)')
    const cases = [
      ["'keyed', 'time'", 'cannot create a unique index without the column "time"'],
      ["'keyed', 'nothing'", 'column "nothing" does not exist'],
      ["'named', by_range('name')", 'invalid type for dimension'],
      ["'keyed', by_range('id')", 'integer dimensions require an explicit interval'],
    ]
    for (const [args, problem] of cases)
      await expect(ask(`SELECT create_hypertable(${args})`)).rejects.toThrow(problem)
    await refuses("SELECT add_retention_policy('keyed', INTERVAL '1 day')", 'is not a hypertable')
    await gives("SELECT FROM timescaledb_information.hypertables WHERE hypertable_name = 'keyed'", [])
  })

  it('shows the chunks that it would have, and drops their rows', async () => {
    await ask(`INSERT INTO conditions SELECT timestamptz '2024-01-01 12:00+00' + n * INTERVAL '12 hours', 1, n
      FROM generate_series(0, 5) AS n`)
    expect(await ask("SELECT * FROM show_chunks('conditions')")).toHaveLength(4)
    expect(await ask("SELECT show_chunks('conditions', older_than => DATE '2024-01-03')")).toHaveLength(2)
    expect(await ask("SELECT drop_chunks('conditions', TIMESTAMPTZ '2024-01-02 23:00+00')")).toHaveLength(1)
    expect(await value('SELECT min(time) FROM conditions')).toBe('2024-01-02 00:00:00+00')
    expect(
      await ask(
        "SELECT drop_chunks('conditions', older_than => INTERVAL '1 day', newer_than => INTERVAL '100 years')",
      ),
    ).toHaveLength(3)
    expect(await ask("SELECT drop_chunks('metrics', older_than => 20)")).toHaveLength(1)
    await gives('SELECT v FROM metrics', [{ v: 2 }])
    const [row] = await ask(
      "SELECT * FROM timescaledb_information.hypertables WHERE hypertable_name = 'metrics'",
    )
    expect(row).toMatchObject({
      num_dimensions: 2,
      num_chunks: '1',
      primary_dimension: 'at',
      owner: 'tsdbadmin',
    })
    expect(Number(await value("hypertable_size('metrics')"))).toBeGreaterThan(0)
  })

  it('has policies that run on request', async () => {
    await ask(`INSERT INTO conditions VALUES ('2024-01-01', 1, 1), (now(), 1, 2);
      SELECT add_compression_policy('conditions', INTERVAL '7 days');
      CALL add_columnstore_policy('conditions', after => INTERVAL '7 days', if_not_exists => true)`)
    const id = await value("add_retention_policy('conditions', INTERVAL '6 months')")
    expect(
      await value(
        "add_retention_policy('conditions', drop_after => INTERVAL '6 months', if_not_exists => true)",
      ),
    ).toBe('-1')
    await ask(`CALL run_job(${id})`)
    expect(await value('SELECT count(*) FROM conditions')).toBe('1')
    await ask(`CREATE MATERIALIZED VIEW daily AS SELECT time_bucket('1 day', time) AS day, last(temperature, time) FROM conditions GROUP BY 1;
      SELECT add_continuous_aggregate_policy('daily', NULL, INTERVAL '1 hour', INTERVAL '1 hour');
      INSERT INTO conditions VALUES ('2024-01-01', 1, 1); CALL refresh_continuous_aggregate('daily', NULL, NULL)`)
    expect(await value('SELECT count(*) FROM daily')).toBe('2')
    await ask(`CREATE TABLE calls (job int, config jsonb);
      CREATE PROCEDURE note(job_id int, config jsonb) LANGUAGE sql AS 'INSERT INTO calls VALUES ($1, $2)'`)
    await ask(`CALL run_job(${await value(`add_job('note', '1 hour', config => '{"a": 1}')`)})`)
    await gives('SELECT config FROM calls', [{ config: { a: 1 } }])
    const jobs =
      'SELECT proc_name, schedule_interval::text AS every, hypertable_name AS name, config FROM timescaledb_information.jobs ORDER BY job_id'
    await gives(jobs, [
      {
        proc_name: 'policy_compression',
        every: '12:00:00',
        name: 'conditions',
        config: { compress_after: '7 days' },
      },
      { proc_name: 'policy_retention', every: '1 day', name: 'conditions', config: { drop_after: '6 mons' } },
      {
        ...{ proc_name: 'policy_refresh_continuous_aggregate', every: '01:00:00', name: 'daily' },
        config: { end_offset: '01:00:00' },
      },
      { proc_name: 'note', every: '01:00:00', name: null, config: { a: 1 } },
    ])
    await ask("SELECT remove_retention_policy('conditions')")
    await refuses("SELECT remove_retention_policy('conditions')", 'retention policy not found')
  })

  it('has first, last and histogram, of any type', async () => {
    await ask(`CREATE TABLE r (at timestamptz, n numeric, s text);
      INSERT INTO r VALUES ('2024-01-02', 2.50, 'b'), ('2024-01-01', 1, NULL), (NULL, 9, 'x'), ('2024-01-03', 3, 'c')`)
    await gives('SELECT first(n, at), first(s, at) AS none, last(s, at), last(at, n)::text AS at FROM r', [
      { first: '1', none: null, last: 'c', at: null },
    ])
    await gives('SELECT histogram(n::float8, 0, 4, 4) FROM r', [{ histogram: [0, 0, 1, 1, 1, 1] }])
  })

  it('is visible to each role, and disappears with its table', async () => {
    await ask(`CREATE ROLE app LOGIN PASSWORD 'a'; GRANT CREATE ON SCHEMA public TO app`)
    const sql = "CREATE TABLE own (t timestamptz NOT NULL); SELECT create_hypertable('own', 't')"
    await query(address, 'a', sql, { user: 'app' })
    await expect(
      query(address, 'a', "SELECT set_chunk_time_interval('conditions', 'x'::text)", { user: 'app' }),
    ).rejects.toThrow()
    await query(address, 'a', 'DROP TABLE own', { user: 'app' })
    expect(await value("SELECT count(*) FROM timescaledb_information.hypertables WHERE owner = 'app'")).toBe(
      '0',
    )
  })
})

describe('a vector', () => {
  it('has dimensions, which are checked, and distances', async () => {
    await ask(`CREATE TABLE items (id serial, embedding vector(3));
      INSERT INTO items (embedding) VALUES ('[1, 2.50,3]'), (ARRAY[4, 5, 6]), (NULL)`)
    await refuses("INSERT INTO items (embedding) VALUES ('[1,2]')", 'expected 3 dimensions, not 2')
    await refuses("SELECT '[1]'::vector <-> '[1,2]'", 'different vector dimensions 1 and 2')
    await refuses("SELECT '1,2'::vector", 'invalid input syntax')
    await gives(
      "SELECT embedding FROM items WHERE embedding IS NOT NULL ORDER BY embedding <-> '[4,5,5]' LIMIT 1",
      [{ embedding: '[4,5,6]' }],
    )
    await gives('SELECT avg(embedding), sum(embedding), max(vector_dims(embedding)) FROM items', [
      { avg: '[2.5,3.75,4.5]', sum: '[5,7.5,9]', max: 3 },
    ])
    const distances = ['<->', '<#>', '<=>', '<+>'].map(sign => `'[3,4]'::vector ${sign} '[0,1]' AS "${sign}"`)
    await gives(`SELECT ${distances.join(', ')}`, [
      { '<->': Math.sqrt(18), '<#>': -4, '<=>': expect.closeTo(0.2, 12), '<+>': 6 },
    ])
    expect(await value("l2_normalize('[3,4]')")).toBe('[0.6,0.8]')
    expect(await value("'[1,2]'::vector + '[3,4]' = '[4,6]'")).toBe('true')
    const format =
      "SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attname = 'embedding'"
    await gives(`${format} AND attrelid = 'items'::regclass`, [{ type: 'vector(3)' }])
  })

  it('can be indexed by hnsw and ivfflat, without options', async () => {
    await ask(`CREATE INDEX ON items USING hnsw (embedding vector_cosine_ops); CREATE INDEX ON items USING ivfflat (embedding);
      INSERT INTO items (embedding) SELECT format('[%s,%s,%s]', n, n, n)::vector FROM generate_series(10, 1000) AS n`)
    const big = `[${Array.from({ length: 3000 }, (_, n) => n / 7).join(',')}]`
    await ask(
      `CREATE TABLE long (v vector(3000)); CREATE INDEX ON long USING hnsw (v vector_l2_ops); INSERT INTO long VALUES ('${big}')`,
    )
    await gives("SELECT embedding FROM items WHERE embedding = '[4.0,5,6]'", [{ embedding: '[4,5,6]' }])
    await refuses(
      'CREATE INDEX ON items USING ivfflat (embedding) WITH (lists = 100)',
      'unrecognized parameter "lists"',
    )
  })
})

test('an installed extension has no stand-in', async () => {
  await using folder = await openRoot()
  await addStandIns(folder.path, new Set(['vector', 'plpgsql']), undefined)
  const names = await readdir(folder.path)
  expect(names.filter(name => name.endsWith('.control'))).toEqual(['timescaledb.control'])
})

test('stand-ins can be disabled', async () => {
  await using root = await openRoot()
  const other = await openClusters({ extensions: false, root: root.path, standIns: false })
  try {
    const own = await other.createService('s', 'p')
    await expect(query(own, 'p', 'CREATE EXTENSION vector')).rejects.toThrow('"vector" is not available')
  } finally {
    await other.close()
  }
})

describe('a statement that needs the real TimescaleDB', () => {
  beforeAll(async () => {
    await ask('CREATE TABLE readings (at timestamptz NOT NULL, value float)')
  })

  it.each([
    [
      "CREATE MATERIALIZED VIEW daily WITH (timescaledb.continuous) AS SELECT time_bucket('1 day', at) AS day FROM readings GROUP BY 1",
      'a continuous aggregate',
    ],
    [
      "ALTER TABLE readings SET (timescaledb.compress, timescaledb.compress_segmentby = 'value')",
      'SET (timescaledb.…)',
    ],
    ['CREATE TABLE others (at timestamptz) WITH (tsdb.hypertable)', 'CREATE TABLE … WITH (timescaledb.…)'],
    ["SELECT time_bucket_gapfill('1 day', at) FROM (SELECT now() AS at) AS moments", 'time_bucket_gapfill'],
  ])('is refused with a hint: %s', async (sql, missing) => {
    await expect(ask(sql)).rejects.toMatchObject({
      message: `${missing} needs the real TimescaleDB, and this is the stand-in of the emulator`,
      hint: expect.stringContaining('--extensions'),
    })
  })

  it.each([
    "ALTER TABLE readings SET (fillfactor = 90); COMMENT ON TABLE readings IS 'with (timescaledb.compress)'",
    'CREATE MATERIALIZED VIEW plain AS SELECT at FROM readings',
    'CREATE TABLE plain_too (id int) WITH (fillfactor = 90)',
  ])('is not: %s', async sql => {
    expect(await ask(sql).catch(error => error)).not.toBeInstanceOf(Error)
  })
})
