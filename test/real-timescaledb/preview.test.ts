/** Tests previews with the real TimescaleDB. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StepResult } from '../../tools/runner/run-step.ts'
import {
  createPublisher,
  createService,
  type Outputs,
  reader,
  runAsSuperuser,
  runSql,
  subscribe,
} from '../support/fork.ts'
import { openRepository, type Repository } from '../support/pull-request.ts'
import { describeReal, programs, readScheduledJobs } from './support.ts'

const app = { user: 'app', password: 'production-1' }

let repository: Repository
/** Where the parent's orders come from. */
let shop: Outputs
let parent: Outputs

async function fillParent(): Promise<void> {
  const { host, port } = shop
  await runSql(parent, 'CREATE EXTENSION timescaledb')
  await runAsSuperuser(
    parent,
    'CREATE EXTENSION postgres_fdw; GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO tsdbadmin',
  )
  await runSql(
    parent,
    `CREATE ROLE app LOGIN PASSWORD '${app.password}';
     CREATE TABLE sent (at timestamptz);
     CREATE PROCEDURE send_mail(job int, config jsonb) LANGUAGE sql AS 'INSERT INTO sent VALUES (clock_timestamp())';
     SELECT add_job('send_mail', '1s');
     CREATE TABLE conditions (time timestamptz NOT NULL, value float);
     SELECT create_hypertable('conditions', 'time');
     ALTER TABLE conditions SET (timescaledb.compress);
     SELECT add_retention_policy('conditions', interval '30 days');
     SELECT add_compression_policy('conditions', interval '7 days');
     CREATE SERVER shop FOREIGN DATA WRAPPER postgres_fdw
       OPTIONS (host '${host}', port '${port}', dbname 'tsdb', sslmode 'require');
     CREATE USER MAPPING FOR tsdbadmin SERVER shop OPTIONS (user '${reader.user}', password '${reader.password}');
     CREATE FOREIGN TABLE shop_orders (n int) SERVER shop OPTIONS (table_name 'orders')`,
  )
  await subscribe(parent, shop)
}

const countOf = async (outputs: Outputs, table: string) =>
  Number((await runSql(outputs, `SELECT count(*) FROM ${table}`))[0].count)

/** Waits until there are more rows in a table. */
async function expectMore(outputs: Outputs, table: string, more: number): Promise<void> {
  const before = await countOf(outputs, table)
  await expect
    .poll(() => countOf(outputs, table), { interval: 200, timeout: 30_000 })
    .toBeGreaterThanOrEqual(before + more)
}

/** The parent sends mail and gets orders; the published preview does neither, and holds no connection to the parent. */
async function expectHarmless({ exitCode, stdout, outputs }: StepResult): Promise<void> {
  expect(exitCode, stdout).toBe(0)
  const sent = await countOf(outputs, 'sent')
  expect(await readScheduledJobs(outputs)).toEqual([])
  await expect(runSql(outputs, 'SELECT 1', app)).rejects.toThrow('role "app" is not permitted to log in')
  await expect(runSql(outputs, 'SELECT n FROM shop_orders')).rejects.toThrow('user mapping not found')
  expect(await runSql(outputs, 'SELECT subname FROM pg_subscription')).toEqual([])
  await Promise.all([
    expectMore(parent, 'sent', 4),
    expectMore(parent, 'orders', 1),
    runSql(shop, 'SELECT pg_sleep(1); INSERT INTO orders VALUES (1)'),
  ])
  expect(await countOf(outputs, 'sent')).toBe(sent)
}

describeReal('a preview', () => {
  beforeAll(async () => {
    repository = await openRepository({ programs })
    ;[shop, parent] = await Promise.all([createPublisher(repository.bench), createService(repository.bench)])
    await fillParent()
  }, 120_000)
  afterAll(() => repository.stop())

  it('is silent and closed when it is handed out, after a reset, and after a pause', async () => {
    await expectMore(parent, 'sent', 1)
    const number = repository.github.openPullRequest()
    const fromParent = { service_id: parent.service_id as string, fork_strategy: 'NOW' }
    const give = (operation: string) => repository.on('synchronize', number, { operation, ...fromParent })

    const opened = await give('create-preview')
    await expectHarmless(opened)
    expect(opened.stdout).toContain('is quarantined: 3 jobs, 1 login, 1 subscription, 1 user mapping\n')
    expect(opened.stdout).toContain(
      '  quarantined jobs in tsdb: send_mail, policy_retention on conditions, policy_compression on conditions\n',
    )

    await expectHarmless(await give('reset-preview'))

    const pruned = await repository.onEvent('schedule', {
      operation: 'prune-previews',
      min_age: '1ms',
      pause_after: '1ms',
    })
    expect(pruned.stdout).toContain('prune-previews: done; 1 paused')
    await expectHarmless(await repository.on('synchronize', number, { operation: 'get-connection' }))
  })
})
