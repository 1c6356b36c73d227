/** Tests dry runs of create-preview and delete-preview. */
import { describe, expect, it, test } from 'vitest'
import { previewBase, previewName, pullRequest } from '../simulator/preview-names.ts'
import { filterChangingCalls } from './support/changes.ts'
import { eventOf, minute, second } from './support/inputs.ts'
import { type RunOptions, Stage } from './support/stage.ts'

const hour = 60 * minute
const dry = { settings: { dryRun: true } }

describe('a dry run of create-preview', () => {
  const dryRun = async (stage: Stage, more: RunOptions = {}) => {
    const run = await stage.run('create-preview', { ...dry, ...more })
    expect(filterChangingCalls(run.calls)).toEqual([])
    return run
  }
  const base = previewBase(pullRequest)

  it('names the parent and the pattern of the name', async () => {
    const stage = new Stage()
    const run = await dryRun(stage)
    expect(run.outcome?.skipped).toBe(
      `dry run: would fork service ${stage.parent} (production, READY) with its present data, as ${base}-*, where * becomes 6 random characters`,
    )
    expect(run.lines).toContain(`would update the comment on pull request ${pullRequest}`)
    // The last log line contains it.
    expect(run.lines.join()).not.toContain('would fork')
  })

  it('reports data from the last snapshot, unless the inputs choose otherwise', async () => {
    const stage = new Stage()
    const run = await dryRun(stage, { given: { service_id: stage.parent } })
    expect(run.outcome?.skipped).toContain('(production, READY) as of its last snapshot, as ')
  })

  it('reports an empty preview as the planned change', async () => {
    const run = await dryRun(new Stage(), { given: {} })
    expect(run.outcome?.skipped).toContain(`would create an empty service ${base}-*`)
  })

  it('fails if the parent does not exist', async () => {
    const run = await dryRun(new Stage(), { given: { service_id: 'nowhere' } })
    expect(run.error?.message).toContain('get-service')
  })

  test.each(['start', 'wait for', 'use'])('reports that it would %s the existing one', async verb => {
    const stage = new Stage({ readyAfter: 20 * second })
    const service_id = stage.createPreview()
    if (verb !== 'wait for') stage.advanceTime(minute)
    if (verb === 'start') {
      stage.pause(service_id, minute)
    }
    const run = await dryRun(stage)
    expect(run.outcome).toMatchObject({
      ids: { service_id },
      skipped: expect.stringContaining(`dry run: would ${verb} service ${service_id}`),
    })
  })

  it('names the duplicates that it would delete', async () => {
    const stage = new Stage()
    stage.createPreview({ random: 'aaaaaa' })
    stage.advanceTime(second)
    const duplicate = stage.createPreview({ random: 'bbbbbb' })
    stage.advanceTime(hour)
    const run = await dryRun(stage)
    expect(run.outcome?.skipped).toMatch(
      new RegExp(`; would delete service ${duplicate} \\(.*\\), a duplicate$`),
    )
  })

  it('does not use one that is being deleted', async () => {
    const stage = new Stage({ deleteAfter: minute })
    const ending = stage.createPreview()
    stage.advanceTime(hour)
    stage.deleteService(ending)
    expect((await dryRun(stage)).outcome?.skipped).toContain(`would fork service ${stage.parent}`)
  })

  it.each<[string, (stage: Stage) => string]>([
    ['is tagged', stage => stage.createPreview({ random: 'bbbbbb', environment: 'PROD' })],
    ['is a fork of another parent', stage => stage.createPreview({ random: 'bbbbbb', parent: stage.other })],
  ])('fails if a duplicate %s, as the run itself would', async (_, createDuplicate) => {
    const stage = new Stage()
    stage.createPreview()
    stage.advanceTime(second)
    const duplicate = createDuplicate(stage)
    stage.advanceTime(hour)
    const { error } = await dryRun(stage)
    expect(error?.message).toContain(`service ${duplicate} has the name of the preview`)
    expect((await stage.run('create-preview')).error?.message).toBe(error?.message)
  })

  it('skips a closed pull request', async () => {
    const stage = new Stage()
    stage.setPullRequest('closed')
    expect((await dryRun(stage)).outcome?.skipped).toBe(`pull request ${pullRequest} is closed`)
  })
})

describe('a dry run of delete-preview', () => {
  const closed = { ...dry, event: eventOf('closed') }

  test.each(['delete-preview', 'preview'])('names the planned deletions (%s)', async operation => {
    const stage = new Stage()
    const ids = ['aaaaaa', 'bbbbbb'].map(random => {
      stage.advanceTime(second)
      return stage.createPreview({ random })
    })
    stage.advanceTime(hour)
    stage.setPullRequest('closed')
    const run = await stage.run(operation, closed)
    const [first, second_] = [previewName('aaaaaa'), previewName('bbbbbb')]
    expect(run.outcome).toMatchObject({
      skipped: `dry run: would delete service ${ids[0]} (${first}), service ${ids[1]} (${second_})`,
    })
    // The last log line contains it.
    expect(run.lines.join()).not.toContain('would delete')
    expect(filterChangingCalls(run.calls)).toEqual([])
    expect(stage.livePreviews()).toEqual(ids)
  })

  it('reports that no preview exists', async () => {
    const run = await new Stage().run('delete-preview', dry)
    expect(run.outcome?.skipped).toBe(`dry run: there is no preview ${previewBase(pullRequest)} to delete`)
  })

  it('waits for nothing', async () => {
    const stage = new Stage({ deleteAfter: 10 * minute })
    const ending = stage.createPreview()
    stage.advanceTime(hour)
    stage.deleteService(ending)
    const run = await stage.run('delete-preview', dry)
    expect(run.outcome).toMatchObject({ skipped: expect.stringContaining('there is no preview') })
    expect(run.outcome?.deleted).toBeUndefined()
    expect(run.took).toBeLessThan(minute)
  })

  it('names the planned deletions although another one would be refused', async () => {
    const stage = new Stage()
    stage.createPreview({ environment: 'PROD' })
    const duplicate = stage.createPreview({ random: 'bbbbbb' })
    stage.advanceTime(hour)
    stage.setPullRequest('closed')
    const run = await stage.run('delete-preview', closed)
    expect(run.error?.message).toContain('it is tagged PROD')
    expect(run.lines).toContain(`would delete service ${duplicate} (${previewName('bbbbbb')})`)
    expect(filterChangingCalls(run.calls)).toEqual([])
  })
})
