/** Tests that delete-preview keeps services of uncertain ownership. */
import { describe, expect, it } from 'vitest'
import { ActionError } from '#base/errors'
import { previewBase, previewName } from '../simulator/preview-names.ts'
import { stageClosedPullRequest } from './support/closing.ts'
import { expectBetween, minute, second } from './support/inputs.ts'
import { type ProtectedService, protectedServices } from './support/strangers.ts'

const openAgain = 'pull request 7 is open again'

describe('a service of uncertain ownership', () => {
  it.each<ProtectedService>([
    ...protectedServices,
    ['the parent itself', (_, id) => ({ given: { service_id: id } }), () => 'it is the parent'],
  ])('%s, is not deleted and fails the run', async (_, make, reason) => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    const run = await deletePreview(make(stage, id))
    expect(run.error).toBeInstanceOf(ActionError)
    expect(run.error?.message).toBe(`${previewBase()} was not deleted: ${id} (${reason(stage)})`)
    expect(run.warnings).toEqual([
      expect.stringMatching(new RegExp(`^service ${id} .* is not deleted: ${reason(stage)}$`)),
    ])
    expect(stage.livePreviews()).toEqual([id])
    expect(stage.comments).toEqual([])
  })

  it('is kept if its ownership changed after the list was read', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    stage.onCall('get-service', () => void stage.setEnvironment(id, 'PROD'))
    const run = await deletePreview()
    expect(run.error?.message).toContain('it is tagged PROD')
    expect(run.idsOf('delete-service')).toEqual([])
  })

  it('is kept if it got the name of another pull request after the list was read', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    const name = previewName('a1b2c3', 8)
    stage.onCall('get-service', () => void stage.callAsOther('rename-service', { service_id: id, name }))
    const run = await deletePreview()
    expect(run.error?.message).toContain(`${id} (it has been renamed to ${name} meanwhile)`)
    expect(run.idsOf('delete-service')).toEqual([])
    expect(stage.livePreviews(8)).toEqual([id])
  })

  it('does not prevent the deletion of the others, but fails the run', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    const foreign = stage.createPreview({ random: 'aaaaaa', environment: 'PROD' })
    stage.advanceTime(10 * minute)
    const run = await deletePreview()
    expect(run.error).toBeInstanceOf(ActionError)
    expect(stage.deletedServices()).toEqual([id])
    expect(stage.livePreviews()).toEqual([foreign])
  })

  it('fails the run even if another service is kept for its pull request', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    const foreign = stage.createPreview({ random: 'aaaaaa', environment: 'PROD' })
    stage.advanceTime(10 * minute)
    stage.onCall('get-service', () => void stage.setPullRequest('open'))
    const run = await deletePreview()
    expect(run.error?.message).toContain(`${id} (${openAgain}), ${foreign} (it is tagged PROD)`)
    expect(stage.deletedServices()).toEqual([])
  })

  it('is any fork if no parent is given', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    const run = await deletePreview({ given: {} })
    expect(run.outcome?.deletedIds).toEqual([id])
    expect(stage.livePreviews()).toEqual([])
  })
})

describe('a new preview whose record names no parent', () => {
  const late = (forked_from: number) =>
    stageClosedPullRequest({ lag: { kind: 'records', upTo: { forked_from } }, readyAfter: second }, false)

  it('is read again until its record names the parent, and deleted', async () => {
    const { stage, id, deletePreview } = late(20 * second)
    const run = await deletePreview()
    expect(run.outcome?.deletedIds).toEqual([id])
    expect(run.took).toBeGreaterThanOrEqual(20 * second)
    expect(stage.livePreviews()).toEqual([])
  })

  it('is kept if its record names no parent after three times the lag of lists', async () => {
    const { stage, id, deletePreview } = late(10 * minute)
    const run = await deletePreview()
    expect(run.error?.message).toContain(`${id} (it is no fork of ${stage.parent})`)
    expectBetween(run.took, 30 * second, 35 * second)
    expect(stage.livePreviews()).toEqual([id])
  })

  it('is deleted at once if no parent is given', async () => {
    const { id, deletePreview } = late(10 * minute)
    const run = await deletePreview({ given: {}, settings: { wait: false } })
    expect(run.outcome?.deletedIds).toEqual([id])
    expect(run.took).toBeLessThan(5 * second)
  })

  it('is kept at once if it is old', async () => {
    const { stage, deletePreview } = late(60 * minute)
    stage.advanceTime(10 * minute)
    const run = await deletePreview()
    expect(run.error).toBeInstanceOf(ActionError)
    expect(run.took).toBeLessThan(5 * second)
  })
})
