/** Tests the rehearsal with the real TimescaleDB. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { rehearseSql } from '../contents/rehearsal/support/rehearsed.ts'
import { type Outputs, runAsSuperuser, runSql } from '../support/fork.ts'
import type { Workbench } from '../support/workbench.ts'
import { describeReal, openRealService } from './support.ts'

let bench: Workbench
let service: Outputs

/** A hypertable of 300 days, a chunk each; the first hundred are compressed. */
const hypertable = `
  DROP TABLE IF EXISTS conditions CASCADE;
  CREATE TABLE conditions (time timestamptz NOT NULL, device int, value float, note text);
  SELECT create_hypertable('conditions', 'time', chunk_time_interval => interval '1 day');
  INSERT INTO conditions
    SELECT day + n * interval '1 minute', n, n, 'x'
    FROM generate_series(timestamptz '2025-01-01', timestamptz '2025-10-27', '1 day') day, generate_series(1, 3) n;
  ALTER TABLE conditions SET (timescaledb.compress, timescaledb.compress_segmentby = 'device');
  SELECT count(compress_chunk(chunk)) FROM show_chunks('conditions', older_than => timestamptz '2025-04-11') chunk;
  ANALYZE conditions`

const plain = `
  DROP TABLE IF EXISTS plain; CREATE TABLE plain (time timestamptz NOT NULL, n int);
  INSERT INTO plain SELECT timestamptz '2025-01-01' + n * interval '1 day', n FROM generate_series(1, 100) n; ANALYZE plain`

describeReal('a rehearsal', () => {
  beforeAll(async () => {
    ;[bench, service] = await openRealService()
  }, 120_000)
  afterAll(() => bench.stop())
  beforeEach(() => runSql(service, hypertable), 120_000)

  it('reports the chunks of a hypertable as one row', async () => {
    const { rehearsal } = await rehearseSql(service, 'ALTER TABLE conditions ADD COLUMN place text')
    expect(rehearsal.problem).toBeUndefined()
    expect(rehearsal).toMatchObject({ verdict: 'passed', destructive: false })
    const [statement] = rehearsal.statements
    expect(statement?.locks).toMatchObject([
      { table: 'conditions', mode: 'ACCESS EXCLUSIVE', blocks: ['reads', 'writes'] },
    ])
    expect(statement?.locks[0]?.parts).toBeGreaterThanOrEqual(300)
  })

  it('counts rows, rewrites and losses of the hypertable, in every chunk', async () => {
    const { rehearsal, failure } = await rehearseSql(
      service,
      `UPDATE conditions SET value = 0 WHERE time > '2025-06-01'; DELETE FROM conditions WHERE time > '2025-10-20';
         ALTER TABLE conditions DROP COLUMN note; SELECT drop_chunks('conditions', older_than => timestamptz '2025-01-11')`,
    )
    expect(failure).toBeUndefined()
    expect(rehearsal.statements[0]?.rows).toMatchObject([{ table: 'conditions', updated: 447 }])
    expect(rehearsal.effects.map(({ message }) => message)).toMatchObject([
      '10 parts of conditions dropped, 30 rows',
      'column conditions.note dropped, 900 values',
      '24 rows deleted from conditions',
    ])
  })

  const losses: [name: string, sql: string, messages: string[]][] = [
    [
      'compressed chunks',
      "SELECT compress_chunk(chunk) FROM show_chunks('conditions', newer_than => timestamptz '2025-10-12') chunk",
      [],
    ],
    [
      'chunks that are no longer compressed',
      "SELECT decompress_chunk(chunk) FROM show_chunks('conditions', older_than => timestamptz '2025-04-01') chunk; UPDATE conditions SET note = 'y'",
      [],
    ],
    ['an update of compressed rows', "UPDATE conditions SET note = 'y'", []],
    [
      'rows deleted in compressed chunks',
      "DELETE FROM conditions WHERE time < '2025-04-05'",
      ['282 rows deleted from conditions'],
    ],
    [
      'rows of one device deleted',
      'DELETE FROM conditions WHERE device = 2',
      ['300 rows deleted from conditions'],
    ],
    ['all chunks dropped', 'TRUNCATE conditions', ['300 parts of conditions dropped, 900 rows']],
    [
      'a table that becomes a hypertable',
      `SELECT create_hypertable('plain', 'time', migrate_data => true); UPDATE plain SET n = 0`,
      [],
    ],
    [
      'a retention policy',
      "SELECT add_retention_policy('conditions', now() - timestamptz '2025-01-11')",
      [expect.stringMatching(/^a policy deletes chunks of conditions that are older than .*, now 30 rows$/)],
    ],
    [
      'a retention policy without rows to delete',
      "SELECT add_retention_policy('conditions', interval '100 years')",
      [],
    ],
  ]
  it.each(losses)('finds the losses of a hypertable: %s', async (_, sql, messages) => {
    await runSql(service, plain)
    const { rehearsal, failure } = await rehearseSql(service, sql)
    expect(failure).toBeUndefined()
    expect(rehearsal.problem).toBeUndefined()
    expect(rehearsal.effects.flatMap(({ message, destructive }) => (destructive ? [message] : []))).toEqual(
      messages,
    )
  })

  const withoutFingerprint: [name: string, sql: string, messages: string[]][] = [
    ...losses.filter(([name]) => /compressed$|compressed rows|becomes/.test(name)),
    [
      'rows deleted in compressed chunks',
      "DELETE FROM conditions WHERE time < '2025-04-05'",
      ['an unknown number of rows deleted from conditions'],
    ],
    [
      'other rows deleted',
      "DELETE FROM conditions WHERE time > '2025-10-20'",
      ['24 rows deleted from conditions'],
    ],
    [
      'a retention policy',
      "SELECT add_retention_policy('conditions', now() - timestamptz '2025-01-11')",
      [expect.stringMatching(/, now an unknown number of rows$/)],
    ],
  ]
  it.each(withoutFingerprint)(
    'finds the losses of a hypertable without a fingerprint: %s',
    async (_, sql, messages) => {
      await runSql(service, plain)
      await runAsSuperuser(
        service,
        "UPDATE pg_class SET relpages = 20000 WHERE relname ~ '_chunk$' OR relname = 'plain'",
      )
      const { rehearsal } = await rehearseSql(service, sql)
      expect(rehearsal.effects.flatMap(({ message, destructive }) => (destructive ? [message] : []))).toEqual(
        messages,
      )
    },
  )

  /** Two requests, because refreshing refuses a transaction. */
  async function createAggregate(): Promise<void> {
    await runSql(
      service,
      `CREATE MATERIALIZED VIEW daily WITH (timescaledb.continuous) AS
         SELECT time_bucket('1 day', time) AS day, count(*) FROM conditions GROUP BY 1 WITH NO DATA`,
    )
    await runSql(service, "CALL refresh_continuous_aggregate('daily', NULL, NULL)")
  }

  it('names the continuous aggregate that a retention policy belongs to', async () => {
    await createAggregate()
    const { rehearsal } = await rehearseSql(service, "SELECT add_retention_policy('daily', interval '1 day')")
    expect(rehearsal.effects).toMatchObject([
      {
        message: 'a policy deletes chunks of daily that are older than 1 day, now an unknown number of rows',
        destructive: true,
      },
    ])
  })

  it('reports a retention policy as a loss if its job has deleted the chunks before they are counted', async () => {
    await createAggregate()
    const untilTheJobEnds = `DO $$ BEGIN
      WHILE EXISTS (SELECT FROM timescaledb_information.chunks WHERE hypertable_name ~ '^_materialized') LOOP
        COMMIT; PERFORM pg_sleep(0.05);
      END LOOP; END $$`
    const { rehearsal, failure } = await rehearseSql(
      service,
      `SELECT add_retention_policy('daily', interval '1 day'); ${untilTheJobEnds}`,
      { transaction: false },
    )
    expect(failure).toBeUndefined()
    expect(rehearsal.effects).toMatchObject([
      { message: expect.stringMatching(/unknown number of rows$/), destructive: true },
    ])
  })

  it('advises for an index the options of hypertables', async () => {
    const { rehearsal } = await rehearseSql(service, 'CREATE INDEX ON conditions (value)', {
      limits: { maxWriteBlock: 0 },
    })
    expect(rehearsal.violations).toMatchObject([
      {
        ...{ table: 'conditions', limit: 'max_write_block' },
        advice: expect.stringContaining('timescaledb.transaction_per_chunk'),
      },
    ])
    const better = 'CREATE INDEX ON conditions (device) WITH (timescaledb.transaction_per_chunk)'
    const { failure } = await rehearseSql(service, better, { transaction: false })
    expect(failure).toBeUndefined()
  })

  it('advises only against statements that a hypertable with columnstore refuses', async () => {
    const isRefused = async (sql: string) =>
      (await rehearseSql(service, sql, { transaction: false })).failure !== undefined
    expect(await isRefused('CREATE INDEX CONCURRENTLY ON conditions (value)')).toBe(true)
    await runSql(service, 'ALTER TABLE conditions ADD CONSTRAINT warm CHECK (value >= 0) NOT VALID')
    expect(await isRefused('ALTER TABLE conditions VALIDATE CONSTRAINT warm')).toBe(true)
    await runSql(service, 'CREATE UNIQUE INDEX one ON conditions (time, device)')
    expect(await isRefused('ALTER TABLE conditions ADD UNIQUE USING INDEX one')).toBe(true)
  })
})
