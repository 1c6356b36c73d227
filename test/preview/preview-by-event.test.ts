import { describe, expect, it, test } from 'vitest'
import { eventOf, minute } from './support/inputs.ts'
import { type RunOptions, Stage } from './support/stage.ts'

const preview = (stage: Stage, event: NonNullable<RunOptions['event']>) => stage.run('preview', { event })

describe('the operation preview', () => {
  it.each(['opened', 'reopened', 'synchronize', 'ready_for_review'])('creates on %s', async action => {
    const stage = new Stage()
    const run = await preview(stage, eventOf(action))
    expect(run.outcome).toMatchObject({ operation: 'create-preview', created: true })
    expect(run.lines[0]).toBe(`on pull_request (${action}): create-preview`)
    expect(stage.alive()).toHaveLength(1)
  })

  it('deletes on closed', async () => {
    const stage = new Stage()
    const id = stage.preview()
    stage.pass(10 * minute)
    stage.setPullRequest('closed')
    const run = await preview(stage, eventOf('closed'))
    expect(run.outcome).toMatchObject({ operation: 'delete-preview', deletedIds: [id] })
    expect(run.lines[0]).toBe('on pull_request (closed): delete-preview')
    expect(stage.alive()).toEqual([])
  })

  it.each(['schedule', 'workflow_dispatch'])('prunes on %s', async name => {
    const stage = new Stage()
    const id = stage.preview()
    stage.pass(60 * minute)
    stage.setPullRequest('closed')
    const run = await preview(stage, { name, action: undefined, pullRequest: undefined })
    expect(run.outcome).toMatchObject({ operation: 'prune-previews', deletedIds: [id] })
    expect(run.lines[0]).toBe(`on ${name}: prune-previews`)
  })

  it('does nothing on another event, and says which it knows', async () => {
    const run = await preview(new Stage(), { name: 'push', action: undefined, pullRequest: undefined })
    expect(run.error?.message).toBe('preview does not know what to do on the event push')
    expect(run.error?.next).toContain('opened, reopened, synchronize, ready_for_review, closed')
    expect(run.asked).toEqual([])
  })
})

test('the life of a pull request: opened, pushed, closed, opened again, forgotten', async () => {
  const stage = new Stage()
  const opened = await preview(stage, eventOf('opened'))
  const { service_id } = opened.outcome?.ids ?? {}
  stage.pass(10 * minute)
  const pushed = await preview(stage, eventOf('synchronize'))
  expect(pushed.outcome).toMatchObject({ ids: { service_id }, password: opened.outcome?.password })
  expect(pushed.outcome?.changed).toBe(false)

  stage.setPullRequest('closed')
  const closed = await preview(stage, eventOf('closed'))
  expect(closed.outcome?.deletedIds).toEqual([service_id])
  expect((await preview(stage, eventOf('closed'))).outcome?.deleted).toBe(false)

  stage.setPullRequest('open')
  const reopened = await preview(stage, eventOf('reopened'))
  expect(stage.alive()).toEqual([reopened.outcome?.ids.service_id])
  expect(reopened.outcome?.ids.service_id).not.toBe(service_id)

  // The event of this closing is lost.
  stage.setPullRequest('closed')
  stage.pass(60 * minute)
  const pruned = await preview(stage, { name: 'schedule', action: undefined, pullRequest: undefined })
  expect(pruned.outcome?.deletedIds).toEqual([reopened.outcome?.ids.service_id])
  expect(stage.states()).toEqual([
    ...['creating', 'ready', 'ready', 'deleted', 'deleted'],
    ...['creating', 'ready', 'deleted'],
  ])
  expect(stage.service(stage.parent)?.status).toBe('READY')
})
