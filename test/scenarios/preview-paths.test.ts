/** Tests whole steps with the input `paths`, against the emulator and the fake GitHub. */
import { expect, it } from 'vitest'
import { useRepository } from '../support/pull-request.ts'

const repository = useRepository({ databases: 'invented', readyAfter: 200, deleteAfter: 100 })
const inputs = {
  ...{ operation: 'preview', empty: 'true', wait_for_connection: 'false' },
  paths: 'db/**, !**/*.md',
}

const files = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ filename: `docs/${index}.txt` }))

it('creates a preview for matching files, keeps it, and always deletes it', async () => {
  const { github } = repository
  const moved = { filename: 'docs/1.sql', previous_filename: 'db/1.sql', status: 'renamed' } as const
  // The matching file is on the second page.
  const number = github.openPullRequest({ changed: [...files(120), moved] })
  const opened = await repository.on('opened', number, inputs)
  expect(opened.exitCode, opened.stdout).toBe(0)
  expect(opened.outputs).toMatchObject({ created: 'true', skipped: 'false' })

  github.changePullRequest(number, { changed: [{ filename: 'db/README.md', status: 'removed' }] })
  const pushed = await repository.on('synchronize', number, inputs)
  expect(pushed.outputs).toMatchObject({ service_id: opened.outputs.service_id, deleted: 'false' })

  github.closePullRequest(number)
  const closed = await repository.on('closed', number, inputs)
  expect(closed.outputs).toMatchObject({ deleted: 'true', deleted_ids: opened.outputs.service_id })
})

it('skips a pull request without a matching file, and succeeds', async () => {
  const { github } = repository
  const number = github.openPullRequest({ changed: files(101) })
  const before = await repository.services()
  const opened = await repository.on('opened', number, inputs)
  expect(opened.exitCode, opened.stdout).toBe(0)
  expect(opened.outputs).toMatchObject({ skipped: 'true', created: 'false' })
  expect(opened.stdout).toContain(
    `pull request ${number} changes no file that matches paths (db/** !**/*.md)`,
  )
  expect(await repository.services()).toEqual(before)
  expect(github.commentsOf(number)).toEqual([])
})

it('creates the preview if GitHub does not list every changed file', async () => {
  const number = repository.github.openPullRequest({ changed: files(3001) })
  const opened = await repository.on('opened', number, inputs)
  expect(opened.outputs).toMatchObject({ created: 'true' })
  expect(opened.stdout).toMatch(
    /::warning.*it is unknown which files changed, so paths does not apply.*3001 files/,
  )
})
