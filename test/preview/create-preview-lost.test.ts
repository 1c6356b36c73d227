/** Tests create-preview with lost answers to its fork. */
import { describe, expect, it } from 'vitest'
import { previewBase } from '../simulator/preview-names.ts'
import { brokenConnection, refused } from './support/courses.ts'
import { expectBetween, minute, second } from './support/inputs.ts'
import { Stage } from './support/stage.ts'

const create = 'create-preview'
const mayMakeSecond =
  'the request whose answer was lost may still create a duplicate; the next run deletes it'

describe('a fork whose answer is lost', () => {
  it('is found by its name, and published', async () => {
    const stage = new Stage()
    stage.onCall('fork-service', () => brokenConnection(50))
    const run = await stage.run(create)
    expect(run.idsOf('fork-service')).toHaveLength(1)
    expect(stage.livePreviews()).toEqual([run.id])
    expect(run.outcome?.created).toBe(true)
    expect(run.warnings).toEqual([
      expect.stringMatching(
        new RegExp(`^the answer of fork-service was lost; service "${previewBase()}-.{6}" was found in the`),
      ),
    ])
    // One request has no other result, so the wait ends.
    expect(run.took).toBeLessThan(30 * second)
  })

  it('leaves one database if both requests create one', async () => {
    const stage = new Stage({
      readyAfter: second,
      lag: { kind: 'steady', stale: 'lists', by: 9 * second },
    })
    stage.onCall('fork-service', () => brokenConnection(60 * second))
    const run = await stage.run(create)
    expect(run.idsOf('fork-service')).toHaveLength(2)
    expect(run.error).toBeUndefined()
    expect(stage.livePreviews()).toEqual([run.id])
    expect(stage.deletedServices()).toHaveLength(1)
  })

  it('leaves one if the first creates its database after the second is READY', async () => {
    const stage = new Stage({ readyAfter: second })
    stage.onCall('fork-service', () => brokenConnection(85 * second))
    const run = await stage.run(create)
    expect(stage.livePreviews()).toEqual([run.id])
    expect(stage.deletedServices()).toHaveLength(1)
  })

  it('is not awaited past the deadline, and a warning reports it', async () => {
    const stage = new Stage({ readyAfter: second })
    stage.onCall('fork-service', () => brokenConnection())
    const run = await stage.run(create, { patience: 80 * second })
    expect(run.outcome?.created).toBe(true)
    expect(run.warnings).toContain(mayMakeSecond)
    expectBetween(run.took, 80 * second, 82 * second)
  })

  it('may be lost twice, and both databases found at once: the older one is published, the other deleted', async () => {
    const stage = new Stage({ readyAfter: second })
    // The second request leaves after 65 s and is quicker.
    stage.onCall('fork-service', () => brokenConnection(66 * second))
    stage.onCall('fork-service', () => brokenConnection(50), 2)
    const run = await stage.run(create)
    expect(run.error).toBeUndefined()
    const [older, younger] = stage.world.ledger.creations.slice(-2).map(({ id }) => id)
    expect(run.id).toBe(older)
    expect(stage.deletedServices()).toEqual([younger])
  })

  it('is found as the second of two, and the first one is waited for too', async () => {
    const stage = new Stage({ readyAfter: second })
    stage.onCall('fork-service', () => brokenConnection())
    stage.onCall('fork-service', () => brokenConnection(50), 2)
    const run = await stage.run(create)
    expect(stage.livePreviews()).toEqual([run.id])
    expect(run.took).toBeGreaterThanOrEqual(165 * second)
  })
})

it('a fork that is requested too soon fails at once if there is no time for another request', async () => {
  const stage = new Stage()
  stage.onCall('fork-service', () => refused(429, 'too many requests', { 'retry-after': '600' }))
  const run = await stage.run(create, { patience: minute })
  expect(run.error?.message).toContain('429')
  expect(run.took).toBeLessThan(5 * second)
  expect(run.notes.intent).toBeUndefined()
})

describe('a database that another run deletes before its publication', () => {
  const seeds = [{ name: 'seed.sql', text: '', hash: '1' }]

  it('is followed by another one, filled as well', async () => {
    const stage = new Stage()
    const id = stage.createPreview()
    stage.advanceTime(minute)
    // The first visit quarantines it.
    stage.onCall('openContents', () => void stage.deleteService(id), 2)
    const run = await stage.run(create, { seeds })
    expect(run.outcome).toMatchObject({ created: true })
    expect(stage.livePreviews()).toEqual([run.id])
    expect(stage.world.held(run.id).seeds).toEqual(['seed.sql'])
    expect(stage.world.leaks).toEqual([])
  })

  it('has no successor if its pull request was closed', async () => {
    const stage = new Stage()
    const id = stage.createPreview()
    stage.advanceTime(minute)
    stage.onCall(
      'openContents',
      () => {
        stage.setPullRequest('closed')
        stage.deleteService(id)
        return undefined
      },
      2,
    )
    const run = await stage.run(create, { seeds })
    expect(run.outcome?.skipped).toMatch(/is closed$/)
    expect(run.idsOf('fork-service')).toEqual([])
    expect(stage.livePreviews()).toEqual([])
  })
})
