import { afterAll, beforeAll, expect, it } from 'vitest'
import { mergeGroupEvent } from '../support/github/merge-group-event.ts'
import { openStage, type Stage } from './support/setting.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.stop())

it('examples/merge-queue.yml: an entry has its database from the first job to the last, though the tests fail', async () => {
  const payload = mergeGroupEvent(stage.github.enqueue(stage.github.openPullRequest()))
  const mark = stage.github.requests.length
  const jobs = await stage.run(
    'examples/merge-queue.yml',
    { name: 'merge_group', payload },
    // The tests connect, and do not find their table.
    { PGOPTIONS: '-c search_path=nowhere' },
  )
  expect(jobs).toMatchObject({
    preview: { result: 'success' },
    test: { result: 'failure' },
    delete: { result: 'success' },
  })
  const [made] = jobs.preview?.steps ?? []
  const commit = payload.merge_group.head_sha.slice(0, 10)
  expect(made?.outputs.name).toMatch(new RegExp(`^preview-mq-${commit}-[0-9a-f]{8}-[a-z0-9]{6}$`))
  expect(jobs.test?.log.join()).toContain('relation "orders" does not exist')
  expect(jobs.delete?.steps[0]?.outputs).toMatchObject({ deleted_ids: made?.outputs.service_id })
  expect(await stage.others()).toEqual([])
  expect(stage.github.requests.slice(mark)).toEqual([])
})
