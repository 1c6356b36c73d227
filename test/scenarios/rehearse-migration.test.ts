/** Runs rehearse-migration. */
import { createRequire } from 'node:module'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StepOptions } from '../../tools/runner/run-step.ts'
import { runStepInProcess } from '../support/run-step-in-process.ts'
import { expectOutputsOfReference, type Inputs, query, useWorkbench } from '../support/workbench.ts'
import { useWorkspace } from '../support/workspace.ts'

const require = createRequire(import.meta.url)

const bench = useWorkbench()
let url: string
let serviceId: string
const workspace = useWorkspace()
const { write } = workspace

beforeAll(async () => {
  const inputs = { operation: 'create-service', region_code: 'us-east-1', wait_for_connection: 'true' }
  const { outputs } = await bench.runSuccessfully(inputs)
  url = outputs.database_url as string
  serviceId = outputs.service_id as string
})

beforeEach(async () => {
  workspace.empty()
  await query(
    url,
    `drop schema public cascade; create schema public;
     create table orders (id int primary key, total int, note text);
     insert into orders select n, n, 'thank you' from generate_series(1, 200) n; analyze orders`,
  )
})

/** A step without keys, on the URL of a database that is not a preview. */
async function rehearse(inputs: Inputs, options: Partial<StepOptions> = {}) {
  const result = await bench.watch.run(
    {
      ...options,
      inputs: {
        ...{ operation: 'rehearse-migration', database_url: url, allow_any_database: 'true' },
        ...inputs,
      },
      environment: { GITHUB_WORKSPACE: workspace.path, ...options.environment },
    },
    runStepInProcess,
  )
  return result
}

/** Long enough to be beyond the limits below, wherever the test runs. */
const long = 'select pg_sleep(0.4)'
const limits = { max_read_block: '250ms', max_write_block: '300ms' }

it('lists even a short lock, passes, and warns of a malformed comment and of a database that is not a preview', async () => {
  const comment = '-- manged-database: ignore lock because nobody works at night'
  write({ 'm/1.sql': `${comment}\nalter table orders add column paid boolean` })
  const { exitCode, outputs, summary, stdout } = await rehearse({ sql_file: 'm/*.sql' })
  expect(exitCode, stdout).toBe(0)
  expect(outputs).toMatchObject({
    verdict: 'passed',
    violations: '[]',
    destructive: 'false',
    changed: 'true',
    diff: '+ column orders.paid boolean',
    has_diff: 'true',
  })
  expect(Number(outputs.duration)).toBeGreaterThan(0)
  expect(summary).toMatch(
    /\| <code>m\/1\.sql&#58;2<\/code> <code>alter table orders add column paid boolean<\/code> \| \d+ms \| ACCESS EXCLUSIVE orders \| \d+ms \| reads, writes \|/,
  )
  expect(summary).toContain('cannot be measured')
  expect(stdout).toMatch(/^::warning .*,file=m\/1\.sql,line=1,col=1::.* is not applied — /m)
  expect(stdout).toMatch(
    /^::warning .*::database tsdb at 127\.0\.0\.1:\d+ is not a preview of this action: create-preview left no valid note in it\. The migration/m,
  )
  expect(await query(url, 'select count(paid)::int as n from orders')).toEqual([{ n: 0 }])
})

it('fails on request, at the line of the statement that holds its lock too long, with an alternative', async () => {
  write({ 'm.sql': `-- a column more\nalter table orders add column paid boolean;\n${long};` })
  const { exitCode, outputs, stdout, summary } = await rehearse({
    ...{ sql_file: 'm.sql', ...limits, on_violation: 'fail' },
  })
  expect(exitCode).toBe(1)
  expect(outputs.verdict).toBe('failed')
  expect(stdout).toContain('2 statements of m.sql ran in ')
  expect(summary).toContain('; 1 limit exceeded')
  expect(JSON.parse(outputs.violations ?? '')).toMatchObject([
    { limit: 'max_read_block', table: 'orders', place: { file: 'm.sql', line: 2 }, allowed: 250 },
  ])
  expect(stdout).toMatch(
    /^::error title=[^,]*,file=m\.sql,line=2,col=1::reads and writes of orders blocked for [\d.]+ m?s \(limits 250 ms for reads and 300 ms for writes\) — the lock is held to the end of the transaction/m,
  )
  expect(stdout.match(/^::(?:error|warning) .*orders blocked/gm)).toHaveLength(1)
})

it('applies max_duration and max_wal to the whole migration, and min_table_size to its tables', async () => {
  write({
    'm.sql': `insert into orders select n from generate_series(3000, 5000) n;\nlock table orders; ${long}`,
  })
  const whole = { max_duration: '1ms', max_wal: '1kB', min_table_size: '1GB' }
  const { outputs } = await rehearse({ sql_file: 'm.sql', ...limits, ...whole })
  expect(outputs.changed).toBe('true')
  expect(JSON.parse(outputs.violations ?? '').map(({ limit }: { limit: string }) => limit)).toEqual([
    'max_duration',
    'max_wal',
  ])
})

it('reports that nothing is measured if the observer is cut off, and still runs the migration', async () => {
  write({
    'm.sql':
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user; create table made (a int)',
  })
  const { exitCode, outputs, stdout } = await rehearse({ sql_file: 'm.sql', on_violation: 'fail' })
  expect(exitCode, stdout).toBe(0)
  expect(outputs).toMatchObject({ verdict: 'not measured', violations: '[]' })
  expect(stdout).toMatch(/^::warning .*not measured/m)
  expect(await query(url, 'select count(*)::int as n from made')).toEqual([{ n: 0 }])
})

describe('a database without a valid note of this action', () => {
  const tables = () => query(url, "select tablename from pg_tables where schemaname = 'public' order by 1")
  const note = (text: string) =>
    query(
      url,
      `select lo_unlink(oid) from pg_largeobject_metadata; do $$ declare id oid := lo_from_bytea(0, '${text}');
       begin execute format('comment on large object %s is %L', id, 'managed-database-action: preview'); end $$`,
    )
  afterEach(() => query(url, 'select lo_unlink(oid) from pg_largeobject_metadata'))
  const byId = (): Inputs => ({ service_id: serviceId, password: new URL(url).password })
  const ways: [string, () => Inputs][] = [
    ['database_url', () => ({ database_url: url })],
    ['service_id', byId],
  ]

  async function attempt(inputs: Inputs) {
    write({ 'm.sql': 'create table made (id int)' })
    const environment = { GITHUB_WORKSPACE: workspace.path, GITHUB_REPOSITORY_ID: '1' }
    return await bench.step(
      { operation: 'rehearse-migration', sql_file: 'm.sql', ...inputs },
      { environment },
    )
  }

  it.each(ways)('is refused before anything runs, by %s', async (_, named) => {
    const { exitCode, stdout } = await attempt(named())
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(
      /^::error [^:]*::database tsdb at 127\.0\.0\.1:\d+ is not a preview of this action: create-preview left no valid note in it\. Nothing was run — set database_url to that of a preview, or set `allow_any_database: true`/m,
    )
    expect(await tables()).toEqual([{ tablename: 'orders' }])
  })

  it('includes a database with the note of another service', async () => {
    await note('{"service_id": "another"}')
    expect((await attempt(byId())).exitCode).toBe(1)
    expect(await tables()).toEqual([{ tablename: 'orders' }])
  })

  it('does not include a database with its own note', async () => {
    await note(JSON.stringify({ service_id: serviceId }))
    const { exitCode, outputs, stdout } = await attempt(byId())
    expect(exitCode, stdout).toBe(0)
    expect(stdout).not.toContain('not a preview')
    expect(await tables()).toEqual([{ tablename: 'made' }, { tablename: 'orders' }])
    expectOutputsOfReference('rehearse-migration', outputs, 'pull_request', 'comment_url')
  })
})

it('does nothing in a dry run', async () => {
  write({ 'm.sql': 'drop table orders' })
  const { outputs, stdout } = await rehearse({ sql_file: 'm.sql', dry_run: 'true' })
  expect(outputs.skipped).toBe('true')
  expect(stdout).toContain('dry run: would rehearse 1 statement of m.sql')
  expect(await query(url, 'select count(*)::int as n from orders')).toEqual([{ n: 200 }])
})

describe('a command', () => {
  const client = JSON.stringify(require.resolve('pg'))
  /** A migration tool that finds the database by itself and runs the given SQL. */
  const tool = `const { Client } = require(${client});
(async () => {
  const client = new Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  for (const sql of process.argv.slice(2)) await client.query(sql)
  console.log('migrated on ' + process.env.PGHOST + '\\n::set-env name=a::b')
  await client.end()
})()`
  const migrate = (...statements: string[]) =>
    ['node tool.cjs', ...statements.map(sql => `'${sql}'`)].join(' ')
  beforeEach(() => write({ 'tool.cjs': tool }))

  it('migrates through the tap, and is measured statement by statement', async () => {
    const command = migrate('alter table orders add column paid boolean', 'delete from orders where id < 11')
    const { exitCode, outputs, stdout, summary } = await rehearse({ command })
    expect(exitCode, stdout).toBe(0)
    expect(stdout).toContain('migrated on 127.0.0.1')
    expect(stdout, 'a command of the runner').not.toMatch(/^::set-env/m)
    expect(outputs).toMatchObject({ verdict: 'passed', destructive: 'true', has_diff: 'true' })
    expect(summary).toContain('ACCESS EXCLUSIVE orders')
    expect(summary).toContain('10 rows deleted from orders')
    expect(await query(url, 'select count(*)::int as n from orders where paid is null')).toEqual([{ n: 190 }])
  })

  it('gets no inputs or tokens, and no files of the runner', async () => {
    const environment = { GITHUB_WORKSPACE: workspace.path, GITHUB_TOKEN: 'of-the-job', OF_THE_JOB: 'yes' }
    const command = 'env | cut -d= -f1'
    const inputs = { operation: 'rehearse-migration', database_url: url, command, allow_any_database: 'true' }
    // A step with an environment of its own, as the runner starts it.
    const { exitCode, stdout } = await bench.watch.run({ inputs, environment })
    expect(exitCode, stdout).toBe(0)
    const names = stdout.split('\n')
    expect(names).toEqual(expect.arrayContaining(['OF_THE_JOB', 'DATABASE_URL', 'PGPASSWORD']))
    expect(
      names.filter(name => /^(?:INPUT_|STATE_|ACTIONS_|GITHUB_(?:TOKEN|OUTPUT|STATE|ENV))/.test(name)),
    ).toEqual([])
  })

  it('is not measured if a part of it bypasses the tap', async () => {
    const alter = migrate('alter table orders add column paid boolean')
    const command = `${migrate('create table bills (id int)')} && DATABASE_URL='${url}&uselibpqcompat=true' ${alter}`
    const { exitCode, outputs, stdout } = await rehearse({ command })
    expect(exitCode, stdout).toBe(0)
    expect(outputs.verdict).toBe('not measured')
    expect(stdout).toMatch(
      /^::warning .*::not measured: orders was changed by a connection that was not measured/m,
    )
  })

  it('names TLS as the reason if it requires TLS', async () => {
    const requiring = tool.replace('connectionString: process.env.DATABASE_URL', 'ssl: true')
    write({ 'tool.cjs': requiring })
    const { exitCode, stdout, summary } = await rehearse({ command: `${migrate('select 1')} || exit 7` })
    expect(exitCode).toBe(7)
    expect(stdout).toMatch(
      /^::error .*::the command ended with exit code 7 before it ran a statement: it requires TLS, and .* — set sslmode to prefer/m,
    )
    expect(stdout).not.toContain('::not measured')
    const done = 'the command failed, and no statement was measured'
    expect(stdout).toContain(`rehearse-migration: failed; ${done}`)
    expect(summary).toContain(`${done}.`)
  })

  it('fails with the statement that the server refused, at its line', async () => {
    write({ 'migrations/2.sql': `-- why\nalter table orders alter note type int using note::int;` })
    const command = migrate('alter table orders alter note type int using note::int')
    const { exitCode, stdout, summary } = await rehearse({ command, migrations: 'migrations/*.sql' })
    expect(exitCode).toBe(1)
    const refused =
      'the command ended with exit code 1 after the server refused migrations/2.sql:2: invalid input syntax for type integer: "…" (SQLSTATE 22P02); parts'
    expect(stdout).toMatch(/^::error [^:]*file=migrations\/2\.sql,line=2,/m)
    expect(stdout).toContain(refused)
    expect(stdout).toMatch(/failed; the command failed; its statements took \d+ms$/m)
    expect(summary).toContain('exit code 1 after the server refused migrations/2.sql')
  })
})

it('shows no value of a row if a migration fails', async () => {
  write({
    '1.sql':
      'alter table orders alter note set not null;\nupdate orders set note = null where id = 7;\nselect 1',
  })
  const { exitCode, outputs, stdout, summary } = await rehearse({ sql_file: '1.sql' })
  expect(exitCode).toBe(1)
  expect(outputs.verdict).toBe('failed')
  expect(stdout).toMatch(/failed; 3 statements of 1\.sql failed after \d+ms$/m)
  expect(stdout).toMatch(/^::error title=[^,]*,file=1\.sql,line=2.*null value in column/m)
  for (const text of [stdout, summary]) expect(text).not.toMatch(/thank you|Failing row/)
})
