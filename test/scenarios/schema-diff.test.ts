/** Runs schema-diff. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { StepResult } from '../../tools/runner/run-step.ts'
import { connectTo, createService, type Outputs, runAsSuperuser, runSql } from '../support/fork.ts'
import { useRepository } from '../support/pull-request.ts'
import { runStepInProcess } from '../support/run-step-in-process.ts'
import type { Inputs } from '../support/workbench.ts'
import { useWorkspace } from '../support/workspace.ts'

const repository = useRepository()
const workspace = useWorkspace()
let parent: Outputs
/** The preview of most tests, which run in order. */
let created: Awaited<ReturnType<typeof preview>>

beforeAll(async () => {
  parent = await createService(repository.bench)
  await runSql(
    parent,
    'create table orders (id bigint primary key, note text); create role reader; create schema "$(id) `"',
  )
  created = await preview()
})

async function preview(inputs: Inputs = {}): Promise<StepResult & { number: number }> {
  const number = repository.github.openPullRequest()
  const from = { operation: 'create-preview', service_id: parent.service_id as string, fork_strategy: 'NOW' }
  const result = await repository.on('opened', number, { ...from, ...inputs })
  expect(result.exitCode, result.stdout).toBe(0)
  return { ...result, number }
}

/** By the URL, as a job without keys would. */
const byUrl = ({ outputs }: Pick<StepResult, 'outputs'>, inputs: Inputs = {}) =>
  repository.bench.watch.run(
    { inputs: { operation: 'schema-diff', database_url: outputs.database_url as string, ...inputs } },
    runStepInProcess,
  )

const columns =
  'alter table orders add total numeric not null default 0; alter table orders rename note to remark'
const told = ['+ column orders.total numeric not null default 0', '~ column orders.note: renamed to remark']

it('finds the preview of the pull request, and compares grants on request', async () => {
  const { number, outputs } = created
  await runSql(outputs, 'grant select on orders to reader')
  const find = (inputs: Inputs) =>
    repository.on('synchronize', number, { operation: 'schema-diff', comment: 'false', ...inputs })
  const unchanged = await find({})
  expect(unchanged.outputs).toMatchObject({ diff: '', has_diff: 'false', service_id: outputs.service_id })
  expect(unchanged.summary).toContain('Schema: no difference')
  expect((await find({ grants: 'true' })).outputs.diff).toBe('~ table orders: now grants reader: SELECT')
})

it('reports the changes since the preview began, by its URL, without a request to the API and without shell syntax', async () => {
  await runSql(created.outputs, `${columns}; insert into orders (id) values (1)`)
  const mark = repository.bench.emulator.requests.length
  const { exitCode, outputs, stdout, summary } = await byUrl(created)
  expect(repository.bench.operationsSince(mark)).toEqual([])
  expect(exitCode, stdout).toBe(0)
  expect(outputs).toMatchObject({ diff: told.toReversed().join('\n'), has_diff: 'true', changed: 'false' })
  expect(stdout).toContain(told[0])
  expect(stdout).toMatch(
    new RegExp(
      `schema-diff: done; \\+1 −0 ~1 since service ${created.outputs.service_id} was created, \\d{4}-.* UTC`,
    ),
  )
  expect(summary).toContain(`Schema: +1 −0 &#126;1\n\n\`\`\`diff\n${told.toReversed().join('\n')}\n\`\`\``)

  await runSql(
    created.outputs,
    'create table "$(id) `" (); comment on table orders is $$it\'s "x"; y & <z>$$',
  )
  const hostile = await byUrl(created)
  expect(hostile.outputs.diff).toContain('＄（id） ｀')
  expect(hostile.outputs.diff).not.toMatch(/["$&'();<>\\`|]/)
  expect(hostile.summary).toContain('+ table "$(id) `"')
})

describe('schema-diff', { concurrent: true }, () => {
  it('fails if a migration holds a lock, and is skipped if another writer changed the note', async () => {
    const { outputs } = created
    const other = await connectTo(outputs)
    await runSql(outputs, 'create view v as select id from orders')
    await other.query('begin; lock table v in access exclusive mode')
    const { exitCode, stdout } = await byUrl(created)
    await other.end()
    expect(exitCode).toBe(1)
    expect(stdout).toContain(
      'the schema cannot be read: canceling statement due to lock timeout (SQLSTATE 55P03)',
    )
    const kept = "(select objoid from pg_description where description = 'managed-database-action: schema')"
    for (const bytes of ['x', '\\x789c', '\\x78da4bcc49'])
      await runSql(outputs, `select lo_put(${kept}, 0, '${bytes}')`)
    expect((await byUrl(created)).outputs.skipped).toBe('true')
  })

  it('reports the measurements of a job without keys, in the comment that the job could not write', async () => {
    const created = await preview()
    const { number, outputs } = created
    const rehearse = (sql: string, inputs: Inputs = { sql_file: 'm.sql' }) => {
      workspace.write({ 'm.sql': sql })
      const limits = { max_write_block: '1ms', max_read_block: '1ms', on_violation: 'warn' }
      const database_url = outputs.database_url as string
      return repository.bench.watch.run(
        {
          inputs: { operation: 'rehearse-migration', database_url, comment: 'false', ...limits, ...inputs },
          environment: { GITHUB_WORKSPACE: workspace.path },
        },
        runStepInProcess,
      )
    }
    await runSql(outputs, "insert into orders select n, 'thanks' from generate_series(1, 9) n")
    const measured = await rehearse('alter table orders drop column note; select pg_sleep(0.01)')
    expect(measured.exitCode, measured.stdout).toBe(0)
    expect(measured.stdout).toMatch(/m\.sql ran in \S+; 1 limit exceeded \(on_violation: warn\)$/m)
    expect(measured.outputs).toMatchObject({
      verdict: 'failed',
      destructive: 'true',
      diff: '- column orders.note text',
    })
    // A file is run once, so that a push can give all of them.
    const again = await rehearse('-- as before\nalter table orders drop column note; select pg_sleep(0.01)')
    expect(again.exitCode, again.stdout).toBe(0)
    expect(again.outputs).toMatchObject({ verdict: 'passed', changed: 'false', diff: '' })
    expect(again.stdout).toContain('skipped 1 file that already ran on this preview')
    expect(again.stdout).toContain(
      'done; all files already ran on this preview; this run: passed; all runs: 1 limit exceeded',
    )
    // Of this run alone: it does nothing that is beyond a limit, and loses nothing.
    const second = await rehearse('create table totals (id int)')
    expect(second.outputs).toMatchObject({ verdict: 'passed', violations: '[]', destructive: 'false' })
    expect(second.stdout).toMatch(
      /^::warning .*m\.sql changed after it ran on this preview, so it runs again/m,
    )
    expect(second.stdout).toContain('over all runs on this preview: 1 limit exceeded')
    const third = await rehearse('', { command: 'true', on_violation: 'fail' })
    expect(third.stdout).toContain('; this run: not measured; all runs: ')
    expect(third.stdout).toMatch(
      /^::warning .*::not measured: the command did not use DATABASE_URL\. If it ran migrations, they ran on another database: let/m,
    )
    expect(third.stdout).toMatch(
      /^::error .*::an earlier run on this preview: reads and writes of orders blocked.*then run reset-preview/m,
    )
    expect(repository.github.commentsOf(number)[0]?.body).not.toContain('Migration')

    const diff = (inputs: Inputs = {}) =>
      repository.on('synchronize', number, { operation: 'schema-diff', ...inputs })
    const told = await diff()
    expect(told.exitCode, told.stdout).toBe(0)
    expect(told.outputs).toMatchObject({ verdict: 'failed', destructive: 'true', has_diff: 'true' })
    expect(told.stdout).toMatch(
      /^::warning [^:]*limit exceeded,file=m\.sql,line=1,[^:]*::m\.sql:1: reads and writes of orders blocked/m,
    )
    expect(told.summary).toMatch(
      /^Migrations: ❌ 1 limit exceeded\n\n.*\n.*\n\| ❌ \| <code>m\.sql&#58;1<\/code> \| reads and writes of <code>orders<\/code> blocked/m,
    )
    const [comment] = repository.github.commentsOf(number)
    expect(told.outputs.comment_url).toContain(`/${number}#`)
    expect(comment?.body).toContain('### ❌ Migration: reads and writes of `orders` blocked')
    expect(comment?.body).toContain('- column orders.note text\n+ table totals\n+   column id integer\n')
    expect(comment?.body).toContain(
      '| `m.sql:1` `alter table orders drop column note` | reads and writes of `orders` blocked for ',
    )
    expect(comment?.body).toContain('**data loss:** column orders.note dropped')
    expect(comment?.body).toMatch(
      /^Measured at \S+ \S+ UTC, on a fork of the parent as of \S+ \S+ UTC, [\d.]+ CPU \(parent [\d.]+\), PostgreSQL \d+/m,
    )
    // The section of the job that made the preview is as it was.
    expect(comment?.body).toContain(`${outputs.host}`)
    const unapproved = await diff({ approve_destructive: 'label:ok', on_violation: 'fail' })
    expect(unapproved.exitCode).toBe(1)
    expect(unapproved.stdout).toMatch(
      /^::error [^:]*::data is lost \(column orders\.note dropped.*\), and the label ok is not set/m,
    )
    // One finding draws one annotation: the error.
    expect(unapproved.stdout).not.toMatch(/^::warning [^:]*data lost::data is lost/m)

    // The same without a stored schema baseline: then only the schema is missing.
    await runSql(
      outputs,
      "select lo_unlink(objoid) from pg_description where description = 'managed-database-action: schema'",
    )
    const without = await diff()
    expect(without.outputs).toMatchObject({ verdict: 'failed', skipped: 'false' })
    expect(without.outputs.has_diff).toBeUndefined()
    expect(repository.github.commentsOf(number)[0]?.body).not.toContain('Schema: +')
  })
})

// Changes the parent, so it runs last: the forks of the other tests need the old parent.
it('publishes a preview with a warning if the schema cannot be read', async () => {
  await runAsSuperuser(parent, 'revoke execute on function pg_get_viewdef(oid) from public')
  const created = await preview()
  await runAsSuperuser(parent, 'grant execute on function pg_get_viewdef(oid) to public')
  expect(created.stdout).toMatch(
    /::warning title=[^:]*schema not kept::the schema baseline of service \w+ was not stored/,
  )
  expect((await byUrl(created)).outputs.skipped).toBe('true')
})
