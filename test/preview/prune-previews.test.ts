/** Tests which previews prune deletes. */
import { describe, expect, it, test } from 'vitest'
import { ActionError } from '#base/errors'
import { previewBase } from '../simulator/preview-names.ts'
import { changedList, refused } from './support/courses.ts'
import { decisionsOf } from './support/decisions.ts'
import { minute, scheduleEvent, second } from './support/inputs.ts'
import { type RunOptions, Stage, type StageOptions } from './support/stage.ts'
import { type ProtectedService, protectedServices } from './support/strangers.ts'

const hour = 60 * minute

/** One preview for each of some pull requests, an hour old and a minute apart; some of these were closed just now. */
function scene(numbers: number[], closed: number[], options: StageOptions = {}) {
  const stage = new Stage(options)
  const ids = numbers.map(number => {
    stage.setPullRequest('open', number)
    const id = stage.createPreview({ number })
    stage.advanceTime(minute)
    return id
  })
  stage.advanceTime(hour)
  for (const number of closed) stage.setPullRequest('closed', number)
  const prune = (more: RunOptions = {}) =>
    stage.run('prune-previews', {
      event: scheduleEvent,
      given: { service_id: stage.parent },
      ...more,
    })
  return { stage, ids: ids as [string, ...string[]], prune }
}

describe('prune', () => {
  it('deletes closed previews, and keeps open ones', async () => {
    const { stage, ids, prune } = scene([11, 12, 13], [11, 13], { deleteAfter: 20 * second })
    const run = await prune()
    const [first, open, last] = ids
    expect(run.outcome).toMatchObject({
      operation: 'prune-previews',
      deleted: true,
      changed: true,
      deletedIds: [first, last],
      keptIds: [open],
      problem: undefined,
    })
    expect(decisionsOf(run.outcome)).toEqual([
      {
        service_id: first,
        name: `${previewBase(11)}-a1b2c3`,
        pull_request: 11,
        verdict: 'deleted',
        reason: 'its pull request is closed',
      },
      expect.objectContaining({ verdict: 'kept', reason: 'its pull request is open' }),
      expect.objectContaining({ verdict: 'deleted', pull_request: 13 }),
    ])
    for (const id of [first, last]) expect(stage.service(id)).toBeUndefined()
    expect(run.lines).toContain(`${previewBase(12)}-a1b2c3 (${open}): kept, its pull request is open`)
  })

  it('waits until they are gone unless the inputs exclude the wait', async () => {
    const { stage, ids, prune } = scene([11], [11], { deleteAfter: minute })
    const run = await prune({ settings: { wait: false } })
    expect(run.outcome?.deletedIds).toEqual(ids)
    expect(stage.service(ids[0])?.status).toBe('DELETING')
    expect(run.took).toBeLessThan(5 * second)
  })

  it('updates the existing comments', async () => {
    const { stage, prune } = scene([11, 12], [11, 12])
    stage.comments.push({ pullRequest: 11, state: 'ready', name: previewBase(11) })
    await prune()
    expect(stage.comments.slice(1)).toEqual([{ pullRequest: 11, state: 'deleted', name: previewBase(11) }])
  })

  it('deletes nothing that is being deleted, or of another repository, prefix or name', async () => {
    const { stage, ids, prune } = scene([11], [11], { deleteAfter: hour })
    const names = [
      'preview-pr-11-ffffffff-a1b2c3',
      previewBase(11)
        .replace(/^preview/, 'demo')
        .concat('-a1b2c3'),
      previewBase(11),
      'preview-pr-11',
    ]
    const others = names.map(name => stage.createPreview({ name }))
    stage.advanceTime(hour)
    stage.deleteService(ids[0])
    const run = await prune()
    expect(run.outcome).toMatchObject({ deletedIds: [], keptIds: [], deleted: false })
    for (const id of others) expect(stage.service(id)?.status).toBe('READY')
    // There is no pull request to ask about.
    expect(run.idsOf('readPullRequest')).toEqual([])
  })

  it('decides nothing about a preview of another repository that has our hash in its prefix', async () => {
    const { stage, prune } = scene([], [])
    const other = stage.createPreview({ name: `${previewBase(12)}-pr-11-ffffffff-a1b2c3` })
    stage.advanceTime(hour)
    const run = await prune({ preview: { namePrefix: undefined } })
    expect(run.outcome).toMatchObject({ deletedIds: [], keptIds: [], result: [] })
    expect(stage.service(other)?.status).toBe('READY')
  })

  it('deletes nothing of a repository with the same id on another server', async () => {
    const { stage, ids, prune } = scene([11], [11])
    const event = scheduleEvent
    const elsewhere = await prune({ event: { ...event, server: 'copy.git.example' } })
    expect(elsewhere.outcome).toMatchObject({ deletedIds: [] })
    expect(stage.livePreviews(11)).toEqual(ids)
    expect((await prune()).outcome?.deletedIds).toEqual(ids)
  })

  it.each([
    ['those of its prefix', 'demo', ['demo']],
    ['those of every prefix without one', undefined, ['preview', 'demo', 'demo-two', 'two-demo']],
  ])('takes %s', async (_, namePrefix, taken) => {
    const { stage, ids, prune } = scene([11], [11])
    const name = (prefix: string) => `${previewBase(11).replace(/^preview/, prefix)}-a1b2c3`
    const other = stage.createPreview({ name: name('demo').replace(/-[0-9a-f]{8}-/, '-ffffffff-') })
    const created: Record<string, string> = {
      preview: ids[0],
      demo: stage.createPreview({ name: name('demo') }),
      'demo-two': stage.createPreview({ name: name('demo-two') }),
      'two-demo': stage.createPreview({ name: name('two-demo') }),
    }
    stage.comments.push({ pullRequest: 11, state: 'ready', name: name('demo').slice(0, -7) })
    stage.advanceTime(hour)
    const run = await prune({ preview: { namePrefix } })
    expect(run.outcome?.deletedIds?.toSorted()).toEqual(taken.map(prefix => created[prefix]).toSorted())
    expect(stage.comments.at(-1)).toMatchObject({ state: 'deleted', name: name('demo').slice(0, -7) })
    expect(stage.service(other)?.status).toBe('READY')
  })

  it.each<ProtectedService>([...protectedServices])('keeps a service that is %s', async (_, make, reason) => {
    const { stage, ids, prune } = scene([11], [11])
    const run = await prune(make(stage, ids[0]))
    expect(decisionsOf(run.outcome)).toMatchObject([{ verdict: 'kept', reason: reason(stage) }])
    expect(stage.deletedServices()).toEqual([])
    expect(stage.livePreviews(11)).toEqual(ids)
  })

  it('deletes previews whose pull request is unknown to GitHub', async () => {
    const { stage, prune } = scene([], [])
    const id = stage.createPreview({ number: 4040 })
    stage.advanceTime(hour)
    const run = await prune()
    expect(decisionsOf(run.outcome)).toMatchObject([
      { service_id: id, verdict: 'deleted', reason: 'its pull request does not exist' },
    ])
    // There is no pull request to comment on.
    expect(run.idsOf('writeComment')).toEqual([])
  })
})

describe('how much prune deletes', () => {
  it('is nothing in a dry run, which reports the planned deletions', async () => {
    const { stage, ids, prune } = scene([11], [11])
    const run = await prune({ settings: { dryRun: true } })
    expect(run.outcome).toMatchObject({ deleted: false, deletedIds: [], keptIds: [] })
    expect(decisionsOf(run.outcome)).toMatchObject([
      { verdict: 'would delete', reason: 'its pull request is closed' },
    ])
    expect(run.outcome?.skipped).toBe('dry run')
    expect(run.idsOf('delete-service')).toEqual([])
    expect(stage.livePreviews(11)).toEqual(ids)
  })

  it('is nothing in a dry run, which makes the same checks', async () => {
    const { stage, ids, prune } = scene([11, 12, 13], [11, 12, 13])
    stage.onCall('readPullRequest', () => {
      stage.setEnvironment(ids[0], 'PROD')
      stage.setPullRequest('open', 12)
    })
    const run = await prune({ settings: { dryRun: true } })
    expect(decisionsOf(run.outcome).map(({ verdict }) => verdict)).toEqual(['kept', 'kept', 'would delete'])
  })

  it('is max_deletions at most, the oldest first; the next run continues', async () => {
    const { stage, ids, prune } = scene([13, 12, 11], [11, 12, 13])
    // Lists have no defined order.
    stage.onEveryCall('list-services', () => changedList(services => services.toReversed()))
    const first = await prune({ preview: { maxDeletions: 2 } })
    expect(first.outcome?.deletedIds).toEqual(ids.slice(0, 2))
    expect(decisionsOf(first.outcome).at(-1)).toMatchObject({
      verdict: 'skipped',
      reason: 'its pull request is closed, but max_deletions is 2',
    })
    expect(stage.livePreviews(11)).toEqual([ids[2]])
    expect((await prune({ preview: { maxDeletions: 2 } })).outcome?.deletedIds).toEqual([ids[2]])
  })

  it('is max_deletions at most, counting those whose pull request does not exist', async () => {
    const { stage, ids, prune } = scene([11], [11])
    const missing = [4040, 4041].map(number => stage.createPreview({ number }))
    stage.advanceTime(hour)
    const run = await prune({ preview: { maxDeletions: 1 } })
    expect(run.outcome).toMatchObject({ deletedIds: ids, keptIds: missing })
    expect(decisionsOf(run.outcome).map(({ verdict }) => verdict)).toEqual(['deleted', 'skipped', 'skipped'])
  })

  it('does not count the kept ones', async () => {
    const { stage, ids, prune } = scene([10, 11, 12, 13], [10, 12, 13])
    stage.setEnvironment(ids[0], 'PROD')
    const run = await prune({ preview: { maxDeletions: 1 } })
    expect(run.outcome?.deletedIds).toEqual([ids[2]])
    expect(decisionsOf(run.outcome)).toMatchObject([
      { verdict: 'kept', reason: 'it is tagged PROD' },
      { verdict: 'kept', reason: 'its pull request is open' },
      { verdict: 'deleted' },
      { verdict: 'skipped' },
    ])
  })
})

test('a delete that fails does not stop the others, and fails the step at its end', async () => {
  const { stage, ids, prune } = scene([11, 12], [11, 12])
  const [stuck, other] = ids
  stage.onEveryCall('delete-service', ({ id }) => (id === stuck ? refused(403, 'locked') : undefined))
  const run = await prune()
  expect(run.error).toBeUndefined()
  expect(run.outcome?.deletedIds).toEqual([other])
  expect(run.outcome?.keptIds).toEqual([stuck])
  expect(run.outcome?.problem).toBeInstanceOf(ActionError)
  expect(run.outcome?.problem?.message).toMatch(
    new RegExp(`^1 of 2 previews could not be deleted: ${previewBase(11)}-a1b2c3: .*locked`),
  )
  expect(run.outcome?.problem?.next).toMatch(
    /check that the key is allowed to do this.*; the next prune tries again$/,
  )
  expect(run.warnings).toEqual([expect.stringContaining(`${previewBase(11)}-a1b2c3 is not deleted`)])
  expect(stage.livePreviews(11)).toEqual([stuck])
})
