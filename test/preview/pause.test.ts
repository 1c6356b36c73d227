/** Tests how prune pauses unused previews. */
import { describe, expect, it } from 'vitest'
import type { Service } from '#api/records'
import { renderMoment } from '#preview/base/origin'
import { refused } from './support/courses.ts'
import { decisionOf, hour, stageUnusedPreview } from './support/idle.ts'
import { second } from './support/inputs.ts'

describe('prune with pause_after', () => {
  it('pauses a preview unused for that long, and reports it', async () => {
    const { stage, id, prune } = await stageUnusedPreview()
    const run = await prune()
    expect(run.error).toBeUndefined()
    expect(run.idsOf('stop-service')).toEqual([id])
    expect(stage.service(id)?.status).toBe('PAUSED')
    expect(decisionOf(run)).toMatchObject({ verdict: 'paused', reason: 'not used for 12h 00m' })
    expect(run.outcome).toMatchObject({ changed: true, deleted: false, deletedIds: [], keptIds: [id] })
    expect(stage.comments.at(-1)).toMatchObject({ state: 'paused', status: 'PAUSED', serviceId: id })
    expect(run.masked).toContain(stage.passwordOf(id))
  })

  it('writes no new comment after a person deleted it', async () => {
    const { stage, prune } = await stageUnusedPreview()
    stage.comments.splice(0)
    expect(decisionOf(await prune())).toMatchObject({ verdict: 'paused' })
    expect(stage.commentStates()).toEqual([])
  })

  it('queries the database last, right before it pauses', async () => {
    const { prune } = await stageUnusedPreview()
    const whats = (await prune()).calls.map(({ name }) => name)
    const stopped = whats.indexOf('stop-service')
    expect(whats.slice(stopped - 3, stopped + 1)).toEqual([
      ...['get-service', 'readPullRequest', 'readActivity', 'stop-service'],
    ])
  })

  it('does not pause it later if the API refuses that now, as it may be in use then', async () => {
    const { stage, prune } = await stageUnusedPreview()
    stage.onCall('stop-service', () => refused(429, 'too many requests', { 'retry-after': '30' }))
    const run = await prune()
    expect(run.idsOf('stop-service')).toHaveLength(1)
    expect(decisionOf(run)?.reason).toContain('pausing it failed: stop-service')
  })

  it.each(['create-preview', 'preview', 'get-connection'])(
    'whose %s starts it again, with the same password and address',
    async operation => {
      const { stage, id, created, prune } = await stageUnusedPreview()
      const before = stage.service(id)
      await prune()
      const run = await stage.run(operation, operation === 'get-connection' ? { given: {} } : {})
      expect(run.idsOf('start-service')).toEqual([id])
      expect(run.outcome).toMatchObject({
        ids: { service_id: id },
        record: { status: 'READY', endpoint: before?.endpoint },
        password: created.outcome?.password,
        changed: true,
      })
      expect(decisionOf(await prune())).toMatchObject({
        verdict: 'kept',
        reason: 'it was started less than 12h 00m ago',
      })
      stage.advanceTime(13 * hour)
      expect(decisionOf(await prune())).toMatchObject({ verdict: 'paused' })
    },
  )

  it('pauses once no job got the connection details for that long', async () => {
    const { stage, id, prune } = await stageUnusedPreview()
    await stage.run('get-connection', { given: {} })
    stage.advanceTime(13 * hour)
    expect((await prune()).idsOf('stop-service')).toEqual([id])
  })

  it('does not mistake a dry run for a job that got the connection details', async () => {
    const { stage, id, prune } = await stageUnusedPreview()
    await stage.run('get-connection', { given: {}, settings: { dryRun: true } })
    expect((await prune()).idsOf('stop-service')).toEqual([id])
  })

  it('reports in a dry run the planned pauses', async () => {
    const { stage, id, prune } = await stageUnusedPreview()
    const run = await prune({ settings: { dryRun: true } })
    expect(run.idsOf('stop-service')).toEqual([])
    expect(stage.service(id)?.status).toBe('READY')
    expect(decisionOf(run)).toMatchObject({
      verdict: 'would pause',
      reason: 'not used for 12h 00m',
    })
  })

  it('does not wait if the inputs exclude the wait', async () => {
    const { stage, id, prune } = await stageUnusedPreview()
    await prune({ settings: { wait: false } })
    expect(stage.world.ledger.changes.at(-1)).toMatchObject({ id, operation: 'stop-service' })
  })

  it('pauses nothing without it', async () => {
    const { stage, id, prune } = await stageUnusedPreview()
    const run = await prune({ preview: { pauseAfter: undefined } })
    expect(decisionOf(run)).toMatchObject({ verdict: 'kept', reason: 'its pull request is open' })
    expect(stage.service(id)?.status).toBe('READY')
  })

  it('deletes closed and old previews instead of pausing them', async () => {
    const { stage, id, prune } = await stageUnusedPreview()
    expect(
      (await prune({ preview: { maxAge: 12 * hour }, settings: { dryRun: true } })).idsOf('readActivity'),
    ).toEqual([])
    stage.setPullRequest('closed')
    expect((await prune()).outcome?.deletedIds).toEqual([id])
  })
})

it('shows the time of deletion by prune with max_age', async () => {
  const { stage, created: creation } = await stageUnusedPreview()
  for (const blocks of stage.commentBlocks) expect(blocks).toContain('"when the pull request closes"')
  const { created = '' } = (creation.outcome as { record: Service }).record
  for (const maxAge of [72 * hour, second]) {
    await stage.run('create-preview', { preview: { maxAge } })
    const expiry = renderMoment(Date.parse(created) + maxAge)
    expect(stage.commentBlocks.at(-1)).toContain(`"${expiry}"`)
  }
})
