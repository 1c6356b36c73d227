import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha } from '../support/github/pull-request-record.ts'
import { openRepository, type Repository } from '../support/pull-request.ts'
import { query } from '../support/workbench.ts'

let repository: Repository
let parent: { id: string; url: string }
beforeAll(async () => {
  repository = await openRepository()
  parent = await repository.production(500)
})
afterAll(() => repository.stop())

/** The table of our comment as one text, its code spans opened. */
const commentOf = (number: number) => repository.github.commentsOf(number).map(({ body }) => body)

describe('the life of a pull request', () => {
  it('opened, pushed, read by a second job, closed', async () => {
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
    const state = `🟢 \\*\\*Preview database: ready\\*\\* · fork of \`${parent.id}\` as of [\\d-]+ [\\d:]+ UTC · commit ${sha.slice(0, 7)} · `
    expect(comment).toMatch(new RegExp(`^<!-- .* -->\\n${state}`))
    const { user, host, port } = opened.outputs
    expect(comment).toContain(`\npsql 'postgresql://${user}@${host}:${port}/tsdb?sslmode=require'\n`)
    expect(opened.stdout).toMatch(new RegExp(`is a fork of ${parent.id} as of [\\d-]+ [\\d:]+ UTC$`, 'm'))
    expect(opened.summary).toMatch(new RegExp(`Data: fork of ${parent.id} as of [^]*mermaid[^]*\\| host \\|`))
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
    expect(commentOf(number)).toHaveLength(1)

    const connected = await repository.on('synchronize', number, { operation: 'get-connection' })
    expect(connected.exitCode, connected.stdout).toBe(0)
    expect(await query(connected.outputs.database_url, 'select mark from marks')).toEqual([{ mark: 1 }])

    repository.github.closePullRequest(number)
    const dry = await repository.on('closed', number, { ...preview, dry_run: 'true' })
    expect(dry.exitCode, dry.stdout).toBe(0)
    expect(dry.outputs).toMatchObject({ skipped: 'true', deleted: 'false' })
    expect(dry.stdout).toContain(`would delete service ${opened.outputs.service_id}`)
    expect(commentOf(number)).toEqual([expect.stringContaining('Preview database: ready')])

    const closed = await repository.on('closed', number, preview)
    expect(closed.exitCode, closed.stdout).toBe(0)
    expect(closed.outputs).toMatchObject({ deleted: 'true', deleted_ids: opened.outputs.service_id })
    await expect(query(opened.outputs.database_url, 'select 1')).rejects.toThrow('ECONNREFUSED')
    expect((await repository.services()).map(({ name }) => name)).toEqual(['production'])
    expect(commentOf(number)).toEqual([expect.stringContaining('Preview database: deleted')])

    const again = await repository.on('closed', number, preview)
    expect(again.exitCode).toBe(0)
    expect(again.outputs.deleted).toBe('false')
    expect(await query(parent.url, 'select count(*)::int from orders')).toEqual([{ count: 500 }])
  })
})
