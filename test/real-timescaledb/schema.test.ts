/** Tests schemas with the real TimescaleDB. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareSchemas } from '#contents/schema/compare-schemas'
import { schemaOf } from '../contents/schema/support/databases.ts'
import { type Outputs, runSql } from '../support/fork.ts'
import type { Workbench } from '../support/workbench.ts'
import { describeReal, openRealService } from './support.ts'

let bench: Workbench
let service: Outputs

async function fill(): Promise<void> {
  await runSql(
    service,
    `CREATE TABLE conditions (time timestamptz NOT NULL, device int, value float);
     SELECT create_hypertable('conditions', by_range('time', interval '7 days'));
     CREATE INDEX by_device ON conditions (device, time);
     CREATE TABLE readings (time timestamptz NOT NULL, device int, value float);
     SELECT create_hypertable('readings', by_range('time', interval '7 days'));
     ALTER TABLE readings SET (timescaledb.compress);
     SELECT add_compression_policy('readings', interval '7 days');
     SELECT add_retention_policy('readings', interval '30 days');
     CREATE PROCEDURE tidy(job int, config jsonb) LANGUAGE sql AS 'SELECT 1';
     CREATE TABLE plain (id int)`,
  )
  await runSql(
    service,
    `CREATE MATERIALIZED VIEW daily WITH (timescaledb.continuous) AS
     SELECT time_bucket('1 day', time) AS day, avg(value) AS average FROM conditions GROUP BY 1 WITH NO DATA`,
  )
}

describeReal('the diff of a schema', () => {
  beforeAll(async () => {
    ;[bench, service] = await openRealService()
    await fill()
  }, 120_000)
  afterAll(() => bench.stop())

  test.for<[string, string[], string[]]>([
    [
      'rows, with their chunks, compressed as well, and a refreshed aggregate',
      [
        `INSERT INTO readings SELECT now() - n * interval '1 day', n, n FROM generate_series(1, 40) AS n;
           INSERT INTO conditions SELECT * FROM readings; SELECT compress_chunk(c) FROM show_chunks('readings') AS c; ANALYZE`,
        "CALL refresh_continuous_aggregate('daily', NULL, NULL)",
      ],
      [],
    ],
    ['a chunk that was dropped', ["SELECT drop_chunks('conditions', interval '20 days')"], []],
    [
      'a hypertable',
      ["SELECT create_hypertable('plain', by_range('id', 100))"],
      [
        '+ hypertable plain',
        '+ dimension plain.id chunk interval 100',
        '~ column plain.id: now not null',
        '+ index plain_id_idx on plain USING btree (id DESC)',
      ],
    ],
    [
      'another chunk interval',
      ["SELECT set_chunk_time_interval('conditions', interval '1 day')"],
      ['~ dimension conditions."time": chunk interval 7 days → 1 day'],
    ],
    [
      'compression',
      ["ALTER TABLE conditions SET (timescaledb.compress, timescaledb.compress_segmentby = 'device')"],
      ['~ hypertable conditions: now columnstore; now segmented by device'],
    ],
    [
      'a policy that was changed',
      [
        "SELECT alter_job(job_id, schedule_interval => interval '5 minutes') FROM timescaledb_information.jobs WHERE proc_name = 'policy_compression'",
      ],
      ['~ job policy_compression on readings: every 12:00:00 → 00:05:00'],
    ],
    [
      'a policy with another limit',
      [
        "SELECT remove_retention_policy('readings'); SELECT add_retention_policy('readings', interval '90 days')",
      ],
      ['~ job policy_retention on readings: with drop_after 30 days → drop_after 90 days'],
    ],
    [
      "a job of one's own, of whose configuration only names are told",
      [`SELECT add_job('tidy', '1h', config => '{"token": "secret-1"}', fixed_schedule => false)`],
      ['+ job tidy every 01:00:00 with token retry period 00:05:00'],
    ],
    [
      'an aggregate that was altered',
      ['ALTER MATERIALIZED VIEW daily SET (timescaledb.materialized_only = false)'],
      ['~ continuous aggregate daily: no longer materialized only'],
    ],
    [
      'an aggregate that is refreshed',
      ["SELECT add_continuous_aggregate_policy('daily', '3 days', '1 hour', '1 hour')"],
      [
        '+ job policy_refresh_continuous_aggregate on daily every 01:00:00 with end_offset 01:00:00, start_offset 3 days retry period 01:00:00',
      ],
    ],
    [
      'an aggregate of another definition',
      [
        'DROP MATERIALIZED VIEW daily',
        `CREATE MATERIALIZED VIEW daily WITH (timescaledb.continuous) AS
           SELECT time_bucket('1 day', time) AS day, max(value) AS average FROM conditions GROUP BY 1 WITH NO DATA`,
      ],
      [
        '~ continuous aggregate daily: chunk interval 70 days → 10 days; definition; now materialized only',
        '-         avg(value) AS average',
        '+         max(value) AS average',
        '- job policy_refresh_continuous_aggregate on daily every 01:00:00 with end_offset 01:00:00, start_offset 3 days retry period 01:00:00',
      ],
    ],
    [
      'a hypertable and its columns with other names',
      [
        'ALTER TABLE readings RENAME TO measures; ALTER TABLE measures RENAME device TO sensor; ALTER TABLE measures RENAME time TO at',
      ],
      [
        '~ table readings: renamed to measures',
        '~ dimension readings."time": renamed to at',
        '~ column readings."time": renamed to at',
        '~ column readings.device: renamed to sensor',
      ],
    ],
    ['a column of a hypertable', ['ALTER TABLE measures ADD note text'], ['+ column measures.note text']],
    [
      'an index of a hypertable',
      ['CREATE INDEX by_value ON measures (value)'],
      ['+ index by_value on measures USING btree (value)'],
    ],
  ])('%s', async ([, statements, expected]) => {
    const before = await schemaOf(service)
    for (const statement of statements) await runSql(service, statement)
    const { text } = compareSchemas(before, await schemaOf(service))
    expect(text).not.toMatch(/_timescaledb|_hyper_|secret/)
    expect(text.split('\n').filter(Boolean)).toEqual(expected)
  })
})
