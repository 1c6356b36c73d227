/** Runs the life of a preview, from opening to closing. */
import pg from 'pg'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { refuse } from '../support/github/answer.ts'
import { sha } from '../support/github/records.ts'
import { useRepository } from '../support/pull-request.ts'
import { type Inputs, query } from '../support/workbench.ts'

const repository = useRepository()
let parent: { id: string; url: string }
beforeAll(async () => {
  parent = await repository.production(500)
})

/** The table of our comment as one text, its code spans opened. */
const commentOf = (number: number, { github } = repository) =>
  github.commentsOf(number).map(({ body }) => body)

it('a pull request is opened, pushed, read by a second job, closed', async () => {
  const number = repository.github.openPullRequest()
  const preview = { operation: 'preview', service_id: parent.id, fork_strategy: 'NOW' }

  const opened = await repository.on('opened', number, preview)
  expect(opened.exitCode, opened.stdout).toBe(0)
  expect(opened.outputs).toMatchObject({
    status: 'READY',
    environment: 'DEV',
    created: 'true',
    skipped: 'false',
    pull_request: String(number),
  })
  expect(opened.outputs.service_id).not.toBe(parent.id)
  expect(opened.outputs.name).toMatch(new RegExp(`^preview-pr-${number}-[0-9a-f]{8}-[a-z0-9]{6}$`))
  expect(opened.outputs.password).not.toBe(opened.outputs.initial_password)
  expect(opened.outputs.comment_url).toMatch(
    /^https:\/\/github.example\/octo-org\/shop\/pull\/\d+#issuecomment-\d+$/,
  )
  expect(await query(opened.outputs.database_url, 'select count(*)::int from orders')).toEqual([
    { count: 500 },
  ])
  const [comment] = commentOf(number)
  const state = `### 🟢 Preview database ready\n\n\\| Database \\| Data \\| Expires \\|\n[-|]+\n\\| .* \\| \`${parent.id}\` as of [\\d-]+ [\\d:]+ UTC \\| when the pull request closes \\|\n`
  expect(comment).toMatch(new RegExp(`^<!-- .* -->\n${state}`))
  expect(comment).toContain(`<sub>commit ${sha.slice(0, 7)} · `)
  const { user, host, port } = opened.outputs
  expect(comment).toContain(` 'postgresql://${user}@${host}:${port}/tsdb?sslmode=require'\n`)
  expect(opened.stdout).toMatch(new RegExp(`is a fork of ${parent.id} as of [\\d-]+ [\\d:]+ UTC$`, 'm'))
  expect(opened.summary).toMatch(new RegExp(`Data: fork of ${parent.id} as of [^]*\\| host \\|`))
  await query(opened.outputs.database_url, 'create table marks as select 1 as mark')

  const session = new pg.Client({
    connectionString: `${opened.outputs.database_url}&uselibpqcompat=true`,
  })
  await session.connect()
  const pushed = await repository.on('synchronize', number, preview)
  // A push leaves open sessions alone.
  const { rows } = await session.query('select mark from marks').finally(() => session.end())
  expect(rows).toEqual([{ mark: 1 }])
  expect(pushed.exitCode, pushed.stdout).toBe(0)
  for (const name of ['service_id', 'host', 'port', 'password', 'database_url'])
    expect(pushed.outputs[name]).toBe(opened.outputs[name])
  expect(pushed.outputs.created).toBe('false')
  expect(pushed.outputs.changed).toBe('false')
  const { service_id, name } = opened.outputs
  expect(pushed.stdout).toContain(`\nkept the existing preview: service ${service_id} (${name})\n`)
  expect(opened.stdout).not.toContain('kept the existing preview')
  expect(commentOf(number)).toHaveLength(1)

  const connected = await repository.on('synchronize', number, { operation: 'get-connection' })
  expect(connected.exitCode, connected.stdout).toBe(0)
  expect(await query(connected.outputs.database_url, 'select mark from marks')).toEqual([{ mark: 1 }])

  repository.github.closePullRequest(number)
  const dry = await repository.on('closed', number, { ...preview, dry_run: 'true' })
  expect(dry.exitCode, dry.stdout).toBe(0)
  expect(dry.outputs).toMatchObject({ skipped: 'true', deleted: 'false' })
  expect(dry.stdout).toContain(`would delete service ${opened.outputs.service_id}`)
  expect(commentOf(number)).toEqual([expect.stringContaining('Preview database ready')])

  const closed = await repository.on('closed', number, preview)
  expect(closed.exitCode, closed.stdout).toBe(0)
  expect(closed.outputs).toMatchObject({ deleted: 'true', deleted_ids: opened.outputs.service_id })
  await expect(query(opened.outputs.database_url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  expect((await repository.services()).map(({ name }) => name)).toEqual(['production'])
  expect(commentOf(number)).toEqual([expect.stringContaining('Preview database was deleted')])

  const again = await repository.on('closed', number, preview)
  expect(again.exitCode).toBe(0)
  expect(again.outputs.deleted).toBe('false')
  expect(await query(parent.url, 'select count(*)::int from orders')).toEqual([{ count: 500 }])
})

const count = async (url: string | undefined) => (await query(url, 'select count(*)::int from orders'))[0]

it('pauses an unused preview, starts it again, adds a pooler, and resets it to fresh data', async () => {
  const number = repository.github.openPullRequest()
  const making = { service_id: parent.id, fork_strategy: 'NOW' }
  const step = async (inputs: Inputs) => {
    const result = await repository.on('synchronize', number, { ...making, ...inputs })
    expect(result.exitCode, result.stdout).toBe(0)
    return result
  }
  const { outputs: created } = await step({ operation: 'create-preview' })
  await query(created.database_url, 'delete from orders where id > 2')

  // A pull request of long ago, and a database that is up for more than a millisecond.
  const pause = { operation: 'prune-previews', service_id: parent.id, min_age: '1ms', pause_after: '1ms' }
  // The session of the query above ends a moment after its client has gone.
  await vi.waitFor(async () => {
    const paused = await repository.onEvent('schedule', pause)
    expect(paused.exitCode, paused.stdout).toBe(0)
    expect(paused.stdout).toContain(`(${created.service_id}): paused, not used for`)
  }, 30_000)
  await expect(query(created.database_url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  expect(repository.github.commentsOf(number)).toEqual([
    expect.objectContaining({ body: expect.stringContaining('Preview database is paused') }),
  ])

  const { outputs: started } = await repository.on('synchronize', number, {
    operation: 'get-connection',
    pooler: 'true',
  })
  for (const name of ['service_id', 'host', 'port', 'password', 'database_url'])
    expect(started[name]).toBe(created[name])
  expect(started.changed).toBe('true')
  for (const url of [started.database_url, started.pooler_url]) expect(await count(url)).toEqual({ count: 2 })

  await query(parent.url, 'insert into orders values (501)')
  const reset = await step({ operation: 'reset-preview', pooler: 'true' })
  expect(reset.outputs).toMatchObject({ created: 'true', deleted: 'true', deleted_ids: created.service_id })
  expect(reset.outputs.service_id).not.toBe(created.service_id)
  expect(reset.outputs.password).not.toBe(created.password)
  expect(reset.stdout).toContain(`service_id was ${created.service_id}, is ${reset.outputs.service_id}`)
  expect(reset.stdout).toMatch(
    new RegExp(
      `done; service ${reset.outputs.service_id} is READY at \\S+, and replaces ${created.service_id}$`,
      'm',
    ),
  )
  for (const url of [reset.outputs.database_url, reset.outputs.pooler_url])
    expect(await count(url)).toEqual({ count: 501 })
  await expect(query(created.database_url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  expect((await repository.services()).map(({ service_id }) => service_id).sort()).toEqual(
    [parent.id, reset.outputs.service_id].sort(),
  )
})

const trees = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}'

it('keeps a preview for a new migration, and recreates it after a change to an applied one', async () => {
  const { github } = repository
  const number = github.openPullRequest()
  // The event of each of these runs names the first commit, as that of a workflow that is run again does.
  const push = async (files: Record<string, string>) => {
    github.push(number, files)
    return await run()
  }
  const run = async () => {
    const inputs = { operation: 'preview', empty: 'true', reset_on: 'migrations/**' }
    const result = await repository.on('synchronize', number, inputs)
    expect(result.exitCode, result.stdout).toBe(0)
    return result
  }
  const first = { 'migrations/1_note.sql': 'alter table orders add note text', 'README.md': 'Orders' }
  const { outputs: created } = await push(first)

  const second = { ...first, 'migrations/2_paid.sql': 'alter table orders add paid boolean', 'README.md': '' }
  const { outputs: kept, stdout } = await push(second)
  expect(kept).toMatchObject({ service_id: created.service_id, changed: 'false' })
  expect(stdout).not.toContain('reset_on')

  const edited = { ...second, 'migrations/1_note.sql': 'alter table orders add remark text' }
  github.injectFaults(({ route }) =>
    route === trees
      ? { kind: 'answer', answer: refuse(403, 'Resource not accessible by integration') }
      : undefined,
  )
  const unread = await push(edited)
  github.injectFaults(() => undefined)
  expect(unread.outputs.service_id).toBe(created.service_id)
  expect(unread.stdout).toMatch(
    /::warning.*it is unknown whether files of reset_on changed.*GitHub answers 403.*contents: read/,
  )

  const reset = await run()
  const reason = 'migrations/1_note.sql was changed'
  expect(reset.outputs).toMatchObject({ created: 'true', deleted: 'true', deleted_ids: created.service_id })
  expect(reset.stdout).toMatch(new RegExp(`::notice.*reset_on: ${reason}, so the preview is reset`))
  expect(reset.summary).toMatch(/Reset: migrations\S+note\.sql was changed/)
  expect(github.commentsOf(number)).toEqual([
    expect.objectContaining({ body: expect.stringContaining(`**Reset:** \`${reason}\``) }),
  ])

  const again = await run()
  expect(again.outputs).toMatchObject({ service_id: reset.outputs.service_id, changed: 'false' })
  expect(github.commentsOf(number)[0]?.body).not.toContain('Reset:')
})

/** Only the names of files are compared, without a database. */
const listed = useRepository({ databases: 'invented' })

it('reports a migration whose number precedes one that the base branch has gained', async () => {
  const { github } = listed
  const shared = { 'migrations/001_orders.sql': 'select 1' }
  const own = 'migrations/002_note.sql'
  const number = github.openPullRequest({ changed: [{ filename: own, status: 'added' }] })
  github.push(number, { ...shared, [own]: 'select 2' })
  github.commits.set('main', shared)
  onTestFinished(() => void github.commits.delete('main'))
  const run = async (action: 'opened' | 'synchronize') => {
    const inputs = { operation: 'preview', empty: 'true', wait_for_connection: 'false' }
    const step = await listed.on(action, number, { ...inputs, reset_on: 'migrations/**' })
    expect(step.exitCode, step.stdout).toBe(0)
    return step
  }
  const opened = await run('opened')
  expect(opened.stdout).not.toContain('out of order')
  expect(commentOf(number, listed)).toEqual([expect.not.stringContaining('out of order')])

  github.commits.set('main', { ...shared, 'migrations/003_paid.sql': 'select 3' })
  const pushed = await run('synchronize')
  expect(pushed.outputs.service_id).toBe(opened.outputs.service_id)
  const problem = `${own} comes before migrations/003_paid.sql, which the base branch has gained`
  const annotation = `::warning title=preview%3A migration out of order,file=${own},line=1,col=1::${problem} — `
  expect(pushed.stdout).toContain(`\n${annotation}`)
  expect(commentOf(number, listed)).toEqual([
    expect.stringContaining(`\n**⚠ Migration out of order:** \`${problem}\`\n`),
  ])
})
