/** Runs run-sql on a URL. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import type { StepOptions } from '../../tools/runner/run-step.ts'
import { runStepInProcess } from '../support/run-step-in-process.ts'
import { type Inputs, query, useWorkbench } from '../support/workbench.ts'
import { useWorkspace } from '../support/workspace.ts'

const bench = useWorkbench()
/** A database, with its password. */
let url: string
const workspace = useWorkspace()
const { write } = workspace

beforeAll(async () => {
  const inputs = { operation: 'create-service', region_code: 'us-east-1', wait_for_connection: 'true' }
  const { outputs } = await bench.runSuccessfully(inputs)
  url = outputs.database_url as string
})

beforeEach(async () => {
  workspace.empty()
  await query(url, 'drop schema public cascade; create schema public')
})

/** A step without keys, on the URL of the database. */
async function run(inputs: Inputs, options: Partial<StepOptions> = {}) {
  const { environment } = options
  const result = await bench.watch.run(
    {
      ...options,
      inputs: { operation: 'run-sql', database_url: url, ...inputs },
      environment: { GITHUB_WORKSPACE: workspace.path, ...environment },
    },
    runStepInProcess,
  )
  return result
}

async function done(inputs: Inputs, options: Partial<StepOptions> = {}) {
  const result = await run(inputs, options)
  expect(result.exitCode, result.stdout).toBe(0)
  return result
}

/** The error of a step that fails, and its annotation's properties. */
async function failed(inputs: Inputs, options: Partial<StepOptions> = {}): Promise<string> {
  const result = await run(inputs, options)
  expect(result.exitCode, result.stdout).toBe(1)
  return /^::error title=[^,:]*,?(.*)$/m.exec(result.stdout)?.[1] ?? ''
}

it('logs the database, its host and the user before it runs anything', async () => {
  const { stdout } = await run({ sql: 'select 1/0' })
  const { username, host } = new URL(url)
  expect(stdout).toMatch(new RegExp(`database tsdb at ${host}, as ${username}\\n[^]*division by zero`))
})

/** The tables that are there. */
const tables = async () =>
  (
    await query(
      url,
      "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
    )
  ).map(({ relname }) => relname)

test('SQL runs on a URL, without keys and without a request to the API', async () => {
  const mark = bench.emulator.requests.length
  const sql = 'create table t (a int); insert into t values (1), (2); select a from t order by a; -- done'
  const { outputs, stdout, summary } = await done({ sql })
  expect(bench.operationsSince(mark)).toEqual([])
  expect(outputs).toMatchObject({
    result: '[{"a":1},{"a":2}]',
    count: '2',
    changed: 'true',
    skipped: 'false',
  })
  expect(stdout).toContain('sql:1: INSERT, 2 rows')
  expect(stdout).toContain('run-sql: done; 3 statements of sql')
  expect(summary).toContain('| a |\n|---|\n| 1 |\n| 2 |')
  expect(await query(url, 'select count(*)::int as n from t')).toEqual([{ n: 2 }])
})

describe('files', () => {
  it('run in the order of the patterns and of their names, each as one transaction', async () => {
    write({
      'db/2.sql': 'insert into t select txid_current(); insert into t select txid_current()',
      'db/1.sql': '\ufeffcreate table t (id bigint);\r\n',
      'seeds/a.sql': 'insert into t select txid_current()',
    })
    const { stdout, outputs } = await done({ sql_file: 'db/*.sql\nseeds/*.sql, db/1.sql' })
    expect([...stdout.matchAll(/^(\S+): committed/gm)].map(([, name]) => name)).toEqual([
      'db/1.sql',
      'db/2.sql',
      'seeds/a.sql',
    ])
    expect(outputs.result).toBeUndefined()
    expect(await query(url, 'select count(*)::int as n from t group by id order by n')).toEqual([
      { n: 1 },
      { n: 2 },
    ])
  })

  it('that fail are rolled back, with an annotation at the place and the statements in effect', async () => {
    write({
      'a.sql': 'create table a (id int)',
      'b.sql': "create table b (id int);\n\nselect '😀', id,\n  nme from a;\ncreate table c (id int)",
    })
    expect(await failed({ sql_file: '*.sql' })).toBe(
      'file=b.sql,line=4,col=3::b.sql:4:3: column "nme" does not exist (SQLSTATE 42703); all statements of b.sql are rolled back; in effect: a.sql — correct the statement',
    )
    expect(await tables()).toEqual(['a'])
  })

  it('fail with the detail and hint of the server', async () => {
    write({ 'a.sql': 'create table a (name text);\nselect nam from a' })
    expect(await failed({ sql_file: 'a.sql' })).toContain(
      `(the server's hint: Perhaps you meant to reference the column "a.name".)`,
    )
    const sql = 'create table a (id int unique); insert into a values (1), (1)'
    expect(await failed({ sql })).toContain(
      '(SQLSTATE 23505); Key (id)=(1) already exists.; all statements of sql are rolled back; nothing else ran',
    )
  })

  it('with deferred constraints may fail at their end', async () => {
    const sql = 'create table a (id int unique deferrable initially deferred);\ninsert into a values (1), (1)'
    expect(await failed({ sql })).toContain('sql:2:1: duplicate key value')
    expect(await tables()).toEqual([])
  })

  it.each([
    [
      'missing/*.sql',
      'no file matches missing/*.sql; the workspace contains db, link.sql — correct the path',
    ],
    ['db', 'db is a folder; db contains 1.sql, latin.sql — write db/*.sql'],
    ['db/*.SQL', 'no file matches db/*.SQL; db contains 1.sql, latin.sql — correct the path'],
    ['../*.sql', 'no file matches ../*.sql; only files below the workspace are read — write the path from'],
    [
      '/etc/passwd',
      'no file matches /etc/passwd; only files below the workspace are read — write the path from the root of the repository',
    ],
    ['link.sql', 'link.sql is a link to a file outside of the workspace'],
    ['db/latin.sql', 'db/latin.sql is not text in UTF-8'],
  ])('%s is refused before anything runs', async (pattern, message) => {
    write({ 'db/1.sql': 'create table t (id int)', 'db/latin.sql': Buffer.from([0x2d, 0x2d, 0xe9]) })
    symlinkSync('/etc/hostname', join(workspace.path, 'link.sql'))
    expect(await failed({ sql_file: `db/1.sql, ${pattern}` })).toContain(`sql_file: ${message}`)
    expect(await tables()).toEqual([])
  })

  it.each([
    ['\\i other.sql', '\\\\i is a command of psql'],
    ['copy t from stdin;\n1\n\\.\n', 'COPY FROM STDIN and COPY TO STDOUT'],
    ['begin; select 1; commit', 'BEGIN controls a transaction, but each file already runs in one'],
    ['rollback and chain', 'ROLLBACK controls a transaction'],
  ])('with %j are refused before anything runs', async (text, message) => {
    write({ 'a.sql': 'create table t (id int)', 'b.sql': `select 1;\n${text}` })
    expect(await failed({ sql_file: '*.sql' })).toMatch(
      new RegExp(`^file=b\\.sql,line=2,col=1::b\\.sql:2:1: ${message}`),
    )
    expect(await tables()).toEqual([])
  })
})

describe('without a transaction', () => {
  const statements = 'create table t (id int); create index concurrently on t (id); vacuum t'

  it('runs each statement by itself, as CONCURRENTLY and VACUUM require', async () => {
    const { stdout } = await done({ sql: statements, transaction: 'false' })
    expect(stdout).toContain('sql:1: VACUUM')
    expect(await query(url, "select indisvalid from pg_index where indrelid = 't'::regclass")).toEqual([
      { indisvalid: true },
    ])
  })

  it('refuses them with a transaction, with advice', async () => {
    expect(await failed({ sql: statements })).toMatch(
      /CREATE INDEX CONCURRENTLY cannot run inside a transaction block \(SQLSTATE 25001\).*— run it with `transaction: false`, which runs each statement by itself/,
    )
    expect(await tables()).toEqual([])
  })

  it('advises to leave out the files that a failed step has committed', async () => {
    write({
      'a.sql': 'create table t (id int)',
      'b.sql': 'create index concurrently on t (id)',
    })
    expect(await failed({ sql_file: '*.sql' })).toMatch(
      /in effect: a\.sql — run it with `transaction: false`, which runs each statement by itself, in a step without the files in effect$/,
    )
  })

  it('statements before a failing one are in effect, and reported', async () => {
    expect(
      await failed({
        sql: 'create table t (id int); select 1/0; create table u (id int)',
        transaction: 'false',
      }),
    ).toContain('division by zero (SQLSTATE 22012); 1 statement of sql already ran; nothing else ran')
    expect(await tables()).toEqual(['t'])
  })

  it('requires a file to end its own transactions', async () => {
    await done({ sql: 'begin; create table t (id int); commit', transaction: 'false' })
    expect(await tables()).toEqual(['t'])
    expect(
      await failed({ sql: 'select 1;\nbegin; create table u (id int)', transaction: 'false' }),
    ).toContain('sql:2:1: BEGIN begins a transaction that the file does not end')
  })
})
