/** Tests that reported losses outlive the database's notes. */
import { createRequire } from 'node:module'
import { beforeAll, expect, it } from 'vitest'
import type { StepResult } from '../../tools/runner/run-step.ts'
import { createService, type Outputs, runSql } from '../support/fork.ts'
import { useRepository } from '../support/pull-request.ts'
import type { Inputs } from '../support/workbench.ts'
import { useWorkspace } from '../support/workspace.ts'

const repository = useRepository()
let parent: Outputs
const workspace = useWorkspace()

beforeAll(async () => {
  parent = await createService(repository.bench)
  await runSql(
    parent,
    "create table orders as select n as id, 'thanks' as note from generate_series(1, 9) n; analyze",
  )
})

async function preview(number: number, inputs: Inputs = {}): Promise<Outputs> {
  const from = { operation: 'create-preview', service_id: parent.service_id as string, fork_strategy: 'NOW' }
  const { exitCode, stdout, outputs } = await repository.on('opened', number, { ...from, ...inputs })
  expect(exitCode, stdout).toBe(0)
  return outputs
}

/** A push: its SQL is rehearsed on the database of the URL. */
function push(number: number, outputs: Outputs, sql: string, inputs: Inputs = {}): Promise<StepResult> {
  workspace.write({ 'm.sql': sql })
  const given = {
    operation: 'rehearse-migration',
    database_url: outputs.database_url as string,
    sql_file: 'm.sql',
  }
  const environment = { GITHUB_WORKSPACE: workspace.path }
  return repository.on('synchronize', number, { ...given, ...inputs }, { environment })
}

const note = (outputs: Outputs, kind: string) =>
  runSql(outputs, `select objoid from pg_description where description = 'managed-database-action: ${kind}'`)

const strict = { approve_destructive: 'label:ok', on_violation: 'fail' }

it('keeps a reported loss after SQL that deletes the notes, also between two steps', async () => {
  const number = repository.github.openPullRequest()
  const created = await preview(number)
  const deleting = await repository.on('synchronize', number, {
    ...{ operation: 'run-sql', database_url: created.database_url as string, transaction: 'false' },
    sql: 'select lo_unlink(oid) from pg_largeobject_metadata; select 1/0',
  })
  expect(deleting.exitCode).toBe(1)
  expect(deleting.stdout).toContain('changed while the SQL ran: preview, schema; they are restored')
  expect(await note(created, 'preview')).toHaveLength(1)

  const losing = await push(number, created, 'alter table orders drop column note', strict)
  expect(losing.exitCode).toBe(1)
  expect(losing.stdout.match(/^::(?:warning|error) .*data/gm)).toHaveLength(1)

  const erasing = await push(
    number,
    created,
    'select count(lo_unlink(oid)) from pg_largeobject_metadata',
    strict,
  )
  expect(erasing.exitCode).toBe(1)
  expect(erasing.stdout).toMatch(
    /^::warning [^:]*notes restored::.*: preview, schema, migrations; they are restored/m,
  )
  expect(erasing.stdout).toMatch(/^::error [^:]*::data is lost \(column orders\.note dropped/m)
  expect(await note(created, 'schema')).toHaveLength(1)

  // A person with the password: the comment keeps it.
  await runSql(created, "select lo_unlink(objoid) from pg_description where description like '%migrations'")
  const later = await push(number, created, 'create table totals (id int)', strict)
  expect(later.exitCode).toBe(1)
  expect(later.stdout).toMatch(
    /^::error [^:]*::not measured: the comment shows a loss of data that is missing from the history/m,
  )

  // A step that asks for no approval leaves the hash in the comment.
  const hash = /managed-database-action:migration:[0-9a-f]{64}/
  await push(number, created, 'create table bills (id int)')
  const [comment] = repository.github.commentsOf(number)
  expect(comment?.body).toMatch(hash)
})

/** A migration tool with a table of its own: it runs each file once. */
const tool = `const { Client } = require(${JSON.stringify(createRequire(import.meta.url).resolve('pg'))})
const { readdirSync, readFileSync } = require('node:fs')
;(async () => {
  const client = new Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  await client.query('create table if not exists applied (name text)')
  await client.query(';')
  const { rows } = await client.query('select name from applied')
  for (const name of readdirSync('m').filter(name => !rows.some(row => row.name === name))) {
    await client.query('begin')
    await client.query(readFileSync('m/' + name, 'utf8'))
    await client.query('insert into applied values ($1)', [name])
    await client.query('commit')
  }
  await client.end()
})()`

it('a limit that a command exceeded counts until its statement runs again', async () => {
  const number = repository.github.openPullRequest()
  const created = await preview(number)
  workspace.write({ 'tool.cjs': tool })
  const rehearse = () =>
    repository.on(
      'synchronize',
      number,
      {
        ...{ operation: 'rehearse-migration', database_url: created.database_url as string },
        ...{ command: 'node tool.cjs', migrations: 'm/*.sql', max_rewrite: '1kB', on_violation: 'fail' },
      },
      { environment: { GITHUB_WORKSPACE: workspace.path } },
    )
  const comment = () => repository.github.commentsOf(number)[0]?.body
  workspace.write({ 'm/1.sql': 'alter table orders alter id type bigint' })
  const first = await rehearse()
  expect(first.exitCode, first.stdout).toBe(1)
  const shown = comment()
  expect(first.stdout).toMatch(/failed; the statements of the command took \S+; 1 limit exceeded/)
  expect(shown).toMatch(/❌ Migration: `orders` rewritten[\s\S]*1\.sql:1/)
  expect(shown).toMatch(/3 statements, locks and WAL<[\s\S]*`create table if not exists applied/)

  const again = await rehearse()
  expect(again.exitCode, again.stdout).toBe(1)
  expect(again.outputs).toMatchObject({ verdict: 'passed', violations: '[]' })
  expect(again.summary).not.toMatch(/<code>select name/)
  expect(again.stdout).toMatch(/^::error [^:]*::an earlier run on this preview.*orders rewritten/m)
  expect(comment()).toBe(shown)

  await runSql(created, "delete from applied where name = '1.sql'")
  const repeated = await rehearse()
  expect(repeated.exitCode, repeated.stdout).toBe(0)
  expect(comment()).toMatch(/✅ Migration: within all limits/)
})

it('writes verdicts on two databases into the comments of their own previews, without name_prefix', async () => {
  const number = repository.github.openPullRequest()
  const api = await preview(number, { name_prefix: 'api' })
  const web = await preview(number, { name_prefix: 'web' })
  await push(number, api, 'create table of_api (id int)')
  await push(number, web, 'create table of_web (id int)')
  const bodies = repository.github.commentsOf(number).map(({ body }) => body)
  const found = bodies.map(body => [/preview:(\w+)-pr/.exec(body)?.[1], /create table (\w+)/.exec(body)?.[1]])
  expect(found).toEqual([
    ['api', 'of_api'],
    ['web', 'of_web'],
  ])

  const diff = (outputs: Outputs) =>
    repository.on('synchronize', number, {
      ...{ operation: 'schema-diff', database_url: outputs.database_url as string },
    })
  await runSql(web, 'create table since_web (id int)')
  await runSql(api, 'create table since_api (id int)')
  for (const outputs of [web, api]) expect((await diff(outputs)).exitCode).toBe(0)
  const compared = repository.github.commentsOf(number).map(({ body }) => body.match(/since_\w+/g))
  expect(compared.map(names => [...new Set(names)])).toEqual([['since_api'], ['since_web']])

  const wrong = await push(number, web, 'create table wrong (id int)', { name_prefix: 'api' })
  expect(wrong.exitCode).toBe(1)
  expect(wrong.stdout).toMatch(
    /^::error [^:]*::the database is the preview web-pr-\d+-\w+, and the step is about the preview api-pr/m,
  )
  expect(wrong.stdout).not.toContain('name_prefix is not used')
  expect(await runSql(web, "select 1 from pg_tables where tablename = 'wrong'")).toEqual([])
})
