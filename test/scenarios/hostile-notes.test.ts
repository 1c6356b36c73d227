/** Runs steps on databases with hostile notes. */
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createService, type Outputs, runSql } from '../support/fork.ts'
import { useRepository } from '../support/pull-request.ts'
import type { Inputs } from '../support/workbench.ts'
import { useWorkspace } from '../support/workspace.ts'

// SQL of a pull request that attacks the notes in its preview, to turn a failed verdict into a passed one.

const repository = useRepository()
let parent: Outputs
let number: number
let preview: Outputs
const workspace = useWorkspace()

beforeAll(async () => {
  parent = await createService(repository.bench)
  await runSql(parent, 'create table orders as select n as id from generate_series(1, 9) n; analyze')
  number = repository.github.openPullRequest()
  preview = await create(number)
})

async function create(of: number): Promise<Outputs> {
  const inputs = {
    operation: 'create-preview',
    service_id: parent.service_id as string,
    fork_strategy: 'NOW',
  }
  const { exitCode, stdout, outputs } = await repository.on('opened', of, inputs)
  expect(exitCode, stdout).toBe(0)
  return outputs
}

/** Runs a step on the preview, with the SQL in its file. */
function step(operation: string, sql: string, inputs: Inputs = {}, of = { number, preview }) {
  workspace.write({ 'm.sql': sql })
  const environment = { GITHUB_WORKSPACE: workspace.path }
  const given = { operation, database_url: of.preview.database_url as string, comment: 'false', ...inputs }
  const source = inputs.command ? {} : { sql_file: 'm.sql' }
  return repository.on('synchronize', of.number, { ...given, ...source }, { environment })
}

const push = (sql: string, inputs: Inputs = {}) =>
  step('rehearse-migration', sql, { on_violation: 'fail', ...inputs })

const history = `(select max(objoid) from pg_description where description = 'managed-database-action: migrations')`

/** Attacks on notes alone are in stored-verdicts.test.ts and in test/contents/notes/restore-notes.test.ts. */
const attacks: [string, string][] = [
  [
    'shadows functions of PostgreSQL',
    `create schema evil; create function evil.lo_get(oid) returns bytea return null::bytea;
     create function evil.lo_from_bytea(oid, bytea) returns oid return 0;
     create function evil.pg_has_role(name, text) returns bool return false;
     do $$ begin execute format('alter role %I set search_path = evil, pg_catalog', current_user);
     execute format('alter database %I set search_path = evil, pg_catalog', current_database()); end $$;
     select pg_catalog.lo_unlink(${history})`,
  ],
  [
    'lets sessions only read, and for a millisecond',
    `set transaction read write; set local statement_timeout = 0;
     do $$ begin execute format('alter role %I set default_transaction_read_only = on', current_user);
     execute format('alter role %I set statement_timeout = 1', current_user); end $$;
     select lo_unlink(${history})`,
  ],
]

describe('a verdict that failed still fails the step after SQL', () => {
  beforeAll(async () => {
    const limits = { max_write_block: '1ms', max_read_block: '1ms', on_violation: 'warn' }
    const sql = 'alter table orders add column note text; select pg_sleep(0.02)'
    const { outputs, stdout } = await push(sql, limits)
    expect(outputs.verdict, stdout).toBe('failed')
  })
  // The settings of an attack must not reach the next one, nor this session.
  const usual = { options: '-c statement_timeout=0 -c default_transaction_read_only=off' }
  afterEach(() => runSql(preview, 'alter role current_user reset all; alter database tsdb reset all', usual))

  it.each(attacks)('%s', async (_, sql) => {
    const attacked = await push(sql)
    expect(attacked.exitCode, attacked.stdout).toBe(1)
    expect(attacked.stdout).toMatch(/^::error [^:]*::an earlier run on this preview.* blocked for/m)
    expect(attacked.stdout).toContain('notes of this action in the database changed while the SQL ran')
    // Each attack finds the verdict that the one before it left. Its settings change the sessions of later steps.
    const later = await step('schema-diff', '', { on_violation: 'fail', sql_file: '' })
    expect(later.exitCode, later.stdout).toBe(1)
    expect(later.stdout).toMatch(/^::error [^:]*::an earlier run on this preview.* blocked for/m)
  })
})

const [vacuumlo] = globSync('/usr/lib/postgresql/*/bin/vacuumlo')

describe.skipIf(vacuumlo === undefined)('vacuumlo, which deletes unreferenced large objects,', () => {
  const limits = { max_write_block: '1ms', max_read_block: '1ms', on_violation: 'warn' }
  const harm = 'alter table orders add column more text; select pg_sleep(0.02)'

  it('in another step leaves no verdict until reset-preview', async () => {
    const other = repository.github.openPullRequest()
    const of = { number: other, preview: await create(other) }
    const rehearse = (sql: string, inputs: Inputs) => step('rehearse-migration', sql, inputs, of)
    expect((await rehearse(harm, limits)).outputs.verdict).toBe('failed')
    const url = new URL(of.preview.database_url as string)
    url.protocol = 'postgres:'
    await promisify(execFile)(vacuumlo as string, [url.href])
    const refused = await rehearse('select 1', { on_violation: 'fail' })
    expect(refused.stdout).toMatch(/^::error [^:]*::database tsdb at .* is not a preview of this action/m)

    repository.bench.advanceTime(600_000)
    const prepared = await repository.on('synchronize', other, {
      ...{ operation: 'create-preview', service_id: parent.service_id as string },
    })
    expect(prepared.stdout).toMatch(/^::warning [^:]*note missing::/m)
    const later = await rehearse('create table later (id int)', { on_violation: 'fail' })
    expect(later.exitCode, later.stdout).toBe(1)
    expect(later.stdout).toMatch(/^::error [^:]*::not measured: .*the notes were deleted/m)
  })
})
