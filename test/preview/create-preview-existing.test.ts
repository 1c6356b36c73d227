/** Tests create-preview with an existing preview that is not READY. */
import { describe, expect, it, test } from 'vitest'
import { WaitError } from '#operations/wait/wait-error'
import { brokenConnection, changedAnswer, changedList, refused } from './support/courses.ts'
import { minute, second } from './support/inputs.ts'
import { Stage, stagePreview } from './support/stage.ts'

const create = 'create-preview'

describe('a preview that is not READY yet', () => {
  it('is waited for and published, and no other is created', async () => {
    const stage = new Stage()
    const id = stage.createPreview()
    const run = await stage.run(create)
    expect(run.outcome).toMatchObject({
      ids: { service_id: id },
      record: { status: 'READY' },
      created: false,
      changed: true,
      timeline: { waited: expect.toSatisfy(waited => waited > 19 * second) },
    })
    expect(run.idsOf('fork-service')).toEqual([])
  })

  it('is searched for again if it is deleted meanwhile, and another is created', async () => {
    const stage = new Stage()
    const id = stage.createPreview()
    stage.schedule(5 * second, () => stage.deleteService(id))
    const run = await stage.run(create)
    expect(run.outcome).toMatchObject({ created: true })
    expect(run.lines).toContain(`service ${id} was deleted in the meantime; reading the list again`)
    expect(stage.livePreviews()).toEqual([run.id])
  })

  it('is waited for if it is READY but has no address yet', async () => {
    const { stage, id } = stagePreview()
    stage.onCall('list-services', () =>
      changedList(services => services.map(({ endpoint, ...service }) => service)),
    )
    const run = await stage.run(create)
    expect(run.outcome?.record).toMatchObject({ service_id: id, endpoint: stage.service(id)?.endpoint })
  })

  it('fails if it does not become READY in time, and stays unchanged', async () => {
    const stage = new Stage({ readyAfter: 60 * minute })
    stage.advanceTime(60 * minute)
    const id = stage.createPreview()
    const run = await stage.run(create, { patience: 2 * minute })
    expect(run.error).toBeInstanceOf(WaitError)
    expect(run.error?.message).toContain(`without success for service ${id} to be`)
    expect(stage.livePreviews()).toEqual([id])
    expect(stage.commentStates()).toEqual(['failed'])
    expect(run.took).toBeLessThan(3 * minute)
  })
})

describe('a preview that is paused', () => {
  test.each([
    ['PAUSED', 10 * second],
    ['PAUSING', 100],
  ])('is started once it is (found %s)', async (status, since) => {
    const { stage, id } = stagePreview()
    stage.pause(id, since)
    expect(stage.service(id)?.status).toBe(status)
    const run = await stage.run(create)
    expect(run.idsOf('start-service')).toEqual([id])
    expect(run.outcome).toMatchObject({ ids: { service_id: id }, record: { status: 'READY' } })
    expect(run.outcome).toMatchObject({ created: false, changed: true })
  })

  it('is started even if its first and third reads do not show it as paused', async () => {
    const { stage, id } = stagePreview()
    const before = { ...stage.service(id) }
    stage.pause(id, 10 * second)
    let reads = 0
    // The first read and the third lag.
    stage.onEveryCall('get-service', () =>
      ++reads <= 3 && reads !== 2 ? changedAnswer(() => before) : undefined,
    )
    const run = await stage.run(create, { patience: 2 * minute })
    expect(run.idsOf('start-service')).toEqual([id])
    expect(run.outcome).toMatchObject({ ids: { service_id: id }, record: { status: 'READY' } })
  })

  it.each([400, 409])('may be started by another run that is quicker (%d)', async status => {
    const { stage, id } = stagePreview()
    stage.pause(id, 10 * second)
    stage.onCall('start-service', () => {
      stage.callAsOther('start-service', { service_id: id })
      return refused(status, 'it is being started')
    })
    const run = await stage.run(create)
    expect(run.outcome).toMatchObject({ ids: { service_id: id }, record: { status: 'READY' } })
  })

  it('is not started if another run has started it, even if the list does not show that yet', async () => {
    const { stage, id } = stagePreview({ lag: { kind: 'steady', stale: 'lists', by: 9 * second } })
    stage.pause(id, 30 * second)
    stage.callAsOther('start-service', { service_id: id })
    const run = await stage.run(create)
    expect(run.idsOf('start-service')).toEqual([])
    expect(run.id).toBe(id)
  })

  it('fails if the API refuses to start it', async () => {
    const { stage, id } = stagePreview()
    stage.pause(id, 10 * second)
    stage.onEveryCall('start-service', () => refused(403))
    const run = await stage.run(create)
    expect(run.error?.message).toContain('start-service')
    expect(stage.livePreviews()).toEqual([id])
    expect(stage.commentStates()).toEqual(['failed'])
  })
})

describe('a preview that is being deleted', () => {
  it('is waited for, and then another is created', async () => {
    const { stage, id: old } = stagePreview({ deleteAfter: 40 * second })
    stage.deleteService(old)
    let wasThere: boolean | undefined
    stage.onCall('fork-service', () => {
      wasThere = stage.service(old) !== undefined
      return undefined
    })
    const run = await stage.run(create)
    expect(wasThere).toBe(false)
    expect(run.lines).toContainEqual(expect.stringContaining(`service ${old} `))
    expect(run.outcome).toMatchObject({ created: true })
    expect(stage.livePreviews()).toEqual([run.id])
    expect(run.idsOf('delete-service')).toEqual([])
  })

  it('is not recreated if the pull request is closed by then', async () => {
    const stage = new Stage({ deleteAfter: 40 * second })
    stage.createPreview()
    stage.advanceTime(10 * minute)
    stage.deleteService(stage.livePreviews()[0] as string)
    stage.schedule(20 * second, () => stage.setPullRequest('closed'))
    const run = await stage.run(create)
    expect(run.idsOf('fork-service')).toEqual([])
    expect(run.outcome?.skipped).toBe('pull request 7 is closed')
    expect(stage.commentStates()).toEqual([])
  })
})

describe('a service that an answer reports as gone', () => {
  it('is never published, even if lists still show it READY', async () => {
    const { stage, id: old } = stagePreview({ lag: { kind: 'steady', stale: 'lists', by: 9 * second } })
    stage.deleteService(old)
    stage.advanceTime(6 * second)
    const run = await stage.run(create)
    // The write shows the deletion, unlike the list.
    expect(run.idsOf('update-password')).toEqual([old, run.id])
    expect(run.outcome).toMatchObject({ created: true })
    expect(stage.livePreviews()).toEqual([run.id])
  })

  it('is not waited for once more, even if lists still show it DELETING', async () => {
    const stage = new Stage({
      lag: { kind: 'steady', stale: 'lists', by: 9 * second },
      readyAfter: minute,
      deleteAfter: 40 * second,
    })
    const old = stage.createPreview()
    stage.advanceTime(20 * second)
    stage.schedule(second, () => stage.deleteService(old))
    const run = await stage.run(create)
    expect(
      run.lines.filter(line => line === `service ${old} was deleted in the meantime; reading the list again`),
    ).toHaveLength(1)
    expect(run.outcome).toMatchObject({ created: true })
    expect(stage.livePreviews()).toEqual([run.id])
  })
})

test('a password that cannot be set now is set after the next list', async () => {
  const { stage, id } = stagePreview()
  stage.onCall('update-password', () => refused(409, 'the service is being changed'))
  const run = await stage.run(create)
  expect(run.idsOf('update-password')).toEqual([id, id])
  expect(stage.passwordOf(id)).toBe(run.outcome?.password)
})

test('a connection that breaks on a read is tried again', async () => {
  const { stage, id } = stagePreview()
  stage.onCall('list-services', () => brokenConnection())
  expect((await stage.run(create)).id).toBe(id)
})

it('fails with a clear error if another actor deletes its new database', async () => {
  const stage = new Stage()
  stage.schedule(5 * second, () => stage.deleteService(stage.livePreviews()[0] as string))
  const run = await stage.run(create)
  expect(run.error?.message).toContain('was deleted while it was being created')
  expect(run.idsOf('fork-service')).toHaveLength(1)
  expect(stage.commentStates()).toEqual(['creating', 'failed'])
  expect(stage.comments.at(-1)?.problem).toBe(run.error?.message)
})
