/** Tests `max_previews`. */
import { describe, expect, it } from 'vitest'
import { previewName, repositoryHash } from '../simulator/preview-names.ts'
import { changedList } from './support/courses.ts'
import { minute, queueEvent } from './support/inputs.ts'
import { Stage } from './support/stage.ts'

const create = 'create-preview'
const max = (maxPreviews: number) => ({ preview: { maxPreviews } })

/** Previews of the pull requests 11, 12 and 13, an hour old. */
function scene() {
  const stage = new Stage()
  for (const number of [11, 12, 13]) {
    stage.setPullRequest('open', number)
    stage.createPreview({ number })
    stage.advanceTime(minute)
  }
  stage.createPreview({ name: 'preview-pr-14-ffffffff-a1b2c3' })
  stage.advanceTime(60 * minute)
  return stage
}

describe('max_previews', () => {
  it('refuses one more, changes nothing, and names the oldest', async () => {
    const stage = scene()
    stage.onEveryCall('list-services', () => changedList(services => services.toReversed()))
    const run = await stage.run(create, max(3))
    expect(run.error?.message).toMatch(
      /^max_previews is 3, and this repository has 3 other previews: preview-pr-7-\w+ is not created/,
    )
    const names = [11, 12, 13].map(number => `${previewName('a1b2c3', number)} \\(.+\\)`).join(', ')
    const next = `^run prune-previews or close a pull request: the oldest previews are ${names}$`
    expect(run.error?.next).toMatch(new RegExp(next))
    expect([...run.idsOf('fork-service'), ...run.idsOf('delete-service')]).toEqual([])
    expect(stage.commentStates()).toEqual(['failed'])
  })

  it('refuses one of the merge queue as well', async () => {
    const run = await scene().run(create, {
      ...max(3),
      event: queueEvent('6dcb09b5b57875f334f61aebed695e2e4193db5e'),
    })
    expect(run.error?.message).toMatch(/preview-mq-6dcb09b5b5-\w+ is not created/)
    expect(run.idsOf('fork-service')).toEqual([])
  })

  it('counts those of every prefix', async () => {
    const stage = scene()
    stage.createPreview({ name: `orders-pr-11-${repositoryHash}-a1b2c3` })
    stage.advanceTime(minute)
    const run = await stage.run(create, max(4))
    expect(run.error?.message).toContain('this repository has 4 other previews')
  })

  it('counts those of the merge queue', async () => {
    const stage = scene()
    stage.createPreview({ name: `preview-mq-6dcb09b5b5-${repositoryHash}-a1b2c3` })
    stage.advanceTime(minute)
    const run = await stage.run(create, max(4))
    expect(run.error?.message).toContain('this repository has 4 other previews')
    expect(run.idsOf('fork-service')).toEqual([])
  })

  it('counts in spite of records of others that cannot be read', async () => {
    const stage = scene()
    stage.onEveryCall('list-services', () =>
      changedList(services => [...services, { service_id: 's9', name: 'theirs', status: 7 as never }]),
    )
    expect((await stage.run(create, max(3))).error?.message).toMatch(/^max_previews is 3/)
  })

  it('creates one below the limit', async () => {
    const stage = scene()
    expect((await stage.run(create, max(4))).outcome).toMatchObject({ created: true })
  })

  it('counts each preview once, and none that is being deleted', async () => {
    const stage = scene()
    stage.createPreview({ number: 11, random: 'bbbbbb' })
    stage.deleteService(stage.livePreviews(13)[0] as string)
    expect((await stage.run(create, max(3))).outcome).toMatchObject({ created: true })
  })

  it('keeps using the existing one, and replaces it', async () => {
    const stage = scene()
    const id = stage.createPreview()
    stage.advanceTime(10 * minute)
    expect((await stage.run(create, max(1))).outcome?.ids.service_id).toBe(id)
    const reset = await stage.run('reset-preview', max(1))
    expect(reset.outcome).toMatchObject({ created: true, deletedIds: [id] })
  })
})
