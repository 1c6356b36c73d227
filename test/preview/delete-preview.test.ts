/** Tests delete-preview. */
import { describe, expect, it, test } from 'vitest'
import { previewBase, pullRequest } from '../simulator/preview-names.ts'
import { closing } from './support/closing.ts'
import { lost, refused, refusedConnection } from './support/courses.ts'
import { eventOf, expectBetween, minute, second } from './support/inputs.ts'
import { Stage } from './support/stage.ts'

const openAgain = 'pull request 7 is open again'

describe('the preview of a pull request that was closed', () => {
  it('is deleted, and waited for until it is gone', async () => {
    const { stage, id, remove } = closing({ deleteAfter: 30 * second })
    const run = await remove()
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
    const { remove, id } = closing({ keepsDeleted: true })
    const run = await remove()
    expect(run.outcome?.deletedIds).toEqual([id])
    expect(run.took).toBeLessThan(30 * second)
    const again = await remove()
    expect(again.outcome?.deletedIds ?? []).toEqual([])
  })

  it('is not awaited if the inputs exclude the wait', async () => {
    const { stage, id, remove } = closing({ deleteAfter: minute })
    const run = await remove({ settings: { wait: false } })
    expect(run.outcome).toMatchObject({ deleted: true, deletedIds: [id] })
    expect(run.took).toBeLessThan(5 * second)
    expect(stage.service(id)?.status).toBe('DELETING')
  })

  it('is deleted with all its duplicates', async () => {
    const { stage, id, remove } = closing()
    const duplicates = [stage.preview({ random: 'aaaaaa' }), stage.preview({ random: 'bbbbbb' })]
    stage.pass(10 * minute)
    const run = await remove()
    expect(run.outcome?.deletedIds).toEqual([id, ...duplicates])
    expect(stage.alive()).toEqual([])
  })

  it('is deleted with those that are created meanwhile: the step continues until none is left', async () => {
    const { stage, id, remove } = closing()
    let late = ''
    stage.when('delete-service', () => {
      late = stage.preview({ random: 'latest' })
      return undefined
    })
    const run = await remove()
    expect(run.outcome?.deletedIds).toEqual([id, late])
    expect(stage.alive()).toEqual([])
  })

  it('is awaited if another actor is deleting it, and counts as deleted', async () => {
    const { stage, id, remove } = closing({ deleteAfter: 40 * second })
    stage.remove(id)
    const run = await remove()
    expect(run.of('delete-service')).toEqual([])
    expect(run.outcome).toMatchObject({ deleted: true, deletedIds: [id] })
    expect(stage.service(id)).toBeUndefined()
  })

  it('is not awaited if another actor is deleting it and the inputs exclude the wait', async () => {
    const { stage, id, remove } = closing({ deleteAfter: minute })
    stage.remove(id)
    const run = await remove({ settings: { wait: false } })
    expect(run.outcome).toMatchObject({ deleted: true, deletedIds: [id] })
    expect(run.took).toBeLessThan(5 * second)
  })

  it('is deleted once, however long lists still show it', async () => {
    const { stage, id, remove } = closing({
      deleteAfter: 100,
      lag: { kind: 'steady', stale: 'lists', by: 9 * second },
    })
    const run = await remove({ settings: { wait: false } })
    expect(run.of('delete-service')).toEqual([id])
    expect(stage.alive()).toEqual([])
  })

  it('is deleted with a second request if the first is refused for now, or its answer is lost', async () => {
    const { stage, id, remove } = closing()
    stage.when('delete-service', () => refused(409, 'being changed'))
    stage.when('delete-service', () => lost(50), 2)
    const run = await remove()
    expect(run.error).toBeUndefined()
    expect(run.outcome?.deletedIds).toEqual([id])
    expect(stage.service(id)).toBeUndefined()
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
      for (const what of ['list-services', 'get-service', 'delete-service']) stage.whenever(what, meet(what))
    }

    test.each(['list-services', 'get-service', 'delete-service'])('that begins with %s', async from => {
      for (const operation of ['delete-preview', 'preview']) {
        const { stage, id, remove } = closing({ deleteAfter: 30 * second }, true, operation)
        outage(stage, from)
        const run = await remove()
        expect(run.error).toBeUndefined()
        expect(run.outcome?.deletedIds).toEqual([id])
        expect(stage.alive()).toEqual([])
      }
    })
  })

  it('fails the run if the API is unreachable for more than 2 minutes', async () => {
    const { stage, id, remove } = closing()
    stage.whenever('list-services', () => refused(503))
    const run = await remove()
    expect(run.error?.message).toContain('503')
    expectBetween(run.took, 100 * second, 4 * minute)
    expect(stage.alive()).toEqual([id])
  })

  it('is that of pull_request on any event', async () => {
    const { stage, id, remove } = closing()
    const other = stage.preview({ number: 12 })
    stage.setPullRequest('open', 12)
    stage.pass(10 * minute)
    // The inputs name the pull request, so its preview is deleted although it is open.
    const run = await remove({ preview: { pullRequest: 12 } })
    expect(run.outcome).toMatchObject({ deletedIds: [other], pullRequest: 12 })
    expect(run.of('readPullRequest')).toEqual([])
    expect(stage.alive()).toEqual([id])
  })
})

describe('the comment', () => {
  it('shows that the preview is deleted, if there was one', async () => {
    const { stage, remove } = closing()
    stage.comments.push({ pullRequest, state: 'ready', name: previewBase() })
    const run = await remove()
    expect(stage.comments.at(-1)).toEqual({ pullRequest, state: 'deleted', name: previewBase() })
    expect(run.outcome?.commentUrl).toBe('https://github.example/comment-of-7')
  })

  it('is not written if there was no preview', async () => {
    const { stage, remove } = closing()
    const run = await remove()
    expect(run.outcome).toMatchObject({ deleted: true, commentUrl: undefined })
    expect(stage.comments).toEqual([])
  })
})

describe('a pull request that is reopened', () => {
  it('keeps its preview if it was reopened before the run', async () => {
    const { stage, id, remove } = closing()
    stage.setPullRequest('open')
    const run = await remove()
    expect(run.outcome).toMatchObject({ skipped: openAgain, pullRequest })
    expect(run.outcome?.deleted).toBeUndefined()
    expect(run.lines).toContain(`${openAgain}: its preview is kept`)
    expect(stage.alive()).toEqual([id])
    expect(run.of('list-services')).toEqual([])
  })

  it('keeps the rest of its databases: GitHub is read before each deletion', async () => {
    const { stage, id, remove } = closing()
    const duplicate = stage.preview({ random: 'aaaaaa' })
    stage.pass(10 * minute)
    stage.when('delete-service', () => void stage.setPullRequest('open'))
    const run = await remove()
    expect(run.error).toBeUndefined()
    expect(run.outcome).toMatchObject({ skipped: openAgain, deletedIds: [id], deleted: true, changed: true })
    expect(stage.alive()).toEqual([duplicate])
    expect(stage.states()).toEqual([])
  })

  it('is read after the last read of the service', async () => {
    const { stage, id, remove } = closing()
    stage.when('get-service', () => void stage.setPullRequest('open'))
    const run = await remove()
    expect(run.of('delete-service')).toEqual([])
    expect(run.outcome).toMatchObject({ skipped: openAgain, deleted: false, deletedIds: [] })
    expect(stage.alive()).toEqual([id])
  })

  it('counts as closed, by the event, if GitHub does not answer at all', async () => {
    const { stage, id, remove } = closing()
    stage.setPullRequest('open')
    stage.whenever('readPullRequest', () => new Error('GitHub is down'))
    stage.whenever('readPullRequests', () => new Error('GitHub is down'))
    expect((await remove()).outcome?.deletedIds).toEqual([id])
  })

  it('keeps its preview if only one way of asking GitHub fails', async () => {
    const { stage, id, remove } = closing()
    stage.setPullRequest('open')
    stage.whenever('readPullRequest', () => new Error('bad gateway'))
    expect((await remove()).outcome).toMatchObject({ skipped: openAgain })
    expect(stage.alive()).toEqual([id])
  })

  it('counts as open if GitHub stops answering after it reported that', async () => {
    const { stage, id, remove } = closing()
    const duplicate = stage.preview({ random: 'aaaaaa' })
    stage.pass(10 * minute)
    // GitHub is asked at first, and before each of two deletions.
    stage.when('readPullRequest', () => void stage.setPullRequest('open'), 2)
    stage.when('readPullRequest', () => new Error('GitHub is down'), 3)
    stage.whenever('readPullRequests', () => new Error('GitHub is down'))
    const run = await remove()
    expect(run.outcome).toMatchObject({ skipped: openAgain, deletedIds: [] })
    expect(stage.alive()).toEqual([id, duplicate])
  })

  it('counts as closed if GitHub knows no such number', async () => {
    const { stage, remove } = closing()
    const id = stage.preview({ number: 4040 })
    stage.pass(10 * minute)
    expect((await remove({ event: eventOf('closed', 4040) })).outcome?.deletedIds).toEqual([id])
  })

  it('does not matter on another event', async () => {
    const { stage, id, remove } = closing()
    stage.setPullRequest('open')
    const run = await remove({ event: eventOf('labeled') })
    expect(run.outcome?.deletedIds).toEqual([id])
    expect(run.of('readPullRequest')).toEqual([])
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
  const { stage, id, remove } = closing()
  stage.whenever('list-services', () => refused(status))
  expect((await remove()).error?.message).toContain(String(status))
  expect(stage.alive()).toEqual([id])
})

test('a run that is cancelled while it reads from GitHub deletes nothing', async () => {
  const { stage, id, remove } = closing()
  stage.when('readPullRequest', () => void stage.cancel(), 2)
  expect((await remove()).error?.name).toBe('CancelledError')
  expect(stage.alive()).toEqual([id])
})
