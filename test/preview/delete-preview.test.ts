/** Tests delete-preview. */
import { describe, expect, it, test } from 'vitest'
import { previewBase, pullRequest } from '../simulator/preview-names.ts'
import { stageClosedPullRequest } from './support/closing.ts'
import { refused, refusedConnection } from './support/courses.ts'
import { eventOf, expectBetween, minute, second } from './support/inputs.ts'
import { Stage } from './support/stage.ts'

const openAgain = 'pull request 7 is open again'

describe('the preview of a pull request that was closed', () => {
  it('is deleted, and waited for until it is gone', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest({ deleteAfter: 30 * second })
    const run = await deletePreview()
    expect(run.outcome).toMatchObject({
      operation: 'delete-preview',
      ids: { service_id: id },
      deleted: true,
      changed: true,
      deletedIds: [id],
      pullRequest,
    })
    expect(run.outcome?.skipped).toBeUndefined()
    expect(stage.service(id)).toBeUndefined()
    expect(run.took).toBeGreaterThanOrEqual(30 * second)
    expect(stage.service(stage.parent)).toBeDefined()
  })

  it('is not awaited longer if the API shows it as DELETED forever', async () => {
    const { deletePreview, id } = stageClosedPullRequest({ keepsDeleted: true })
    const run = await deletePreview()
    expect(run.outcome?.deletedIds).toEqual([id])
    expect(run.took).toBeLessThan(30 * second)
    const again = await deletePreview()
    expect(again.outcome?.deletedIds ?? []).toEqual([])
  })

  it('is deleted with those that are created meanwhile: the step continues until none is left', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    let late = ''
    stage.onCall('delete-service', () => {
      late = stage.createPreview({ random: 'latest' })
      return undefined
    })
    const run = await deletePreview()
    expect(run.outcome?.deletedIds).toEqual([id, late])
    expect(stage.livePreviews()).toEqual([])
  })

  it('is awaited if another actor is deleting it, and counts as deleted', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest({ deleteAfter: 40 * second })
    stage.deleteService(id)
    const run = await deletePreview()
    expect(run.idsOf('delete-service')).toEqual([])
    expect(run.outcome).toMatchObject({ deleted: true, deletedIds: [id] })
    expect(stage.service(id)).toBeUndefined()
  })

  it('is not awaited if another actor is deleting it and the inputs exclude the wait', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest({ deleteAfter: minute })
    stage.deleteService(id)
    const run = await deletePreview({ settings: { wait: false } })
    expect(run.outcome).toMatchObject({ deleted: true, deletedIds: [id] })
    expect(run.took).toBeLessThan(5 * second)
  })

  it('is deleted once, however long lists still show it', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest({
      deleteAfter: 100,
      lag: { kind: 'steady', stale: 'lists', by: 9 * second },
    })
    const run = await deletePreview({ settings: { wait: false } })
    expect(run.idsOf('delete-service')).toEqual([id])
    expect(stage.livePreviews()).toEqual([])
  })

  describe.each([
    ['503', () => refused(503)],
    ['a refused connection', () => refusedConnection],
  ])('is deleted in spite of an outage of 15 s, with %s,', (_, failure) => {
    /** The API answers no request for 15 s from the n-th question of a kind on. */
    const outage = (stage: Stage, from: string) => {
      let began: number | undefined
      const meet = (what: string) => () => {
        if (what === from) began ??= stage.world.time.now
        return began !== undefined && stage.world.time.now < began + 15 * second ? failure() : undefined
      }
      for (const what of ['list-services', 'get-service', 'delete-service'])
        stage.onEveryCall(what, meet(what))
    }

    test.each(['list-services', 'get-service', 'delete-service'])('that begins with %s', async from => {
      for (const operation of ['delete-preview', 'preview']) {
        const { stage, id, deletePreview } = stageClosedPullRequest(
          { deleteAfter: 30 * second },
          true,
          operation,
        )
        outage(stage, from)
        const run = await deletePreview()
        expect(run.error).toBeUndefined()
        expect(run.outcome?.deletedIds).toEqual([id])
        expect(stage.livePreviews()).toEqual([])
      }
    })
  })

  it('fails the run if the API is unreachable for more than 2 minutes', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    stage.onEveryCall('list-services', () => refused(503))
    const run = await deletePreview()
    expect(run.error?.message).toContain('503')
    expectBetween(run.took, 100 * second, 4 * minute)
    expect(stage.livePreviews()).toEqual([id])
  })

  it('is that of pull_request on any event', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    const other = stage.createPreview({ number: 12 })
    stage.setPullRequest('open', 12)
    stage.advanceTime(10 * minute)
    // The inputs name the pull request, so its preview is deleted although it is open.
    const run = await deletePreview({ preview: { pullRequest: 12 } })
    expect(run.outcome).toMatchObject({ deletedIds: [other], pullRequest: 12 })
    expect(run.idsOf('readPullRequest')).toEqual([])
    expect(stage.livePreviews()).toEqual([id])
  })
})

describe('the comment', () => {
  it('shows that the preview is deleted, if there was one', async () => {
    const { stage, deletePreview } = stageClosedPullRequest()
    stage.comments.push({ pullRequest, state: 'ready', name: previewBase() })
    const run = await deletePreview()
    expect(stage.comments.at(-1)).toEqual({ pullRequest, state: 'deleted', name: previewBase() })
    expect(run.outcome?.commentUrl).toBe('https://github.example/comment-of-7')
  })

  it('is not written if there was no preview', async () => {
    const { stage, deletePreview } = stageClosedPullRequest()
    const run = await deletePreview()
    expect(run.outcome).toMatchObject({ deleted: true, commentUrl: undefined })
    expect(stage.comments).toEqual([])
  })
})

describe('a pull request that is reopened', () => {
  it('keeps its preview if it was reopened before the run', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    stage.setPullRequest('open')
    const run = await deletePreview()
    expect(run.outcome).toMatchObject({ skipped: openAgain, pullRequest })
    expect(run.outcome?.deleted).toBeUndefined()
    expect(run.lines).toContain(`${openAgain}: its preview is kept`)
    expect(stage.livePreviews()).toEqual([id])
    expect(run.idsOf('list-services')).toEqual([])
  })

  it('keeps the rest of its databases: GitHub is read before each deletion', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    const duplicate = stage.createPreview({ random: 'aaaaaa' })
    stage.advanceTime(10 * minute)
    stage.onCall('delete-service', () => void stage.setPullRequest('open'))
    const run = await deletePreview()
    expect(run.error).toBeUndefined()
    expect(run.outcome).toMatchObject({ skipped: openAgain, deletedIds: [id], deleted: true, changed: true })
    expect(stage.livePreviews()).toEqual([duplicate])
    expect(stage.commentStates()).toEqual([])
  })

  it('is read after the last read of the service', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    stage.onCall('get-service', () => void stage.setPullRequest('open'))
    const run = await deletePreview()
    expect(run.idsOf('delete-service')).toEqual([])
    expect(run.outcome).toMatchObject({ skipped: openAgain, deleted: false, deletedIds: [] })
    expect(stage.livePreviews()).toEqual([id])
  })

  it('counts as closed, by the event, if GitHub does not answer at all', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    stage.setPullRequest('open')
    stage.onEveryCall('readPullRequest', () => new Error('GitHub is down'))
    expect((await deletePreview()).outcome?.deletedIds).toEqual([id])
  })

  it('counts as open if GitHub stops answering after it reported that', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    const duplicate = stage.createPreview({ random: 'aaaaaa' })
    stage.advanceTime(10 * minute)
    // GitHub is asked at first, and before each of two deletions.
    stage.onCall('readPullRequest', () => void stage.setPullRequest('open'), 2)
    stage.onCall('readPullRequest', () => new Error('GitHub is down'), 3)
    const run = await deletePreview()
    expect(run.outcome).toMatchObject({ skipped: openAgain, deletedIds: [] })
    expect(stage.livePreviews()).toEqual([id, duplicate])
  })

  it('counts as closed if GitHub knows no such number', async () => {
    const { stage, deletePreview } = stageClosedPullRequest()
    const id = stage.createPreview({ number: 4040 })
    stage.advanceTime(10 * minute)
    expect((await deletePreview({ event: eventOf('closed', 4040) })).outcome?.deletedIds).toEqual([id])
  })

  it('does not matter on another event', async () => {
    const { stage, id, deletePreview } = stageClosedPullRequest()
    stage.setPullRequest('open')
    const run = await deletePreview({ event: eventOf('labeled') })
    expect(run.outcome?.deletedIds).toEqual([id])
    expect(run.idsOf('readPullRequest')).toEqual([])
  })
})

test('a missing preview is a success, without a comment', async () => {
  const stage = new Stage()
  stage.setPullRequest('closed')
  const run = await stage.run('delete-preview', { event: eventOf('closed') })
  expect(run.outcome).toMatchObject({
    deleted: false,
    changed: false,
    deletedIds: [],
    done: `there is no preview ${previewBase()}`,
  })
  expect(run.outcome?.ids.service_id).toBeUndefined()
  expect(stage.comments).toEqual([])
})

test.each([401, 403])('%i fails the run, since it must not pass for a missing preview', async status => {
  const { stage, id, deletePreview } = stageClosedPullRequest()
  stage.onEveryCall('list-services', () => refused(status))
  expect((await deletePreview()).error?.message).toContain(String(status))
  expect(stage.livePreviews()).toEqual([id])
})

test('a run that is cancelled while it reads from GitHub deletes nothing', async () => {
  const { stage, id, deletePreview } = stageClosedPullRequest()
  stage.onCall('readPullRequest', () => void stage.cancel(), 2)
  expect((await deletePreview()).error?.name).toBe('CancelledError')
  expect(stage.livePreviews()).toEqual([id])
})
