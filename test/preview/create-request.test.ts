/** Tests the request that creates a preview. */
import { expect, test } from 'vitest'
import type { Journal } from '#operations/base/context'
import { createDatabase } from '#preview/services/create'
import { fakeContext } from '../support/fake-context.ts'
import { json, refusal } from '../support/fake-seam.ts'

const journal: Journal = { intend: () => {}, withdraw: () => {}, announce: () => {}, publish: () => {} }
const preview = { repositoryHash: '8d969eef', projectId: 'p1', base: 'preview-pr-7-8d969eef', pullRequest: 7 }
const created = json(202, { service_id: 's1', status: 'QUEUED' })
const noSnapshot = refusal(400, "the service doesn't yet have any backups or snapshots available")

test.each([
  ['a fork', 'parent0001', [created]],
  ['a fork of NOW, for want of a snapshot', 'parent0001', [noSnapshot, created]],
  ['an empty service', undefined, [created]],
])('%s is tagged DEV, whatever the inputs and its parent', async (_, parentId, script) => {
  const { context, seam } = fakeContext(script, { journal })
  const given = { memory_gbs: '2', environment_tag: 'PROD' }
  await createDatabase(context, { ...preview, parentId }, given, { operation: 'create-preview' })
  expect(seam.requests).toHaveLength(script.length)
  for (const { body } of seam.requests)
    expect(JSON.parse(body ?? '')).toMatchObject({ name: `${preview.base}-ssssss`, environment_tag: 'DEV' })
})
