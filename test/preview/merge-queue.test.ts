/** Tests previews of merge queue entries. */
import { describe, expect, it } from 'vitest'
import { queueEntryOf } from '#preview/base/name'
import { repositoryHash } from '../simulator/preview-names.ts'
import { decisionsOf } from './support/decisions.ts'
import { eventOf, minute, queueEvent, scheduleEvent } from './support/inputs.ts'
import { type RunOptions, Stage } from './support/stage.ts'

const hour = 60 * minute
const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e'
const otherSha = 'f'.repeat(40)
const baseOf = (commit: string, prefix = 'preview') =>
  `${prefix}-mq-${queueEntryOf(commit)}-${repositoryHash}`

const run = (stage: Stage, operation: string, more: RunOptions = {}) =>
  stage.run(operation, { event: queueEvent(sha), ...more })

/** A READY preview of an entry, from an earlier run. */
function withEntry(commit = sha, prefix?: string) {
  const stage = new Stage()
  const id = stage.createPreview({ name: `${baseOf(commit, prefix)}-a1b2c3` })
  stage.advanceTime(hour)
  return { stage, id }
}

describe('a preview of the merge queue', () => {
  it('is created for its commit, found again, connected to and deleted, by the jobs of one run', async () => {
    const stage = new Stage()
    const created = await run(stage, 'preview')
    expect(created.outcome).toMatchObject({
      operation: 'create-preview',
      created: true,
      pullRequest: undefined,
    })
    expect(created.lines[0]).toBe('on merge_group (checks_requested): create-preview')
    const { service_id } = created.outcome?.ids ?? {}
    expect(stage.service(service_id)?.name).toMatch(new RegExp(`^${baseOf(sha)}-[a-z0-9]{6}$`))
    expect(stage.service(service_id)?.forked_from?.service_id).toBe(stage.parent)

    stage.advanceTime(10 * minute)
    expect((await run(stage, 'preview')).outcome).toMatchObject({ ids: { service_id }, created: false })
    const connected = await run(stage, 'get-connection', { given: {} })
    expect(connected.outcome).toMatchObject({ ids: { service_id }, password: created.outcome?.password })
    const deleted = await run(stage, 'delete-preview')
    expect(deleted.outcome).toMatchObject({ deletedIds: [service_id] })
    expect(stage.service(service_id)).toBeUndefined()
    expect((await run(stage, 'delete-preview')).outcome).toMatchObject({ deleted: false })
  })

  it('has no comment, and causes no request to GitHub', async () => {
    const stage = new Stage()
    const runs = [await run(stage, 'preview'), await run(stage, 'delete-preview')]
    const asked = runs.flatMap(one => one.calls.map(({ name }) => name))
    for (const question of ['readPullRequest', 'writeComment', 'listQueueHeads'])
      expect(asked).not.toContain(question)
    expect(runs.flatMap(({ warnings }) => warnings)).toEqual([])
  })

  it('is neither that of another entry nor that of a pull request', async () => {
    const { stage, id } = withEntry(otherSha)
    const ofPullRequest = stage.createPreview({ number: Number(queueEntryOf(sha).replace(/\D/g, '')) })
    stage.advanceTime(10 * minute)
    const created = await run(stage, 'preview')
    expect(created.outcome?.created).toBe(true)
    expect((await run(stage, 'delete-preview')).outcome?.deletedIds).toEqual([created.id])
    expect([stage.service(id)?.status, stage.service(ofPullRequest)?.status]).toEqual(['READY', 'READY'])
  })

  it('is found by its name, on any event', async () => {
    const { stage, id } = withEntry()
    const preview = { previewName: baseOf(sha) }
    const event = eventOf('synchronize')
    const deleted = await stage.run('delete-preview', { event, preview })
    expect(deleted.outcome).toMatchObject({ deletedIds: [id], pullRequest: undefined })
  })

  it('is ignored if the inputs name a pull request', async () => {
    const created = await run(new Stage(), 'preview', { preview: { pullRequest: 7 } })
    expect(created.outcome).toMatchObject({ operation: 'create-preview', pullRequest: 7 })
  })
})

describe('prune', () => {
  const prune = (stage: Stage, more: RunOptions = {}) =>
    stage.run('prune-previews', {
      event: scheduleEvent,
      given: { service_id: stage.parent },
      ...more,
    })

  it.each<[string, string[], boolean, string]>([
    ['keeps it while its entry is in the queue', [otherSha, sha], true, 'its entry is in the merge queue'],
    ['deletes it once its entry has left', [otherSha], false, 'its entry has left the merge queue'],
    ['deletes it if the queue is empty', [], false, 'its entry has left the merge queue'],
  ])('%s', async (_, queue, stays, reason) => {
    const { stage, id } = withEntry()
    stage.setQueue(...queue)
    const { outcome } = await prune(stage)
    expect(decisionsOf(outcome)).toMatchObject([{ pull_request: undefined, reason }])
    expect(stage.service(id) !== undefined).toBe(stays)
    expect(stage.comments).toEqual([])
  })

  it('keeps it if GitHub does not report the queue, and continues with pull requests', async () => {
    const { stage, id } = withEntry()
    const closed = stage.createPreview()
    stage.advanceTime(hour)
    stage.setPullRequest('closed')
    stage.onCall('listQueueHeads', () => new Error('may not read contents'))
    const { outcome, warnings } = await prune(stage)
    expect(outcome).toMatchObject({ deletedIds: [closed], keptIds: [id], problem: undefined })
    expect(warnings).toEqual([expect.stringContaining('may not read contents')])
  })

  it('reads the queue only if there are previews of it', async () => {
    const stage = new Stage()
    stage.createPreview()
    stage.advanceTime(hour)
    expect((await prune(stage)).idsOf('listQueueHeads')).toEqual([])
  })

  it('reads the queue once more right before it deletes', async () => {
    const { stage, id } = withEntry()
    stage.onCall('get-service', () => void stage.setQueue(sha))
    const { outcome } = await prune(stage)
    expect(decisionsOf(outcome)).toMatchObject([
      { verdict: 'kept', reason: 'its entry is in the merge queue now' },
    ])
    expect(stage.service(id)?.status).toBe('READY')
  })

  it('keeps it with a warning if GitHub fails right before', async () => {
    const { stage, id } = withEntry()
    stage.onCall('listQueueHeads', () => new Error('bad gateway'), 2)
    const { outcome, warnings } = await prune(stage)
    expect(outcome?.problem).toBeUndefined()
    expect(warnings).toEqual([expect.stringContaining('bad gateway')])
    expect(stage.service(id)?.status).toBe('READY')
  })

  it('includes every prefix', async () => {
    const { stage, id } = withEntry(sha, 'shop')
    expect(decisionsOf((await prune(stage)).outcome)).toEqual([])
    expect((await prune(stage, { preview: { namePrefix: undefined } })).outcome?.deletedIds).toEqual([id])
  })
})
