/** Runs whole steps with the inputs that limit previews: their number, their age, and those that prune may delete. */
import { expect, it } from 'vitest'
import { useRepository } from '../support/pull-request.ts'

const repository = useRepository()

const preview = { operation: 'preview', empty: 'true', max_previews: '2' }
const prune = { operation: 'prune-previews', min_age: '1ms' }

it('applies max_previews, preview_name, max_age, keep_label and max_deletions', async () => {
  const { github } = repository
  const [first, second, third] = [
    github.openPullRequest(),
    github.openPullRequest(),
    github.openPullRequest(),
  ]
  const created = await repository.on('opened', first, { ...preview, max_age: '1h' })
  expect(created.exitCode, created.stdout).toBe(0)
  expect(created.stdout).toMatch(/expires \d{4}-/)
  await repository.on('opened', second, preview)

  const refused = await repository.on('opened', third, preview)
  expect(refused.exitCode).toBe(1)
  expect(refused.stdout).toMatch(/max_previews is 2, and .* 2 other previews, which store [1-9]\d* MB/)

  expect(github.commentsOf(first)[0]?.body).toMatch(/[1-9]\d* MB stored/)
  const { name = '', service_id } = created.outputs
  const connected = await repository.on('opened', third, { operation: 'get-connection', preview_name: name })
  expect(connected.outputs.service_id).toBe(service_id)

  github.changePullRequest(first, { labels: ['keep'] })
  github.changePullRequest(second, { labels: ['keep'] })
  const old = await repository.onEvent('schedule', { ...prune, max_age: '1ms', keep_label: 'keep' })
  expect(old.outputs.deleted_ids, old.stdout).toBe('')

  github.closePullRequest(first)
  github.closePullRequest(second)
  const pruned = await repository.onEvent('schedule', { ...prune, max_deletions: '1' })
  expect(pruned.exitCode, pruned.stdout).toBe(0)
  expect(pruned.outputs.deleted_ids, 'the oldest').toBe(service_id)
  expect(pruned.summary).toMatch(/The previews that are left store [1-9]\d* MB\./)
})
