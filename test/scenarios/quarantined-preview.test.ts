/** Runs preview steps with the quarantine. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Payload } from '../../emulator/http/payload.ts'
import type { StepResult } from '../../tools/runner/run-step.ts'
import {
  connectTo,
  createPublisher,
  createService,
  expectNoConnectionDetails,
  type Outputs,
  reader,
  runSql,
  subscribe,
} from '../support/fork.ts'
import { useRepository } from '../support/pull-request.ts'
import { type BenchOptions, errorOf, type Inputs, killAt } from '../support/workbench.ts'
import { useWorkspace } from '../support/workspace.ts'

const repository = useRepository()
/** Where the parent's orders come from. */
let shop: Outputs
let parent: Outputs
const workspace = useWorkspace()

const app = { user: 'app', password: 'production-1' }

beforeAll(async () => {
  ;[shop, parent] = await Promise.all([createPublisher(repository.bench), createService(repository.bench)])
  const { host, port } = shop
  await runSql(
    parent,
    `CREATE ROLE app LOGIN PASSWORD '${app.password}';
     CREATE EXTENSION postgres_fdw;
     CREATE SERVER shop FOREIGN DATA WRAPPER postgres_fdw
       OPTIONS (host '${host}', port '${port}', dbname 'tsdb', sslmode 'require');
     CREATE USER MAPPING FOR tsdbadmin SERVER shop OPTIONS (user '${reader.user}', password '${reader.password}');
     CREATE FOREIGN TABLE shop_orders (n int) SERVER shop OPTIONS (table_name 'orders')`,
  )
  await subscribe(parent, shop)
})

const fromParent = (operation: string): Inputs => ({ operation, service_id: parent.service_id as string })

/** A run for a push to the pull request. */
const give = (number: number, inputs: Inputs = {}, options: BenchOptions = {}) =>
  repository.on(
    'synchronize',
    number,
    { ...fromParent('create-preview'), fork_strategy: 'NOW', ...inputs },
    { ...options, environment: { GITHUB_WORKSPACE: workspace.path } },
  )

const commentOf = (number: number) => repository.github.commentsOf(number).at(-1)?.body ?? ''

const ordersIn = async (outputs: Outputs) =>
  (await runSql(outputs, 'SELECT n FROM orders ORDER BY n')).map(({ n }) => n)

let lastOrder = 0

/** The subscription of the parent still receives orders. */
async function expectUnharmedParent(): Promise<void> {
  lastOrder++
  await runSql(shop, `INSERT INTO orders VALUES (${lastOrder})`)
  await expect.poll(() => ordersIn(parent), { interval: 100, timeout: 20_000 }).toContain(lastOrder)
  expect(await runSql(parent, 'SELECT 1 AS one', app)).toEqual([{ one: 1 }])
  expect(await runSql(parent, 'SELECT max(n) AS n FROM shop_orders')).toEqual([{ n: lastOrder }])
}

/** A run published a database in which every object of the parent is disabled, and no object connects to another server. */
async function expectHarmless({ exitCode, stdout, outputs }: StepResult): Promise<void> {
  expect(exitCode, stdout).toBe(0)
  await expect(runSql(outputs, 'SELECT 1', app)).rejects.toThrow('role "app" is not permitted to log in')
  await expect(runSql(outputs, 'SELECT n FROM shop_orders')).rejects.toThrow('user mapping not found')
  expect(await runSql(outputs, 'SELECT subname FROM pg_subscription')).toEqual([])
  await expectUnharmedParent()
}

const counts = '1 login, 1 subscription, 1 user mapping'

describe('a preview of a parent that has a login, a subscription and a foreign server', () => {
  it('is harmless without keep_active, after a reset, and after a pause', async () => {
    const number = repository.github.openPullRequest()
    const kept = await give(number, { keep_active: 'login:app, foreign-servers, job:refresh' })
    expect(kept.stdout).toContain('is quarantined: 1 subscription\n')
    expect(kept.stdout).toMatch(/^::warning title=[^:]*::keep_active: there is no job refresh$/m)
    expect(await runSql(kept.outputs, 'SELECT count(*)::int FROM shop_orders')).toHaveLength(1)
    const session = await connectTo(kept.outputs, app)
    await session.query('SELECT 1')

    const opened = await give(number)
    await expectHarmless(opened)
    await expect(session.query('SELECT 1')).rejects.toThrow()
    expect(opened.stdout).toContain(`is quarantined: ${counts}\n  quarantined login: app\n`)
    expect(opened.summary).toContain(`\n\nQuarantined: ${counts}\n\n`)
    expect(commentOf(number)).toContain(`\n\nQuarantined: ${counts}\n\n`)
    expect(commentOf(number)).toContain('- `quarantined subscription in tsdb: orders`\n')

    const reset = await give(number, { operation: 'reset-preview' })
    expect(reset.outputs.service_id).not.toBe(opened.outputs.service_id)
    await expectHarmless(reset)

    // The quarantine may have been undone since: a start repeats it.
    await runSql(reset.outputs, 'ALTER ROLE app LOGIN')
    const pruned = await repository.onEvent('schedule', {
      ...fromParent('prune-previews'),
      ...{ min_age: '1ms', pause_after: '1ms' },
    })
    expect(pruned.stdout).toContain('prune-previews: done; 1 paused')
    const connected = await repository.on('synchronize', number, { operation: 'get-connection' })
    expect(connected.outputs.service_id).toBe(reset.outputs.service_id)
    await expectHarmless(connected)
  })

  it('publishes nothing if the run is killed as it is READY, and the next run publishes it', async () => {
    const number = repository.github.openPullRequest()
    const killed = await give(number, {}, killAt('is READY'))
    expect(killed.exitCode).toBe(137)
    expectNoConnectionDetails(killed, killed.summary, commentOf(number))
    const next = await give(number)
    expect(next.outputs.service_id).toBe(killed.outputs.service_id)
    await expectHarmless(next)
  })
})

describe('seed_file', () => {
  it('fills a new preview once, and fails the preview until a failing file is corrected', async () => {
    const number = repository.github.openPullRequest()
    workspace.write({
      '1.sql': 'CREATE TABLE filled (n int);\n',
      '2.sql': 'INSERT INTO filled VALUES (1);\nSELECT nothing FROM filled;\n',
    })
    const inputs = { seed_file: '*.sql' }
    const failed = await give(number, inputs)
    const problem =
      '2.sql:2:8: column "nothing" does not exist (SQLSTATE 42703); all statements of 2.sql are rolled back; in effect: 1.sql'
    const unfilled = `(service ${failed.outputs.service_id}) is kept, and the next run fills it`
    expect(failed.stdout).toContain(`,file=2.sql,line=2,col=8::${problem}; the preview preview-pr-${number}-`)
    expect(failed.stdout).toContain(`${unfilled} — correct the statement\n`)
    expectNoConnectionDetails(failed, failed.summary, commentOf(number))
    expect(commentOf(number)).toContain('### 🔴 Preview database failed')
    expect(commentOf(number)).toContain(`**Why:** \`${problem}; the preview preview-pr-${number}-`)
    expect(commentOf(number)).toContain(`${unfilled}\``)
    const connection = await repository.on('synchronize', number, { operation: 'get-connection' })
    expect(errorOf(connection)).toContain(
      `is not finished: ${problem} — correct that, and run create-preview`,
    )

    workspace.write({ '2.sql': 'INSERT INTO filled VALUES (1);\n' })
    const corrected = await give(number, inputs)
    expect(corrected.outputs.service_id).toBe(failed.outputs.service_id)
    expect(corrected.stdout).not.toContain('ran 1.sql')
    expect(corrected.stdout).toContain('ran 2.sql\n')
    expect(commentOf(number)).toContain('### 🟢 Preview database ready')
    await expectHarmless(corrected)
    expect((await give(number, inputs)).stdout).not.toContain('ran ')
    expect(await runSql(corrected.outputs, 'SELECT n FROM filled')).toEqual([{ n: 1 }])
  })

  it('fails before anything is created if it names no file', async () => {
    const mark = repository.bench.emulator.requests.length
    const failed = await give(repository.github.openPullRequest(), { seed_file: 'seeds/*.sql' })
    expect(errorOf(failed)).toContain('seed_file: no file matches seeds/*.sql; the workspace contains ')
    expect(repository.bench.operationsSince(mark)).not.toContain('fork-service')
  })
})

describe('a fork that the runner cannot reach', () => {
  const unreachable = useRepository({ databases: 'invented' })
  let production: string
  // At this address nothing listens.
  const change = ({ body, ...payload }: Payload) => ({
    ...payload,
    body: body.replaceAll(/"endpoint":\{[^}]*\}/g, '"endpoint":{"host":"127.0.0.1","port":1}'),
  })

  beforeAll(async () => {
    const { outputs } = await unreachable.bench.runSuccessfully({ operation: 'create-service', name: 'shop' })
    production = outputs.service_id as string
    unreachable.bench.injectFaults(() => ({ kind: 'change', change }))
  })

  it.each([
    { operation: 'create-preview', wait_for_connection: 'false', quarantine: 'strict' },
    { operation: 'reset-preview' },
    { operation: 'fork-service', fork_strategy: 'NOW', wait_for_connection: 'true' },
  ])('shows no connection details in error, log, summary or comment: %j', async inputs => {
    const number = unreachable.github.openPullRequest()
    const service = { service_id: production, quarantine: 'true', wait_timeout: '1m' }
    const failed = await unreachable.on('synchronize', number, { ...service, ...inputs })
    expect(errorOf(failed)).toMatch(
      /the database of service \w+ is READY but accepts no connection: connect ECONNREFUSED — /,
    )
    const comment = unreachable.github.commentsOf(number).at(-1)?.body ?? ''
    expect([failed.stdout, failed.summary, comment].join('\n')).not.toMatch(/127\.0\.0\.1(?::1\b|"|`)/)
    expect(Object.keys(failed.outputs)).not.toContain('host')
    if (inputs.operation === 'fork-service') return
    const connected = await unreachable.on('synchronize', number, {
      ...{ operation: 'get-connection', wait_timeout: '1m' },
    })
    expect(errorOf(connected)).toMatch(/the database of service \w+ is READY but accepts no connection/)
    expect(connected.stdout + connected.summary).not.toMatch(/127\.0\.0\.1:1\b/)
  })
})
