/** Tests the quarantine with the real TimescaleDB. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { renderProblems, renderQuarantine } from '#contents/quarantine/report'
import { createFork, type Outputs, quarantineDatabase, runAsSuperuser, runSql } from '../support/fork.ts'
import type { Workbench } from '../support/workbench.ts'
import { describeReal, openRealService, programs, readScheduledJobs } from './support.ts'

/** Debian's place for extensions, beside the programs. */
const share = join(programs, '../../../../share/postgresql', programs.split('/').at(-2) ?? '', 'extension')
const hasCron = existsSync(share) && readdirSync(share).includes('pg_cron.control')

const login = { user: 'app', password: 'production-1' }

let bench: Workbench
let parent: Outputs

async function fill(): Promise<void> {
  await runSql(
    parent,
    `CREATE ROLE app LOGIN PASSWORD '${login.password}'; GRANT CREATE ON SCHEMA public TO app`,
  )
  await runSql(
    parent,
    `CREATE TABLE sent (at timestamptz);
     CREATE PROCEDURE send_mail(job int, config jsonb) LANGUAGE sql AS 'INSERT INTO sent VALUES (clock_timestamp())';
     SELECT add_job('send_mail', '1s');
     CREATE TABLE conditions (time timestamptz NOT NULL, device int, value float);
     SELECT create_hypertable('conditions', 'time');
     ALTER TABLE conditions SET (timescaledb.compress);
     CREATE INDEX by_device ON conditions (device, time);
     SELECT add_retention_policy('conditions', interval '30 days');
     SELECT add_compression_policy('conditions', interval '7 days');
     SELECT add_reorder_policy('conditions', 'by_device')`,
  )
  await runSql(
    parent,
    `CREATE MATERIALIZED VIEW daily WITH (timescaledb.continuous) AS
     SELECT time_bucket('1 day', time) AS day, avg(value) FROM conditions GROUP BY 1 WITH NO DATA`,
  )
  await runSql(parent, "SELECT add_continuous_aggregate_policy('daily', '3 days', '1 hour', '1 hour')")
  await runSql(
    parent,
    `CREATE PROCEDURE long_haul(job int, config jsonb) LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(600); END';
     SELECT add_job('long_haul', '1s', scheduled => false)`,
    login,
  )
}

const count = async (outputs: Outputs) =>
  Number((await runSql(outputs, 'SELECT count(*) FROM sent'))[0].count)

/**
 * A fork in which mail is sent. TimescaleDB takes a job that ran while the fork was copied for one that has crashed, and
 * starts it five minutes later at the earliest (calculate_next_start_on_crash() in src/bgw/job_stat.c): so none runs then.
 */
async function createSendingFork(): Promise<Outputs> {
  const schedule = (outputs: Outputs, scheduled: boolean) =>
    runSql(outputs, `SELECT alter_job(1000, scheduled => ${scheduled})`)
  const running =
    "SELECT FROM timescaledb_information.job_stats WHERE job_id = 1000 AND job_status = 'Running'"
  await schedule(parent, false)
  try {
    await expect.poll(() => runSql(parent, running), { interval: 100, timeout: 30_000 }).toEqual([])
    const fork = await createFork(bench, parent)
    await schedule(fork, true)
    return fork
  } finally {
    await schedule(parent, true)
  }
}

const workers = async (outputs: Outputs) =>
  runSql(outputs, "SELECT application_name FROM pg_stat_activity WHERE application_name ~ '\\[\\d{4}\\]$'")

/** Waits until mail was sent from this very database. */
async function waitForMail(outputs: Outputs): Promise<void> {
  const before = await count(outputs)
  await expect.poll(() => count(outputs), { interval: 100, timeout: 30_000 }).toBeGreaterThan(before)
}

describeReal('the quarantine', () => {
  beforeAll(async () => {
    ;[bench, parent] = await openRealService()
    await fill()
  }, 120_000)
  afterAll(() => bench.stop())

  it('a fork sends no mail, and runs no policy and no job of another role, after its quarantine', async () => {
    await waitForMail(parent)
    const fork = await createSendingFork()
    await waitForMail(fork)
    await runSql(fork, 'SELECT alter_job(1005, scheduled => true)', login)
    await expect.poll(() => workers(fork), { interval: 100, timeout: 30_000 }).not.toEqual([])
    const report = await quarantineDatabase(fork)
    expect(report.undone).toEqual([])
    expect(renderQuarantine(report)).toBe('6 jobs, 1 login')
    expect(report.quarantined.map(({ name }) => name)).toEqual([
      'send_mail',
      'policy_retention on conditions',
      'policy_compression on conditions',
      'policy_reorder on conditions',
      'policy_refresh_continuous_aggregate on daily',
      'long_haul',
      'app',
    ])
    expect(await readScheduledJobs(fork)).toEqual([])
    expect(await workers(fork)).toEqual([])
    // The report counts the runs in between.
    const told = renderProblems(report)
    expect(told).toContainEqual(
      expect.stringMatching(/^send_mail in tsdb ran last [\d.]+ s before the quarantine$/),
    )
    expect(told).toContainEqual(expect.stringMatching(/^long_haul in tsdb ran last/))
    // The mail of the parent goes on for several rounds meanwhile.
    const silent = await count(fork)
    const sent = await count(parent)
    await expect.poll(() => count(parent), { interval: 200, timeout: 30_000 }).toBeGreaterThan(sent + 3)
    expect(await count(fork)).toBe(silent)
    // The rights of the other role were lent for a moment only.
    expect(await runSql(fork, "SELECT pg_has_role('app', 'usage') AS lent")).toEqual([{ lent: false }])
  })

  it('a job that is kept goes on, and one that is scheduled again is stopped again', async () => {
    const fork = await createSendingFork()
    const first = await quarantineDatabase(fork, {
      keepActive: { kinds: [], names: [{ kind: 'job', name: 'send_mail' }] },
    })
    expect(first.kept).toMatchObject([{ name: 'send_mail' }])
    await waitForMail(fork)
    await runSql(fork, "SELECT alter_job(1001, scheduled => true); SELECT add_job('send_mail', '1h')")
    const again = await quarantineDatabase(fork, { earlier: first })
    expect(again.undone).toEqual([])
    // Only the job that was added since.
    expect(await readScheduledJobs(fork)).toHaveLength(1)
  })

  it('if TimescaleDB keeps a history, the report counts the runs of a job in the fork', async () => {
    const fork = await createSendingFork()
    await runAsSuperuser(fork, 'ALTER SYSTEM SET timescaledb.enable_job_execution_logging = on')
    await runAsSuperuser(fork, 'SELECT pg_reload_conf()')
    const history = () =>
      runSql(
        fork,
        `SELECT FROM timescaledb_information.job_history
           WHERE proc_name = 'send_mail' AND start_time >= pg_postmaster_start_time()`,
      )
    await expect
      .poll(async () => (await history()).length, { interval: 100, timeout: 30_000 })
      .toBeGreaterThan(1)
    const { ran } = await quarantineDatabase(fork)
    expect(ran.find(({ job }) => job === 'send_mail')?.times).toBeGreaterThanOrEqual(2)
  })

  it('a job of the superuser is named, and all else is stopped', async () => {
    const fork = await createFork(bench, parent)
    await runAsSuperuser(fork, "SELECT public.add_job('public.send_mail', '1h')")
    const { undone, quarantined } = await quarantineDatabase(fork)
    expect(quarantined).toHaveLength(6)
    expect(undone).toMatchObject([
      { what: 'job send_mail in tsdb', reason: 'permission denied to grant role "postgres"' },
    ])
  })

  it.skipIf(!hasCron)(
    'jobs of pg_cron are gone, also those of another role (skipped where it is not installed)',
    async () => {
      await runAsSuperuser(parent, 'CREATE EXTENSION pg_cron; GRANT USAGE ON SCHEMA cron TO tsdbadmin, app')
      await runSql(parent, "SELECT cron.schedule('mail', '1 seconds', 'INSERT INTO sent VALUES (now())')")
      await runSql(
        parent,
        "CREATE TABLE ticks (at timestamptz); SELECT cron.schedule('tick', '1 seconds', 'INSERT INTO ticks VALUES (now())')",
        login,
      )
      const fork = await createFork(bench, parent)
      const ticks = () => runSql(fork, 'SELECT at FROM ticks', { ...fork })
      await expect
        .poll(async () => (await ticks()).length, { interval: 200, timeout: 30_000 })
        .toBeGreaterThan(1)
      const report = await quarantineDatabase(fork)
      expect(report.undone).toEqual([])
      expect(report.quarantined.map(({ name }) => name)).toEqual(expect.arrayContaining(['mail', 'tick']))
      expect(await runAsSuperuser(fork, 'SELECT jobname FROM cron.job')).toEqual([])
      expect(report.ran.map(({ job }) => job)).toEqual(expect.arrayContaining(['mail', 'tick']))
    },
  )
})
