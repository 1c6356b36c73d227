/** Runs SQL on services, previews and URLs. */
import { createServer } from 'node:net'
import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, test } from 'vitest'
import { connect } from '../../emulator/client/services.ts'
import { runStep, type StepOptions } from '../../tools/runner/run-step.ts'
import { refuse } from '../support/github/answer.ts'
import { useServers } from '../support/local-servers.ts'
import { useRepository } from '../support/pull-request.ts'
import { runStepInProcess } from '../support/run-step-in-process.ts'
import { errorOf, expectOutputsOfReference, type Inputs, query } from '../support/workbench.ts'

const servers = useServers()
const repository = useRepository()
let url: string
let serviceId: string
beforeAll(async () => {
  const inputs = { operation: 'create-service', region_code: 'us-east-1', wait_for_connection: 'true' }
  const { outputs } = await repository.bench.runSuccessfully(inputs)
  url = outputs.database_url as string
  serviceId = outputs.service_id as string
})
beforeEach(() => query(url, 'drop schema public cascade; create schema public; create table t (id int)'))

const count = async () => (await query(url, 'select count(*)::int as n from t'))[0]?.n

/** A step with nothing but its inputs: no keys, no base address. */
async function run(
  inputs: Inputs,
  options: Partial<StepOptions> = {},
  way: typeof runStep = runStepInProcess,
) {
  const action = 'database/action.yml'
  const result = await repository.bench.watch.run({ action, ...options, inputs }, way)
  return result
}

/** On the URL of the database. */
const runOnUrl = (
  inputs: Inputs,
  options: Partial<StepOptions> = {},
  way: typeof runStep = runStepInProcess,
) => run({ database_url: url, ...inputs }, options, way)

describe('on a service', () => {
  const sql = 'insert into t values (1)'
  const step = (inputs: Inputs) =>
    repository.onEvent('push', { operation: 'run-sql', service_id: serviceId, sql, ...inputs })
  const password = () => new URL(url).password

  it('that is not a preview, the password is required', async () => {
    const refused = await step({})
    expect(errorOf(refused)).toContain(
      'is no preview of this repository: its password is not known here — pass it',
    )
    const onPullRequest = await repository.onEvent('push', {
      ...{ operation: 'run-sql', service_id: serviceId, sql, pull_request: '2' },
    })
    expect(errorOf(onPullRequest)).toContain('— leave service_id out to use the preview of pull request 2')
    expect(onPullRequest.stdout).not.toMatch(/^::warning .*is no preview/m)
    const done = await step({ password: password(), sql: `${sql} returning id` })
    expect(done.exitCode, done.stdout).toBe(0)
    expect(done.outputs).toMatchObject({ service_id: serviceId, changed: 'true' })
    // The number of a pull request only where there is one.
    expectOutputsOfReference('run-sql', done.outputs, 'pull_request')
    expect(await count()).toBe(1)
  })

  it('that is tagged PROD, it needs allow_production', async () => {
    const tag = (environment: string) =>
      repository.bench.runSuccessfully({ operation: 'set-environment', service_id: serviceId, environment })
    await tag('PROD')
    const refused = await step({ password: password() })
    expect(errorOf(refused)).toContain(`service ${serviceId} is tagged PROD: no SQL is run on it`)
    expect(await count()).toBe(0)
    const done = await step({ password: password(), allow_production: 'true' })
    expect(done.exitCode, done.stdout).toBe(0)
    expect(await count()).toBe(1)
    await tag('DEV')
  })
})

describe('with an empty URL', () => {
  const nothing = { database_url: '', sql: 'select 1' }

  it('a run without secrets is skipped', async () => {
    const { exitCode, outputs, stdout } = await run(nothing, {
      environment: { GITHUB_ACTOR: 'dependabot[bot]' },
    })
    expect([exitCode, outputs]).toEqual([0, expect.objectContaining({ skipped: 'true' })])
    expect(stdout).toContain('::notice::skipped: this run is for Dependabot')
  })

  it('any other run fails, and names only inputs of the action', async () => {
    const result = await run(nothing)
    expect(errorOf(result)).toBe(
      'database_url: expected the URL of a database, but the input is empty: check the name of its output or secret. A closed pull request has no preview: add an `if` to the step. (The main action also takes base_url and keys.) — correct the inputs of the step; no request was sent',
    )
  })
})

test.each<[Inputs, string]>([
  [{ sql: 'select 1', sql_file: 'a.sql' }, 'sql: expected either sql or sql_file, got both'],
  [
    { sql: 'select 1', service_id: 's1' },
    'database_url: expected either database_url or service_id, got both',
  ],
  [
    { sql: 'select 1', database_url: 'host=db.example password=of-nobody' },
    'database_url: expected a connection URL like',
  ],
])('%j is refused in words', async (inputs, message) => {
  const result = await runOnUrl(inputs)
  expect(errorOf(result)).toContain(message)
  expect(result.stdout).not.toContain('of-nobody"')
})

test('a URL with a wrong password fails at once, and shows no password', async () => {
  const wrong = new URL(url)
  wrong.password = 'of-nobody%2Fat-all'
  wrong.searchParams.delete('sslmode')
  wrong.searchParams.set('connect_timeout', '3')
  const { href } = wrong
  repository.bench.watch.know({ label: 'the wrong password', text: 'of-nobody/at-all', user: 'tsdbadmin' })
  const result = await runOnUrl({ sql: 'select 1', database_url: href })
  expect(errorOf(result)).toMatch(
    /^the database at 127\.0\.0\.1:\d+ refuses the login: password authentication failed.* — correct user and password in database_url$/,
  )
  expect(result.stdout).toContain(
    '::warning title=run-sql%3A part of an input ignored::database_url: the action ignores connect_timeout: remove it from the URL',
  )
})

test('a URL with a wrong database fails at once, with advice about its name', async () => {
  const wrong = new URL(url)
  wrong.pathname = '/missing'
  expect(errorOf(await runOnUrl({ sql: 'select 1', database_url: wrong.href }))).toMatch(
    /refuses the login: database "missing" does not exist — correct the name of the database in database_url$/,
  )
})

test('a URL with a login that the quarantine disabled fails at once, with advice to keep it', async () => {
  await query(url, "create role shop_app nologin password 'for-the-app'")
  const ofApp = new URL(url)
  ofApp.username = 'shop_app'
  ofApp.password = 'for-the-app'
  repository.bench.watch.know({ label: 'the password of the app', text: 'for-the-app', user: 'shop_app' })
  expect(errorOf(await runOnUrl({ sql: 'select 1', database_url: ofApp.href }))).toMatch(
    /refuses the login: role "shop_app" is not permitted to log in — in a preview, the quarantine disabled this login: use the preview's own database_url, or set `keep_active: login:shop_app` and run reset-preview$/,
  )
})

test('a URL without a required password fails at once', async () => {
  const bare = new URL(url)
  bare.password = ''
  expect(errorOf(await runOnUrl({ sql: 'select 1', database_url: bare.href }))).toMatch(
    /^the database at 127\.0\.0\.1:\d+ refuses the login: it requires a password, and none is set — correct user and password/,
  )
})

describe('an untrusted certificate', () => {
  /** The URL with the certificate checked. */
  const checked = (rootCertificate?: string) => {
    const strict = new URL(url)
    strict.searchParams.set('sslmode', 'verify-full')
    if (rootCertificate !== undefined) strict.searchParams.set('sslrootcert', rootCertificate)
    return strict.href
  }

  it('fails the step at once, and the error names both remedies', async () => {
    const result = await runOnUrl({ sql: 'select 1', database_url: checked() })
    expect(errorOf(result)).toMatch(
      /^the certificate of 127\.0\.0\.1:\d+ is not trusted: .* — set NODE_EXTRA_CA_CERTS to the file of its certificate authority, or use sslmode=require/,
    )
    expect(result.stdout).not.toContain('no connection to')
  })

  it('is reported by a step that proposes masking rules', async () => {
    const inputs = { operation: 'create-masked-parent', dry_run: 'true', service_id: serviceId }
    const result = await repository.onEvent('push', { ...inputs, database_url: checked() })
    expect(errorOf(result)).toMatch(/^the certificate of 127\.0\.0\.1:\d+ is not trusted: /)
    const refused = new URL(url)
    refused.port = String(await servers.findClosedPort(() => createServer()))
    const unreachable = await repository.onEvent('push', { ...inputs, database_url: refused.href })
    expect(errorOf(unreachable)).toMatch(
      /^the database at 127\.0\.0\.1:\d+ accepts no connection: .* — .*localhost is the runner itself/,
    )
    const sql = { sql: 'select 1', database_url: refused.href, wait_timeout: '1s' }
    expect(errorOf(await run(sql))).toMatch(
      / — check host and port in database_url, and that a server listens there: localhost is the runner itself/,
    )
  })

  it('is trusted if the URL names its authority in sslrootcert', async () => {
    const service = await connect({
      baseUrl: repository.bench.emulator.baseUrl,
      keys: { publicKey: 'public-test', secretKey: repository.bench.secretKey },
    }).find(serviceId)
    expect(service.databaseUrl).toContain('sslmode=verify-full&sslrootcert=')
    const result = await runOnUrl({ sql: 'insert into t values (1)', database_url: service.databaseUrl })
    expect(result.exitCode, result.stdout).toBe(0)
    expect(result.stdout).not.toContain('input ignored')
    expect(await count()).toBe(1)
    const missing = await runOnUrl({ sql: 'select 1', database_url: checked('/no/such.pem') })
    expect(errorOf(missing)).toMatch(/^the file \/no\/such\.pem of sslrootcert is unreadable \(ENOENT\) — /)
  })
})

test('a dry run reports the planned change, and changes nothing', async () => {
  const { outputs, stdout } = await runOnUrl({
    sql: 'insert into t values (1); insert into t values (2)',
    dry_run: 'true',
  })
  expect(outputs).toMatchObject({ skipped: 'true', changed: 'false' })
  expect(stdout).toContain('run-sql: skipped; dry run: would run 2 statements of sql')
  expect(await count()).toBe(0)
  expect(errorOf(await runOnUrl({ sql: 'begin', dry_run: 'true' }))).toContain('BEGIN controls a transaction')
})

describe('the result', () => {
  it('has the rows of the last statement that returned any, with JSON types where JSON has them', async () => {
    const sql = `select 1 as i, 9007199254740993 as big, 1.50 as numeric, true as flag, null as none, 'NaN'::float8 as nan,
      '{"a":[1]}'::jsonb as json, '2026-01-31 12:00'::timestamp as at, '\\x00ff'::bytea as bytes; create table u ()`
    const { outputs } = await runOnUrl({ sql })
    expect(JSON.parse(outputs.result ?? '')).toEqual([
      {
        ...{ i: 1, big: '9007199254740993', numeric: '1.50', flag: true, none: null, nan: 'NaN' },
        ...{ json: { a: [1] }, at: '2026-01-31 12:00:00', bytes: '\\x00ff' },
      },
    ])
  })

  it('is cut if an output has no room, with a note', async () => {
    const { outputs, stdout, summary } = await runOnUrl({ sql: 'select i from generate_series(1, 5000) i' })
    expect([outputs.count, JSON.parse(outputs.result ?? '').length]).toEqual(['5000', 1000])
    expect(stdout).toContain('the output result has the first 1000 of 5000 rows')
    expect(stdout).not.toContain('the output result has all')
    expect(summary).toContain('And 4950 more rows.')
    const wide = await runOnUrl({ sql: "select repeat('<''>', 50000) as wide from generate_series(1, 3)" })
    expect([wide.outputs.count, wide.outputs.result]).toEqual(['3', '[]'])
  })

  it('holds no secret: neither the password of the URL nor columns with such names, with a note', async () => {
    const sql = `select 'a' as name, 'hush' as api_token, '${new URL(url).password}' as shown`
    const { outputs, stdout } = await runOnUrl({ sql })
    expect(outputs.result).toBe('[{"name":"a","shown":"***"}]')
    expect(stdout).toContain('columns left out of the result because their names suggest secrets: api_token')
  })
})

test('logs notices, which cannot be commands of the runner', async () => {
  const { stdout } = await runOnUrl({
    sql: `do $$ begin raise notice E'::error::x\\n::error::y' using hint = 'look'; raise warning 'mind'; end $$`,
  })
  expect(stdout).toContain('NOTICE: ::error::x ::error::y; hint: look\n')
  expect(stdout).toContain('WARNING: mind\n')
})

describe('limits', () => {
  it('of a statement', async () => {
    const result = await runOnUrl({
      sql: 'insert into t values (1); select pg_sleep(60)',
      statement_timeout: '200ms',
    })
    expect(errorOf(result)).toMatch(
      /canceling statement due to statement timeout \(SQLSTATE 57014\).*— raise statement_timeout/,
    )
    expect(await count()).toBe(0)
  })

  it('of a wait for a lock', async () => {
    const holder = new pg.Client({ connectionString: `${url}&uselibpqcompat=true` })
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('begin; lock table t')
    const result = await runOnUrl({ sql: 'insert into t values (1)', lock_timeout: '200ms' })
    expect(errorOf(result)).toMatch(/\(SQLSTATE 55P03\).*— raise lock_timeout/)
  })
})

test('reports an unknown result if the connection breaks at COMMIT, without a retry', async () => {
  const sql = `create function die() returns trigger language plpgsql as 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
    create constraint trigger die after insert on t deferrable initially deferred for each row execute function die();
    insert into t values (1)`
  const result = await runOnUrl({ sql })
  expect(errorOf(result)).toMatch(
    /sql:3:5: the connection broke: .*; it is unknown whether sql was committed; nothing else ran — check the database/,
  )
  expect(result.stdout.match(/INSERT, 1 row/g)).toHaveLength(1)
})

test('waits for a database that accepts no connection yet', async () => {
  await repository.bench.runSuccessfully({ operation: 'stop-service', service_id: serviceId })
  const refused = Promise.withResolvers<void>()
  const onLine = (line: string) => line.includes('no connection to the database') && refused.resolve()
  const waiting = runOnUrl({ sql: 'insert into t values (1)' }, { onLine })
  await refused.promise
  await repository.bench.runSuccessfully({ operation: 'start-service', service_id: serviceId })
  const { exitCode, stdout } = await waiting
  expect(exitCode, stdout).toBe(0)
  expect(await count()).toBe(1)
})

test('runs SQL on a preview by its pull request or its sealed URL, which fails at once after its deletion', async () => {
  const { github } = repository
  const number = github.openPullRequest()
  const seal_secret = 'for-seals-and-nothing-else'
  const created = await repository.on('opened', number, { operation: 'preview', empty: 'true', seal_secret })
  const { sealed_url = '', service_id, host, port } = created.outputs
  // Of the service, the step derives the password.
  const sql = 'create table of_preview (id int)'
  const found = await repository.on('synchronize', number, { operation: 'run-sql', sql })
  expect(found.exitCode, found.stdout).toBe(0)
  expect(found.outputs).toMatchObject({ pull_request: String(number), service_id })
  const sealed = { operation: 'run-sql', sql: 'table of_preview', database_url: sealed_url, seal_secret }
  const connected = await repository.on('synchronize', number, sealed)
  expect(connected.exitCode, connected.stdout).toBe(0)
  expect((await repository.on('closed', number, { operation: 'preview', empty: 'true' })).exitCode).toBe(0)

  const late = await repository.on('synchronize', number, sealed)
  expect(errorOf(late)).toContain(
    `the database at ${host}:${port} accepts no connection: connect ECONNREFUSED ${host}:${port}; pull request ${number} is closed, so its preview was deleted — reopen the pull request`,
  )
  expect(late.stdout).not.toContain('no connection to')
  // Only GitHub knows that the preview was deleted: without its answer, the step waits as for any other database.
  github.injectFaults(() => ({
    kind: 'answer',
    answer: refuse(403, 'Resource not accessible by integration'),
  }))
  const unknown = await repository.on('synchronize', number, { ...sealed, wait_timeout: '2s' })
  github.injectFaults(() => undefined)
  expect(errorOf(unknown)).toContain('is set in database_url but accepts no connection')
  expect(unknown.stdout).toContain('no connection to')
}, 60_000)

test('a cancelled step ends the running statement and rolls its file back', async () => {
  const cancelled = new AbortController()
  let kill: (signal: NodeJS.Signals) => void = () => {}
  const result = await runOnUrl(
    { sql: 'insert into t values (1); select pg_sleep(600)' },
    {
      onStart: own => {
        kill = own
      },
      onLine: line => {
        if (line.includes('INSERT, 1 row') && !cancelled.signal.aborted) {
          cancelled.abort()
          kill('SIGINT')
        }
      },
    },
    runStep,
  )
  expect(result.exitCode, result.stdout).toBe(130)
  expect(errorOf(result)).toContain('cancelled by SIGINT')
  expect(result.stdout).toContain('all statements of sql are rolled back')
  const sleeping =
    "select count(*)::int as n from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()"
  await expect.poll(() => query(url, sleeping), { timeout: 20_000 }).toEqual([{ n: 0 }])
  expect(await count()).toBe(0)
})
