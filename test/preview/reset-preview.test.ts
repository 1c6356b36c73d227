/** Tests reset-preview. */
import { describe, expect, it } from 'vitest'
import type { Course } from '../simulator/faults.ts'
import { previewBase, previewName } from '../simulator/preview-names.ts'
import { brokenConnection, changedAnswer, normalCourse, refused } from './support/courses.ts'
import { minute, second } from './support/inputs.ts'
import { type RunReport, Stage, stagePreview } from './support/stage.ts'

const reset = 'reset-preview'
const demoName = previewName('a1b2c3').replace(/^preview/, 'demo')
const goOn = 'run create-preview: it waits until the old one is gone, and creates the new one'

describe('reset-preview', () => {
  it('deletes the existing one, waits until it is gone, and creates a new fork of the parent', async () => {
    const { stage, id: old } = stagePreview()
    const before = stage.service(old)
    const run = await stage.run(reset)
    expect(run.outcome).toMatchObject({
      operation: reset,
      record: { status: 'READY', forked_from: { service_id: stage.parent } },
      deletedIds: [old],
      deleted: true,
      created: true,
      changed: true,
    })
    expect(stage.livePreviews()).toEqual([run.id])
    expect(run.id).not.toBe(old)
    expect(run.outcome?.password).toBe(stage.passwordOf(run.id))
    const { deletions, creations } = stage.world.ledger
    expect(creations.at(-1)?.at).toBeGreaterThanOrEqual((deletions[0]?.at ?? 0) + 5 * second)
    const after = stage.service(run.id)
    expect(run.lines.at(-1)).toBe(
      `the preview has fresh data; service_id was ${old}, is ${run.id}; host was ${before?.endpoint?.host}, is ${after?.endpoint?.host}; port is the same; the password is another one; other jobs get all of it from get-connection`,
    )
    expect(stage.commentStates()).toEqual(['creating', 'ready'])
    expect(stage.comments.at(-1)).toMatchObject({ serviceId: run.id, host: after?.endpoint?.host })
  })

  it('creates one if there is none', async () => {
    const stage = new Stage()
    const run = await stage.run(reset)
    expect(run.outcome).toMatchObject({ created: true, deleted: false, deletedIds: [] })
    expect(run.lines.at(-1)).toBe('there was no preview before: this one is new')
    expect(stage.livePreviews()).toEqual([run.id])
  })

  it('deletes duplicates and paused ones too, and waits for one that is being deleted', async () => {
    const { stage, id: old } = stagePreview({ deleteAfter: minute })
    const ending = stage.createPreview({ random: 'bbbbbb' })
    const duplicate = stage.createPreview({ random: 'cccccc' })
    stage.advanceTime(10 * minute)
    stage.pause(duplicate, second)
    stage.deleteService(ending)
    const run = await stage.run(reset)
    expect(run.outcome?.deletedIds).toEqual([old, duplicate])
    expect(stage.deletedServices()).toEqual([old, duplicate])
    expect(stage.livePreviews()).toEqual([run.id])
  })

  it('continues if the parent changed in the workflow, and reports it', async () => {
    const stage = new Stage()
    const old = stage.createPreview({ parent: stage.other })
    stage.advanceTime(10 * minute)
    expect((await stage.run('create-preview')).error?.message).toContain(
      `is a fork of ${stage.other}, and this step forks ${stage.parent}`,
    )
    const run = await stage.run(reset)
    expect(run.outcome).toMatchObject({ record: { forked_from: { service_id: stage.parent } } })
    expect(run.lines).toContainEqual(
      expect.stringContaining(`is a fork of ${stage.other}; the new one will be`),
    )
    expect(stage.deletedServices()).toEqual([old])
  })
})

describe('reset-preview changes nothing', () => {
  const left = (stage: Stage, run: RunReport, ids: string[]) => {
    expect(stage.livePreviews()).toEqual(ids)
    expect(stage.deletedServices()).toEqual([])
    expect(run.idsOf('fork-service')).toEqual([])
  }

  it('in a dry run, which reports the planned change', async () => {
    const { stage, id: old } = stagePreview()
    const run = await stage.run(reset, { settings: { dryRun: true } })
    expect(run.outcome?.skipped).toMatch(
      new RegExp(`^dry run: would delete ${old}, and then fork ${stage.parent} for preview-pr-7-`),
    )
    left(stage, run, [old])
  })

  it.each(['PROD', 'STAGING', 'production'])('if the only one is tagged %s', async tag => {
    const { stage, id: old } = stagePreview()
    stage.setEnvironment(old, tag)
    stage.advanceTime(minute)
    const run = await stage.run(reset)
    expect(run.error?.message).toContain(`service ${old} has the name of the preview`)
    expect(run.error?.message).toContain(`it is tagged ${tag}: `)
    left(stage, run, [old])
  })

  it('if one of several has another owner', async () => {
    const { stage, id: old } = stagePreview()
    const tagged = stage.createPreview({ random: 'bbbbbb', environment: 'PROD' })
    stage.advanceTime(10 * minute)
    left(stage, await stage.run(reset), [old, tagged])
  })

  it('if the preview is a fork of a masked copy, and masked is not set', async () => {
    const { stage, id: masked } = stagePreview({}, { name: 'masked-0a1b2c3d-x7k2p9' })
    const old = stage.createPreview({ parent: masked })
    stage.advanceTime(10 * minute)
    const run = await stage.run(reset)
    expect(run.error?.message).toContain(`is a fork of the masked copy ${masked}`)
    expect(run.error?.next).toMatch(/^set masked: true; /)
    left(stage, run, [old])
  })

  it('if one is the present parent', async () => {
    const { stage, id: old } = stagePreview()
    const run = await stage.run(reset, { given: { service_id: old, fork_strategy: 'NOW' } })
    expect(run.error?.message).toContain(`service ${old} has the name of the preview`)
    expect(run.error?.message).toContain('it is the parent')
    left(stage, run, [old])
  })

  it('if another service was forked from one of the databases', async () => {
    const { stage, id: old } = stagePreview()
    const fork = stage.createPreview({ random: 'bbbbbb', parent: old })
    stage.advanceTime(10 * minute)
    const run = await stage.run(reset)
    expect(run.error?.message).toContain(`service ${old} has the name`)
    left(stage, run, [old, fork])
  })

  it.each([
    ['of another prefix', (stage: Stage, parent: string) => stage.createPreview({ parent, name: demoName })],
    ['of another pull request', (stage: Stage, parent: string) => stage.createPreview({ parent, number: 8 })],
    ['of people', (stage: Stage, parent: string) => stage.createPreview({ parent, name: 'demo-of-monday' })],
    [
      'that is paused',
      (stage: Stage, parent: string) => {
        const id = stage.createPreview({ parent, number: 8 })
        stage.advanceTime(10 * minute)
        stage.callAsOther('stop-service', { service_id: id })
        return id
      },
    ],
  ])('if a service %s was forked from it', async (_, make) => {
    const { stage, id: old } = stagePreview()
    const fork = make(stage, old)
    stage.advanceTime(10 * minute)
    const run = await stage.run(reset)
    const name = stage.service(fork)?.name
    expect(run.error?.message).toBe(
      `service ${old} has the name of the preview ${previewBase()}, but service ${fork} (${name}) was forked from it: it is not changed`,
    )
    expect(run.error?.next).toMatch(`delete service ${fork} first`)
    left(stage, run, [old])
    const dryRun = await stage.run(reset, { settings: { dryRun: true } })
    expect(dryRun.error?.message).toBe(run.error?.message)
  })

  it('if it was forked after the reset began', async () => {
    const { stage, id: old } = stagePreview()
    stage.onCall('get-service', ({ id }) => {
      if (id === stage.parent) stage.createPreview({ parent: old, name: demoName })
      return undefined
    })
    const run = await stage.run(reset)
    expect(run.error?.message).toContain('was forked from it')
    left(stage, run, [old])
  })

  it('if the parent does not exist', async () => {
    const { stage, id: old } = stagePreview()
    const run = await stage.run(reset, { given: { service_id: 'nowhere' } })
    expect(run.error?.message).toBe('there is no service nowhere to fork: the preview is left as it is')
    left(stage, run, [old])
  })

  const unforkable = ['PAUSING', 'RESUMING', 'UNSTABLE', 'OPTIMIZING']
  it.each(unforkable)('if the parent is %s, and reports when it can run', async status => {
    const { stage, id: old } = stagePreview()
    stage.onEveryCall('get-service', ({ id }) =>
      id === stage.parent ? changedAnswer(parent => ({ ...parent, status })) : undefined,
    )
    const run = await stage.run(reset)
    expect(run.error?.message).toContain(`the parent ${stage.parent} is ${status} and cannot be forked now`)
    expect(run.error?.next).toContain('READY or PAUSED')
    left(stage, run, [old])
  })

  it('if service_id is empty', async () => {
    const { stage, id: old } = stagePreview()
    const run = await stage.run(reset, { given: {}, preview: { empty: false } })
    expect(run.error?.message).toContain('service_id: expected the id of the parent')
    left(stage, run, [old])
  })

  it('to a service that was renamed or tagged after the list was read', async () => {
    for (const [change, fields] of [
      ['rename-service', { name: 'kept-by-hand' }],
      ['rename-service', { name: previewName('a1b2c3', 8) }],
      ['set-environment', { environment: 'PROD' }],
    ] as const) {
      const { stage, id: old } = stagePreview()
      stage.onCall('get-service', ({ id }) => {
        if (id === stage.parent) stage.callAsOther(change, { service_id: old, ...fields })
        return undefined
      })
      const run = await stage.run(reset)
      expect(run.error?.message).toContain(`service ${old} has the name of the preview`)
      expect(stage.deletedServices()).toEqual([])
      expect(stage.service(old)).toBeDefined()
    }
  })
})

describe('a reset that fails', () => {
  it('to delete, reports it in the comment too, and creates no second one', async () => {
    const { stage, id: old } = stagePreview()
    stage.onEveryCall('delete-service', () => refused(403))
    const run = await stage.run(reset)
    expect(run.error?.message).toContain('delete-service')
    expect(run.error?.message).not.toContain('its data')
    expect(stage.livePreviews()).toEqual([old])
    expect(stage.commentStates()).toEqual(['failed'])
  })

  it('to create a new one, reports that the old one is gone, and the next run repairs it', async () => {
    const { stage, id: old } = stagePreview()
    stage.onCall('fork-service', () => refused(402, 'quota'))
    const run = await stage.run(reset)
    expect(run.error?.message).toContain('quota')
    expect(run.warnings).toContainEqual(
      expect.stringContaining(
        `service ${old} is deleted or being deleted, and its data is gone: run create-preview`,
      ),
    )
    expect(stage.livePreviews()).toEqual([])
    const next = await stage.run('create-preview')
    expect(stage.livePreviews()).toEqual([next.id])
  })

  it('because the old one still exists at the deadline, names it, its lost data, and the next instruction', async () => {
    const { stage, id: old } = stagePreview({ deleteAfter: 10 * minute })
    const run = await stage.run(reset, { patience: 5 * minute })
    expect(run.error?.message).toMatch(
      `service ${old} is deleted or being deleted, and its data is gone, but the preview ${previewBase()} has no new database yet: waited `,
    )
    expect(run.error?.next).toBe(goOn)
    expect(stage.comments.at(-1)).toMatchObject({ state: 'failed', next: goOn })
    expect(run.warnings).toEqual([])
    const next = await stage.run('create-preview')
    expect(stage.livePreviews()).toEqual([next.id])
    expect(next.id).not.toBe(old)
  })

  it.each<[string, Course]>([
    ['are lost', brokenConnection()],
    ['cannot be read', { ...normalCourse, kind: 'too large', end: 'too-large' }],
  ])('because the answers to the deletion %s, reports that the data may be gone', async (_, course) => {
    const { stage, id: old } = stagePreview()
    stage.onEveryCall('delete-service', () => course)
    const run = await stage.run(reset)
    expect(run.error?.message).toMatch(`service ${old} may be deleted, with its data, but the preview`)
    expect(run.error?.next).toMatch(goOn)
  })

  it('because the deletion is refused after a lost answer, reports that the data may be gone', async () => {
    const { stage, id: old } = stagePreview()
    const courses = [brokenConnection(minute), refused(401)]
    stage.onEveryCall('delete-service', () => courses.shift())
    const run = await stage.run(reset)
    expect(run.error?.message).toMatch(`service ${old} may be deleted, with its data, but the preview`)
    expect(run.error?.message).toContain('401')
  })

  it('because it is cancelled before the deletion is answered, reports that the data may be gone', async () => {
    const { stage, id: old } = stagePreview()
    stage.onCall('delete-service', () => {
      stage.schedule(50, () => stage.cancel())
      return undefined
    })
    const run = await stage.run(reset)
    expect(run.error?.message).toContain('SIGINT')
    expect(run.warnings).toEqual([
      `service ${old} may be deleted, with its data: ${goOn}, or continues with it`,
    ])
  })

  it('at the second of two, reports that the data of the first is gone', async () => {
    const { stage, id: old } = stagePreview()
    const duplicate = stage.createPreview({ random: 'bbbbbb' })
    stage.advanceTime(10 * minute)
    stage.onEveryCall('delete-service', ({ id }) => (id === duplicate ? refused(403, 'locked') : undefined))
    const run = await stage.run(reset)
    expect(run.error?.message).toMatch(`service ${old} is deleted or being deleted, and its data is gone`)
    expect(run.error?.message).toContain('locked')
    expect(run.error?.next).toMatch(/^.*; then run create-preview: /)
  })

  it('reports that the old data is gone if it is cancelled while its failure is written to the comment', async () => {
    const { stage, id: old } = stagePreview({ deleteAfter: 10 * minute })
    stage.onEveryCall('writeComment', () => {
      stage.cancel()
      return new Error('aborted')
    })
    const run = await stage.run(reset, { patience: 5 * minute })
    expect(run.error?.message).toContain('SIGINT')
    expect(run.warnings).toEqual([
      `service ${old} is deleted or being deleted, and its data is gone: ${goOn}, or continues with it`,
    ])
  })

  it('because the answers to the second deletion are lost, names the deleted one and the one that may be deleted', async () => {
    const { stage, id: old } = stagePreview()
    const duplicate = stage.createPreview({ random: 'zzzzzz' })
    stage.advanceTime(10 * minute)
    stage.onEveryCall('delete-service', ({ id }) => (id === duplicate ? brokenConnection() : undefined))
    const run = await stage.run(reset)
    expect(run.error?.message).toMatch(
      `service ${old} is deleted or being deleted, and its data is gone; service ${duplicate} may be deleted, with its data, but the preview`,
    )
  })

  it('because the state is unknown after the pull request is closed, reports that the data may be gone', async () => {
    const { stage, id: old } = stagePreview()
    stage.onEveryCall('delete-service', () => {
      stage.setPullRequest('closed')
      stage.onEveryCall('list-services', () => refused(403))
      return brokenConnection()
    })
    const run = await stage.run(reset)
    expect(run.error?.message).toContain('list-services')
    expect(run.warnings).toContain(
      `service ${old} may be deleted, with its data: ${goOn}, or continues with it`,
    )
  })

  it('to finish the new database of another run, does not report that there is none', async () => {
    const { stage, id: old } = stagePreview({ deleteAfter: minute })
    stage.schedule(30 * second, () => stage.createPreview({ random: 'bbbbbb' }))
    stage.onEveryCall('update-password', () => refused(403))
    const run = await stage.run(reset)
    expect(run.error?.message).toContain('update-password')
    expect(run.error?.message).not.toContain('no new database')
    expect(run.warnings).toContain(
      `service ${old} is deleted or being deleted, and its data is gone: ${goOn}, or continues with it`,
    )
  })

  it('at the second of two, after the pull request was closed, leaves no database', async () => {
    const { stage } = stagePreview()
    const duplicate = stage.createPreview({ random: 'zzzzzz' })
    stage.advanceTime(10 * minute)
    const courses = [refused(403, 'locked')]
    stage.onEveryCall('delete-service', ({ id }) => {
      stage.setPullRequest('closed')
      return id === duplicate ? courses.shift() : undefined
    })
    const run = await stage.run(reset)
    expect(run.outcome?.skipped).toBe('pull request 7 is closed')
    expect(stage.livePreviews()).toEqual([])
  })

  it('because the pull request is closed meanwhile, leaves no database', async () => {
    const { stage } = stagePreview()
    stage.onCall('fork-service', () => void stage.setPullRequest('closed') as undefined)
    const run = await stage.run(reset)
    expect(run.outcome?.skipped).toBe('pull request 7 is closed')
    expect(stage.livePreviews()).toEqual([])
    expect(run.outcome?.deletedIds).toEqual(stage.deletedServices())
    expect(stage.commentStates().at(-1)).toBe('deleted')
  })
})
