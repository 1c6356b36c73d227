import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { rehearseSql } from '../contents/rehearsal/support/rehearsed.ts'
import { type Outputs, run } from '../support/fork.ts'
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

describeReal('a rehearsal', () => {
  beforeAll(async () => {
    ;[bench, service] = await openRealService()
  }, 120_000)
  afterAll(() => bench.stop())
  beforeEach(() => run(service, hypertable), 120_000)

  it('tells the chunks of a hypertable as one row', async () => {
    const { rehearsal } = await rehearseSql(service, 'ALTER TABLE conditions ADD COLUMN place text')
    expect(rehearsal.problem).toBeUndefined()
    expect(rehearsal).toMatchObject({ verdict: 'passed', destructive: false })
    const [statement] = rehearsal.statements
    expect(statement?.locks).toMatchObject([
      { table: 'conditions', mode: 'ACCESS EXCLUSIVE', blocks: ['reads', 'writes'] },
    ])
    expect(statement?.locks[0]?.parts).toBeGreaterThanOrEqual(300)
  })

  it('counts rows, rewrites and losses of the hypertable, whatever chunk they are in', async () => {
    const { rehearsal, failure } = await rehearseSql(
      service,
      `UPDATE conditions SET value = 0 WHERE time > '2025-06-01'; DELETE FROM conditions WHERE time > '2025-10-20';
         ALTER TABLE conditions DROP COLUMN note; SELECT drop_chunks('conditions', older_than => timestamptz '2025-01-11')`,
    )
    expect(failure).toBeUndefined()
    expect(rehearsal.statements[0]?.rows).toMatchObject([{ table: 'conditions', updated: 447 }])
    expect(rehearsal.effects.map(({ message }) => message)).toMatchObject([
      expect.stringMatching(/^10 parts of conditions dropped/),
      expect.stringMatching(/^column conditions\.note dropped, about \d+ values$/),
      '24 rows deleted from conditions',
    ])
  })

  it('advises for an index what hypertables know', async () => {
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

  it('advises against nothing but what a hypertable with columnstore refuses', async () => {
    const isRefused = async (sql: string) =>
      (await rehearseSql(service, sql, { transaction: false })).failure !== undefined
    expect(await isRefused('CREATE INDEX CONCURRENTLY ON conditions (value)')).toBe(true)
    await run(service, 'ALTER TABLE conditions ADD CONSTRAINT warm CHECK (value >= 0) NOT VALID')
    expect(await isRefused('ALTER TABLE conditions VALIDATE CONSTRAINT warm')).toBe(true)
    await run(service, 'CREATE UNIQUE INDEX one ON conditions (time, device)')
    expect(await isRefused('ALTER TABLE conditions ADD UNIQUE USING INDEX one')).toBe(true)
  })
})
