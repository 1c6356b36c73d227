/** Tests whole steps with the input `paths`, against the emulator and the fake GitHub. */
import { expect, it } from 'vitest'
import { useRepository } from '../support/pull-request.ts'

const repository = useRepository({ databases: 'invented', readyAfter: 200, deleteAfter: 100 })
const inputs = {
  ...{ operation: 'preview', empty: 'true', wait_for_connection: 'false' },
  paths: 'db/**, !**/*.md',
}

it('creates a preview for matching files, keeps it, and always deletes it', async () => {
  const { github } = repository
  const moved = { filename: 'docs/1.sql', previous_filename: 'db/1.sql', status: 'renamed' } as const
  const others = Array.from({ length: 120 }, (_, index) => ({ filename: `docs/${index}.txt` }))
  // The matching file is on the second page.
  const number = github.openPullRequest({ changed: [...others, moved] })
  const opened = await repository.on('opened', number, inputs)
  expect(opened.exitCode, opened.stdout).toBe(0)
  expect(opened.outputs).toMatchObject({ created: 'true', skipped: 'false' })

  github.changePullRequest(number, { changed: [{ filename: 'db/README.md', status: 'removed' }] })
  const pushed = await repository.on('synchronize', number, inputs)
  expect(pushed.outputs).toMatchObject({ service_id: opened.outputs.service_id, deleted: 'false' })

  const other = await repository.on('opened', github.openPullRequest({ changed: others }), inputs)
  expect(other.outputs).toMatchObject({ skipped: 'true', created: 'false' })

  github.closePullRequest(number)
  const closed = await repository.on('closed', number, inputs)
  expect(closed.outputs).toMatchObject({ deleted: 'true', deleted_ids: opened.outputs.service_id })
})
