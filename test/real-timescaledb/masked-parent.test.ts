/** Tests create-masked-parent with the real TimescaleDB. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createService, type Outputs, runSql } from '../support/fork.ts'
import { openRepository, type Repository } from '../support/pull-request.ts'
import { describeReal, programs, readScheduledJobs } from './support.ts'

/** Original values that no step may show and no masked database may contain. */
const canaries = ['Person number 17', 'Person number 1999', 'Page of person 7']

let repository: Repository
let production: Outputs
let workspace: string

async function fill(): Promise<void> {
  await runSql(production, 'CREATE EXTENSION timescaledb')
  await runSql(
    production,
    `CREATE TABLE visits (time timestamptz NOT NULL, person text, page text);
     SELECT create_hypertable('visits', 'time', chunk_time_interval => interval '1 day');
     ALTER TABLE visits SET (timescaledb.compress, timescaledb.compress_segmentby = 'page');
     INSERT INTO visits SELECT '2026-01-01'::timestamptz + n * interval '5 minutes', 'Person number ' || n, 'Page of person ' || n % 20
       FROM generate_series(1, 2000) AS n;
     SELECT add_compression_policy('visits', interval '90 years');
     SELECT add_retention_policy('visits', interval '90 years')`,
  )
  await runSql(
    production,
    `CREATE MATERIALIZED VIEW daily WITH (timescaledb.continuous) AS
     SELECT time_bucket('1 day', time) AS day, page, min(person) AS first FROM visits GROUP BY 1, 2 WITH NO DATA`,
  )
  await runSql(production, "CALL refresh_continuous_aggregate('daily', NULL, NULL)")
  await runSql(production, "SELECT add_continuous_aggregate_policy('daily', '3 days', '1 hour', '1 hour')")
  await runSql(
    production,
    "SELECT compress_chunk(chunk, if_not_compressed => true) FROM show_chunks('visits', older_than => '2026-01-06'::timestamptz) AS chunk",
  )
  await runSql(production, 'ANALYZE')
}

/** How much of everything there is, and how often an original stands in rows, aggregates and statistics. */
async function countIn(outputs: Outputs) {
  const [counts] = await runSql(
    outputs,
    `SELECT (SELECT count(*) FROM visits)::int AS rows, (SELECT count(*) FROM daily)::int AS days,
       (SELECT count(*) FROM timescaledb_information.chunks WHERE is_compressed)::int AS compressed,
       (SELECT count(*) FROM visits WHERE person ~ 'Person number' OR page ~ 'Page of')::int
         + (SELECT count(*) FROM daily WHERE first ~ 'Person number' OR page ~ 'Page of')::int
         + (SELECT count(*) FROM pg_stats WHERE concat(most_common_vals, histogram_bounds) ~ 'Person number|Page of')::int AS originals`,
  )
  return counts
}

describeReal('a masked copy', () => {
  beforeAll(async () => {
    repository = await openRepository({ programs, steps: 'process' })
    workspace = mkdtempSync(join(tmpdir(), 'workspace-'))
    production = await createService(repository.bench)
    for (const text of canaries)
      repository.bench.watch.know({ label: 'an original', text, user: 'tsdbadmin' })
    await fill()
  }, 180_000)
  afterAll(async () => {
    rmSync(workspace, { recursive: true })
    await repository.stop()
  })

  it('gives previews without an original in chunks, aggregates or statistics, and compressed as before', async () => {
    const before = await countIn(production)
    expect(before.originals).toBeGreaterThan(2000)
    writeFileSync(join(workspace, 'masking.yml'), 'public.visits: { person: name, page: text }\n')
    const created = await repository.onEvent(
      'schedule',
      {
        ...{ operation: 'create-masked-parent', service_id: production.service_id as string },
        mask_file: 'masking.yml',
      },
      { environment: { GITHUB_WORKSPACE: workspace } },
    )
    expect(created.exitCode, created.stdout).toBe(0)
    expect(created.stdout).toMatch(/quarantined: 3 jobs/)
    expect(created.stdout).toMatch(
      /is masked: 2 columns, 2000 rows; none of \d{4} originals of 1 column found .*; 1 more column had no original to search for/,
    )

    const number = repository.github.openPullRequest()
    const preview = await repository.on('synchronize', number, {
      ...{ operation: 'create-preview', service_id: production.service_id as string, masked: 'true' },
    })
    expect(preview.exitCode, preview.stdout).toBe(0)
    expect(await countIn(preview.outputs)).toEqual({ ...before, originals: 0 })
    expect(await readScheduledJobs(preview.outputs)).toEqual([])
    expect(await countIn(production)).toEqual(before)
  })
})
