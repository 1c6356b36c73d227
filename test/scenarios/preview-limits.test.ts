/** Runs whole steps with the inputs that limit previews: their number, their age, and those that prune may delete. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRepository, type Repository } from '../support/pull-request.ts'

let repository: Repository
beforeAll(async () => {
  repository = await openRepository()
})
afterAll(() => repository.stop())

const preview = { operation: 'preview', empty: 'true', max_previews: '1', max_age: '1h', drafts: 'true' }

it('applies max_previews, max_age, preview_name, keep_label and max_deletions', async () => {
  const [first, second] = [repository.github.openPullRequest(), repository.github.openPullRequest()]
  const made = await repository.on('opened', first, preview)
  expect(made.exitCode, made.stdout).toBe(0)
  expect(made.stdout).toMatch(/expires \d{4}-/)

  const refused = await repository.on('opened', second, preview)
  expect(refused.exitCode).toBe(1)
  expect(refused.stdout).toContain('max_previews')

  const { name = '', service_id } = made.outputs
  const connected = await repository.on('opened', second, { operation: 'get-connection', preview_name: name })
  expect(connected.outputs.service_id).toBe(service_id)

  repository.github.closePullRequest(first)
  const prune = { operation: 'prune-previews', min_age: '1ms', keep_label: 'keep', max_deletions: '1' }
  const pruned = await repository.on('closed', second, prune)
  expect(pruned.exitCode, pruned.stdout).toBe(0)
  expect(pruned.outputs.deleted_ids, pruned.stdout).toBe(service_id)
})
