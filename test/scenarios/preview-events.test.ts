/** Runs preview steps on events of pull requests. */
import { expect, it } from 'vitest'
import { mergeGroupEvent } from '../support/github/merge-group-event.ts'
import { useRepository } from '../support/pull-request.ts'

const repository = useRepository({ databases: 'invented', readyAfter: 200, deleteAfter: 100 })

const preview = { operation: 'preview', empty: 'true', wait_for_connection: 'false' }
const names = async () => (await repository.services()).map(({ name }) => name)

it('creates a preview for a label, deletes it without the label, and ignores another event with a notice', async () => {
  const { github } = repository
  const number = github.openPullRequest()
  const inputs = { ...preview, label: 'preview' }
  const labeled = await repository.on('labeled', number, inputs, { labels: ['preview'] })
  expect(labeled.exitCode, labeled.stdout).toBe(0)
  expect(labeled.outputs).toMatchObject({ created: 'true', skipped: 'false' })
  const edited = await repository.on('edited', number, inputs)
  expect(edited.exitCode, edited.stdout).toBe(0)
  expect(edited.stdout).toContain('::notice::nothing to do on pull_request (edited)')
  expect(edited.outputs.skipped).toBe('true')
  const unlabeled = await repository.on('unlabeled', number, inputs, { labels: [] })
  expect(unlabeled.exitCode, unlabeled.stdout).toBe(0)
  expect(unlabeled.outputs).toMatchObject({ deleted_ids: labeled.outputs.service_id, skipped: 'true' })
  expect(github.commentsOf(number)).toMatchObject([{ body: expect.stringContaining('deleted') }])
})

it('deletes the preview of a new draft, and writes no comment', async () => {
  const { github } = repository
  const number = github.openPullRequest()
  const inputs = { ...preview, drafts: 'false', comment: 'false' }
  const opened = await repository.on('opened', number, inputs)
  github.changePullRequest(number, { draft: true })
  const converted = await repository.on('converted_to_draft', number, inputs)
  expect(converted.outputs).toMatchObject({ deleted_ids: opened.outputs.service_id, skipped: 'true' })
  expect(github.commentsOf(number)).toEqual([])
})

it('the front door: a separate action that chooses the operation by the event', async () => {
  const number = repository.github.openPullRequest()
  const inputs = { empty: 'true', wait_for_connection: 'false' }
  const action = 'preview/action.yml'
  const opened = await repository.on('opened', number, inputs, { action })
  expect(opened.exitCode, opened.stdout).toBe(0)
  expect(opened.outputs).toMatchObject({ created: 'true', pull_request: String(number) })
  const closed = await repository.on('closed', number, inputs, { action })
  expect(closed.outputs).toMatchObject({ deleted_ids: opened.outputs.service_id })
  const end = await repository.on('closed', number, inputs, { action, entry: 'post', state: opened.state })
  expect(end.exitCode, end.stdout).toBe(0)
})

it('the merge queue: prune deletes the preview of an entry that left the queue', async () => {
  const entry = repository.github.enqueue(repository.github.openPullRequest())
  const created = await repository.onEvent('merge_group', preview, { payload: mergeGroupEvent(entry) })
  expect(created.exitCode, created.stdout).toBe(0)
  expect(created.outputs.name).toContain(`preview-mq-${entry.sha.slice(0, 10)}-`)
  expect(created.outputs.pull_request).toBeUndefined()
  const prune = { ...preview, min_age: '1ms' }
  // The server's Date header has whole seconds.
  repository.bench.advanceTime(2000)
  const kept = await repository.onEvent('schedule', prune)
  expect(kept.outputs).toMatchObject({ deleted: 'false', kept_ids: created.outputs.service_id })
  repository.github.dequeue(entry)
  const pruned = await repository.onEvent('schedule', prune)
  expect(pruned.outputs).toMatchObject({ deleted_ids: created.outputs.service_id })
  expect(pruned.summary).toContain('merge queue')
  expect(await names()).toEqual([])
})

it('two databases of one pull request have a comment each, and one prune deletes both', async () => {
  const { github } = repository
  const number = github.openPullRequest()
  for (const name_prefix of ['shop', 'billing'])
    expect((await repository.on('opened', number, { ...preview, name_prefix })).exitCode).toBe(0)
  const headings = () => github.commentsOf(number).map(({ body }) => /^### \S+ (.*)$/m.exec(body)?.[1])
  expect(headings()).toEqual(['Preview database `shop` ready', 'Preview database `billing` ready'])
  github.closePullRequest(number)
  repository.bench.advanceTime(2000)
  const pruned = await repository.onEvent('schedule', { ...preview, min_age: '1ms' })
  expect(pruned.outputs.deleted_ids?.split(',')).toHaveLength(2)
  expect(headings()).toEqual([
    'Preview database `shop` was deleted',
    'Preview database `billing` was deleted',
  ])
})
