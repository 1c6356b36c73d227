/** Tests the operation `preview` on its events. */
import { describe, expect, it, test } from 'vitest'
import { pullRequest } from '../simulator/preview-names.ts'
import { eventOf, minute, pushEvent, scheduleEvent } from './support/inputs.ts'
import { type RunOptions, Stage, stagePreview } from './support/stage.ts'

const preview = (stage: Stage, event: NonNullable<RunOptions['event']>) => stage.run('preview', { event })

describe('the operation preview', () => {
  it('does nothing on another event, and names the known ones', async () => {
    const run = await preview(new Stage(), pushEvent)
    expect(run.outcome).toEqual({
      operation: 'preview',
      ids: {},
      skipped: 'this event changes no preview',
      timeline: { milliseconds: 0, waited: 0, spans: [] },
    })
    expect(run.notices).toEqual([
      'nothing to do on push: this event changes no preview. Run the step on pull_request (opened, reopened, ' +
        'synchronize, ready_for_review, closed, and with their inputs labeled, unlabeled, converted_to_draft), ' +
        'merge_group, schedule and workflow_dispatch',
    ])
    expect(run.calls).toEqual([])
  })

  it.each(['edited', 'labeled', 'converted_to_draft'])(
    'neither creates nor deletes a preview on %s',
    async action => {
      const stage = new Stage()
      const run = await preview(stage, eventOf(action))
      expect(run.outcome).toMatchObject({ operation: 'preview', skipped: expect.any(String), pullRequest })
      expect(run.notices).toHaveLength(1)
      expect(run.calls.map(({ name }) => name)).toEqual(['readPullRequest'])
    },
  )
})

describe('an event of a pull request that is closed by now', () => {
  it.each(['opened', 'synchronize', 'edited', 'labeled'])('%s: ends its preview', async action => {
    const { stage, id } = stagePreview()
    stage.setPullRequest('closed')
    const run = await preview(stage, eventOf(action))
    expect(run.outcome).toMatchObject({
      operation: 'delete-preview',
      deletedIds: [id],
      deleted: true,
      skipped: 'pull request 7 is closed',
    })
    expect(run.lines[0]).toBe(`on pull_request (${action}): delete-preview, as pull request 7 is closed`)
    expect(stage.livePreviews()).toEqual([])
  })

  it('keeps it if it is reopened right before the deletion', async () => {
    const { stage, id } = stagePreview()
    stage.setPullRequest('closed')
    stage.onCall('get-service', () => void stage.setPullRequest('open'))
    const run = await preview(stage, eventOf('synchronize'))
    expect(run.error).toBeUndefined()
    expect(run.outcome).toMatchObject({ deleted: false, skipped: expect.stringContaining('after all') })
    expect(stage.livePreviews()).toEqual([id])
  })

  it.each([
    [
      'before it knows',
      1,
      'pull request 7 is closed, by an event that may be old, and GitHub does not answer',
    ],
    ['right before the deletion', 2, 'GitHub no longer returns'],
  ])('keeps it if GitHub does not answer %s', async (_, nth, reason) => {
    const { stage, id } = stagePreview()
    stage.setPullRequest('closed')
    stage.onCall('readPullRequest', () => new Error('GitHub is down'), nth)
    const run = await preview(stage, eventOf('edited', pullRequest, { state: 'closed' }))
    expect(run.error).toBeUndefined()
    expect(run.outcome?.skipped).toContain(reason)
    expect(stage.livePreviews()).toEqual([id])
  })
})

describe('started by hand for a pull request', () => {
  const dispatch = (stage: Stage, more: RunOptions = {}) =>
    stage.run('preview', {
      event: { name: 'workflow_dispatch', action: undefined, pullRequest: undefined },
      preview: { pullRequest },
      ...more,
    })

  it('follows its labels and its draft state', async () => {
    const stage = new Stage()
    stage.setPullRequest({ draft: true, labels: ['preview'] })
    const rules = { pullRequest, labels: ['preview'], drafts: false }
    const run = await dispatch(stage, { preview: rules })
    expect(run.outcome).toMatchObject({ skipped: 'pull request 7 is a draft', deleted: false })
    stage.setPullRequest({ draft: false })
    expect((await dispatch(stage, { preview: rules })).outcome?.created).toBe(true)
  })

  it('fails if no pull request has that number, or GitHub does not answer', async () => {
    const stage = new Stage()
    const missing = await dispatch(stage, { preview: { pullRequest: 4040 } })
    expect(missing.error?.message).toContain('there is no pull request 4040')
    stage.onEveryCall('readPullRequest', () => new Error('GitHub is down'))
    expect((await dispatch(stage)).error?.message).toBe('GitHub is down')
    expect(stage.livePreviews()).toEqual([])
  })
})

describe('on an event of another pull request', () => {
  const about = { pullRequest: 12 }

  it('follows the named one', async () => {
    const stage = new Stage()
    stage.setPullRequest('open', 12)
    const created = await stage.run('preview', { event: eventOf('closed'), preview: about })
    expect(created.outcome).toMatchObject({ operation: 'create-preview', created: true, pullRequest: 12 })
    stage.setPullRequest('closed', 12)
    const deleted = await stage.run('preview', { event: eventOf('opened'), preview: about })
    expect(deleted.outcome).toMatchObject({ deletedIds: [created.id], pullRequest: 12 })
  })

  it('fails if GitHub does not report the state of the named one', async () => {
    const stage = new Stage()
    stage.onEveryCall('readPullRequest', () => new Error('GitHub is down'))
    const run = await stage.run('preview', { event: eventOf('opened'), preview: about })
    expect(run.error?.message).toBe('GitHub is down')
    expect(stage.livePreviews(12)).toEqual([])
  })
})

test('the life of a pull request: opened, pushed, closed, opened again, forgotten', async () => {
  const stage = new Stage()
  const opened = await preview(stage, eventOf('opened'))
  const { service_id } = opened.outcome?.ids ?? {}
  expect(opened.lines[0]).toBe('on pull_request (opened): create-preview')
  stage.advanceTime(10 * minute)
  const pushed = await preview(stage, eventOf('synchronize'))
  expect(pushed.outcome).toMatchObject({ ids: { service_id }, password: opened.outcome?.password })
  expect(pushed.outcome?.changed).toBe(false)

  stage.setPullRequest('closed')
  const closed = await preview(stage, eventOf('closed'))
  expect(closed.outcome?.deletedIds).toEqual([service_id])
  expect(closed.lines[0]).toBe('on pull_request (closed): delete-preview')
  expect((await preview(stage, eventOf('closed'))).outcome?.deleted).toBe(false)

  stage.setPullRequest('open')
  const reopened = await preview(stage, eventOf('reopened'))
  expect(stage.livePreviews()).toEqual([reopened.id])
  expect(reopened.id).not.toBe(service_id)

  // The event of this closing is lost.
  stage.setPullRequest('closed')
  stage.advanceTime(60 * minute)
  const pruned = await preview(stage, scheduleEvent)
  expect(pruned.outcome?.deletedIds).toEqual([reopened.id])
  expect(pruned.lines[0]).toBe('on schedule: prune-previews')
  expect(stage.commentStates()).toEqual([
    ...['creating', 'ready', 'ready', 'deleted', 'deleted'],
    ...['creating', 'ready', 'deleted'],
  ])
  expect(stage.service(stage.parent)?.status).toBe('READY')
})
