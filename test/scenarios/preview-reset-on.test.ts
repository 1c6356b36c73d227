import { afterAll, beforeAll, expect, it } from 'vitest'
import { refuse } from '../support/github/answer.ts'
import { openRepository, type Repository } from '../support/pull-request.ts'
import { query } from '../support/workbench.ts'

let repository: Repository
let parent: { id: string; url: string }
beforeAll(async () => {
  repository = await openRepository()
  parent = await repository.production(5)
})
afterAll(() => repository.stop())

const trees = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}'

it('a preview goes on with a new migration, and is made anew where an applied one was edited', async () => {
  const { github } = repository
  const number = github.openPullRequest()
  // The event of each of these runs names the first commit, as that of a workflow that is run again does.
  const push = async (files: Record<string, string>) => {
    github.push(number, files)
    return await run()
  }
  const run = async () => {
    const inputs = {
      operation: 'preview',
      service_id: parent.id,
      fork_strategy: 'NOW',
      reset_on: 'migrations/**',
    }
    const result = await repository.on('synchronize', number, inputs)
    expect(result.exitCode, result.stdout).toBe(0)
    return result
  }
  const columns = (url: string | undefined) =>
    query(url, "select attname from pg_attribute where attrelid = 'orders'::regclass and attnum > 1")

  const first = { 'migrations/1_note.sql': 'alter table orders add note text', 'README.md': 'Orders' }
  const { outputs: made } = await push(first)
  await query(made.database_url, first['migrations/1_note.sql'])

  const second = { ...first, 'migrations/2_paid.sql': 'alter table orders add paid boolean', 'README.md': '' }
  const { outputs: kept, stdout } = await push(second)
  expect(kept).toMatchObject({ service_id: made.service_id, changed: 'false' })
  expect(stdout).not.toContain('reset_on')
  await query(made.database_url, second['migrations/2_paid.sql'])
  expect(await columns(made.database_url)).toHaveLength(2)

  const edited = { ...second, 'migrations/1_note.sql': 'alter table orders add remark text' }
  github.strike(({ route }) =>
    route === trees
      ? { kind: 'answer', answer: refuse(403, 'Resource not accessible by integration') }
      : undefined,
  )
  const unread = await push(edited)
  github.strike(() => undefined)
  expect(unread.outputs.service_id).toBe(made.service_id)
  expect(unread.stdout).toMatch(
    /::warning.*GitHub does not say whether files of reset_on were changed.*GitHub answers 403.*contents: read/,
  )

  const reset = await run()
  const reason = 'migrations/1_note.sql was changed'
  expect(reset.outputs).toMatchObject({ created: 'true', deleted: 'true', deleted_ids: made.service_id })
  expect(reset.stdout).toMatch(new RegExp(`::notice.*reset_on: ${reason}, so the preview is reset`))
  expect(reset.summary).toMatch(/Reset: migrations\S+note\.sql was changed/)
  expect(github.commentsOf(number)).toEqual([
    expect.objectContaining({ body: expect.stringContaining(`**Reset:** \`${reason}\``) }),
  ])
  expect(await columns(reset.outputs.database_url)).toEqual([])

  const again = await run()
  expect(again.outputs).toMatchObject({ service_id: reset.outputs.service_id, changed: 'false' })
  expect(github.commentsOf(number)[0]?.body).not.toContain('Reset:')
})
