/** Tests create-preview with several databases of one pull request. */
import { describe, expect, it, test } from 'vitest'
import { changedAnswer, changedList, refused } from './support/courses.ts'
import { minute, second } from './support/inputs.ts'
import { Stage, stagePreview } from './support/stage.ts'

const create = 'create-preview'

describe('of several databases of a pull request', () => {
  it('the oldest is kept under any name, and all others are deleted', async () => {
    const stage = new Stage()
    const oldest = stage.createPreview({ random: 'zzzzzz' })
    stage.advanceTime(second)
    const duplicates = [stage.createPreview({ random: 'aaaaaa' }), stage.createPreview({ random: 'bbbbbb' })]
    stage.advanceTime(10 * minute)
    const run = await stage.run(create)
    expect(run.outcome).toMatchObject({ ids: { service_id: oldest }, created: false })
    expect(stage.livePreviews()).toEqual([oldest])
    expect(stage.deletedServices()).toEqual(duplicates)
    expect(run.idsOf('fork-service')).toEqual([])
    // The run does not wait for the deletion of a duplicate.
    expect(run.took).toBeLessThan(5 * second)
  })

  it('those without a date are the youngest', async () => {
    const stage = new Stage()
    const undated = stage.createPreview({ random: 'aaaaaa' })
    stage.advanceTime(second)
    const dated = stage.createPreview({ random: 'bbbbbb' })
    stage.advanceTime(10 * minute)
    stage.onEveryCall('list-services', () =>
      changedList(services =>
        services.map(({ created, ...service }) =>
          service.service_id === undated ? service : { ...service, created },
        ),
      ),
    )
    expect((await stage.run(create)).id).toBe(dated)
    expect(stage.livePreviews()).toEqual([dated])
  })

  it('a duplicate is kept if its list is old, since the kept one may be gone', async () => {
    const stage = new Stage()
    const kept = stage.createPreview({ random: 'aaaaaa' })
    stage.advanceTime(second)
    const duplicate = stage.createPreview({ random: 'bbbbbb' })
    stage.advanceTime(10 * minute)
    let isSlow = true
    stage.onEveryCall('get-service', ({ id }) => {
      if (id !== duplicate || !isSlow) return undefined
      isSlow = false
      stage.schedule(5 * second, () => stage.deleteService(kept))
      return { kind: 'timeout', end: 'answer' }
    })
    expect((await stage.run(create)).id).toBe(duplicate)
    expect(stage.livePreviews()).toEqual([duplicate])
  })

  it('a duplicate is published if another run has deleted the kept one, even if lists do not show that yet', async () => {
    const stage = new Stage({ lag: { kind: 'steady', stale: 'lists', by: 9 * second } })
    const kept = stage.createPreview({ random: 'aaaaaa' })
    stage.advanceTime(second)
    const duplicate = stage.createPreview({ random: 'bbbbbb' })
    stage.advanceTime(10 * minute)
    let lists = 0
    stage.onEveryCall('list-services', () => {
      lists += 1
      if (lists === 2) stage.deleteService(kept)
      return undefined
    })
    expect((await stage.run(create)).id).toBe(duplicate)
    expect(stage.livePreviews()).toEqual([duplicate])
  })

  it('the oldest is kept although one read misses it, since lists show it', async () => {
    const stage = new Stage()
    const kept = stage.createPreview({ random: 'aaaaaa' })
    stage.advanceTime(second)
    stage.createPreview({ random: 'bbbbbb' })
    stage.advanceTime(10 * minute)
    let misses = 0
    stage.onEveryCall('get-service', ({ id }) => (id === kept && misses++ === 0 ? refused(404) : undefined))
    expect((await stage.run(create)).id).toBe(kept)
    expect(misses).toBeGreaterThan(1)
    expect(stage.livePreviews()).toEqual([kept])
  })

  it('a duplicate whose deletion is refused fails the run, and both databases stay', async () => {
    const stage = new Stage()
    const both = [stage.createPreview({ random: 'aaaaaa' }), stage.createPreview({ random: 'bbbbbb' })]
    stage.advanceTime(10 * minute)
    stage.onEveryCall('delete-service', () => refused(403))
    const run = await stage.run(create)
    expect(run.error?.message).toContain('delete-service')
    expect(stage.livePreviews()).toEqual(both)
  })
})

describe('a run that creates a database, and then finds an older one', () => {
  it('recognizes its own by the name, though its record never names a parent', async () => {
    const stage = new Stage({ lag: { kind: 'records', upTo: { listed: 9 * second } }, readyAfter: second })
    const older = stage.createPreview()
    stage.onEveryCall('get-service', ({ id }) =>
      id === older ? undefined : changedAnswer(({ forked_from, ...service }) => service),
    )
    const run = await stage.run(create)
    expect(run.error).toBeUndefined()
    expect(stage.livePreviews()).toEqual([older])
    expect(run.took).toBeLessThan(30 * second)
  })

  it('counts its own by its age, though no list shows it yet', async () => {
    const stage = new Stage({ readyAfter: second })
    const isLate = () => stage.world.time.now < shown
    let shown = 0
    let own = ''
    stage.onCall('fork-service', ({ body }) => {
      shown = stage.world.time.now + 8 * second
      own = body.name as string
      // After the fork is processed, before the next list is.
      stage.schedule(100, () => void stage.createPreview({ random: 'aaaaaa' }))
      return undefined
    })
    stage.onEveryCall('list-services', () =>
      isLate() ? changedList(services => services.filter(({ name }) => name !== own)) : undefined,
    )
    const run = await stage.run(create)
    expect(stage.service(run.id)?.name).toBe(own)
    expect(stage.livePreviews()).toEqual([run.id])
    // The younger database, the only one in the list, was not changed.
    expect(run.idsOf('update-password')).toEqual([run.id])
  })

  it('keeps its own and fails if the older one has another owner', async () => {
    const stage = new Stage({
      lag: { kind: 'records', upTo: { listed: 9 * second } },
      readyAfter: second,
    })
    const older = stage.createPreview({ environment: 'PROD' })
    const run = await stage.run(create)
    expect(run.error?.message).toMatch(
      new RegExp(`service ${older} has the name of the preview .*, but it is tagged PROD: it is not changed`),
    )
    expect(stage.deletedServices()).toEqual([])
    expect(run.idsOf('update-password')).not.toContain(older)
  })
})

describe('runs at the same time', () => {
  test.each([
    ['two', 2, { kind: 'none' }],
    ['three', 3, { kind: 'none' }],
    ['two, if lists lag', 2, { kind: 'steady', stale: 'lists', by: 9 * second }],
    ['three, if lists and records lag', 3, { kind: 'steady', stale: 'both', by: 9 * second }],
  ] as const)('%s give the same database, the only one', async (_, count, lag) => {
    const stage = new Stage({ lag, readyAfter: second })
    const runs = await Promise.all(Array.from({ length: count }, () => stage.run(create)))
    const alive = stage.livePreviews()
    expect(alive).toHaveLength(1)
    for (const run of runs) {
      expect(run.error).toBeUndefined()
      expect(run.id).toBe(alive[0])
      expect(run.outcome?.password).toBe(stage.passwordOf(alive[0]))
    }
    expect(runs.filter(({ outcome }) => outcome?.created)).toHaveLength(1)
  })
})

it('gives up if other runs change it again and again', async () => {
  const { stage, id: first } = stagePreview({ readyAfter: second }, { random: 'aaaaa0' })
  let count = 0
  const touched = new Set([first])
  stage.onEveryCall('update-password', ({ id }) => {
    stage.deleteService(id)
    touched.add(stage.createPreview({ random: `bbbb${10 + count++}` }))
    return refused(404)
  })
  const run = await stage.run(create)
  expect(run.error?.message).toContain('after 12 attempts: other runs keep changing it')
  expect(run.error?.next).toContain('use `concurrency` in the workflow')
  expect(new Set(run.idsOf('update-password')).size).toBe(12)
  // Pauses begin with the third round: 1, 2, 3, 4 and then 5 s each.
  expect(run.took).toBeGreaterThan(40 * second)
  expect(stage.comments.at(-1)?.state).toBe('failed')
})
