/** Tests create-preview with several databases of one pull request. */
import { describe, expect, it, test } from 'vitest'
import { changed, changedList, refused } from './support/courses.ts'
import { minute, second } from './support/inputs.ts'
import { begin, Stage } from './support/stage.ts'

const create = 'create-preview'

describe('of several databases of a pull request', () => {
  it('the oldest is kept under any name, and all others are deleted', async () => {
    const stage = new Stage()
    const oldest = stage.preview({ random: 'zzzzzz' })
    stage.pass(second)
    const duplicates = [stage.preview({ random: 'aaaaaa' }), stage.preview({ random: 'bbbbbb' })]
    stage.pass(10 * minute)
    const run = await stage.run(create)
    expect(run.outcome).toMatchObject({ ids: { service_id: oldest }, created: false })
    expect(stage.alive()).toEqual([oldest])
    expect(stage.deleted()).toEqual(duplicates)
    expect(run.of('fork-service')).toEqual([])
    // The run does not wait for the deletion of a duplicate.
    expect(run.took).toBeLessThan(5 * second)
  })

  it('those without a date are the youngest', async () => {
    const stage = new Stage()
    const undated = stage.preview({ random: 'aaaaaa' })
    stage.pass(second)
    const dated = stage.preview({ random: 'bbbbbb' })
    stage.pass(10 * minute)
    stage.whenever('list-services', () =>
      changedList(services =>
        services.map(({ created, ...service }) =>
          service.service_id === undated ? service : { ...service, created },
        ),
      ),
    )
    expect((await stage.run(create)).id).toBe(dated)
    expect(stage.alive()).toEqual([dated])
  })

  it('one that is being deleted is neither kept nor deleted again', async () => {
    const stage = new Stage({ deleteAfter: minute })
    const ending = stage.preview({ random: 'aaaaaa' })
    const kept = stage.preview({ random: 'bbbbbb' })
    stage.pass(10 * minute)
    stage.remove(ending)
    const run = await stage.run(create)
    expect(run.id).toBe(kept)
    expect(run.of('delete-service')).toEqual([])
    expect(run.took).toBeLessThan(5 * second)
  })

  it('a duplicate is kept if its list is old, since the kept one may be gone', async () => {
    const stage = new Stage()
    const kept = stage.preview({ random: 'aaaaaa' })
    stage.pass(second)
    const duplicate = stage.preview({ random: 'bbbbbb' })
    stage.pass(10 * minute)
    let isSlow = true
    stage.whenever('get-service', ({ id }) => {
      if (id !== duplicate || !isSlow) return undefined
      isSlow = false
      stage.at(5 * second, () => stage.remove(kept))
      return { kind: 'timeout', end: 'answer' }
    })
    expect((await stage.run(create)).id).toBe(duplicate)
    expect(stage.alive()).toEqual([duplicate])
  })

  it('a duplicate is published if another run has deleted the kept one, even if lists do not show that yet', async () => {
    const stage = new Stage({ lag: { kind: 'steady', stale: 'lists', by: 9 * second } })
    const kept = stage.preview({ random: 'aaaaaa' })
    stage.pass(second)
    const duplicate = stage.preview({ random: 'bbbbbb' })
    stage.pass(10 * minute)
    let lists = 0
    stage.whenever('list-services', () => {
      lists += 1
      if (lists === 2) stage.remove(kept)
      return undefined
    })
    expect((await stage.run(create)).id).toBe(duplicate)
    expect(stage.alive()).toEqual([duplicate])
  })

  it('the oldest is kept although one read misses it, since lists show it', async () => {
    const stage = new Stage()
    const kept = stage.preview({ random: 'aaaaaa' })
    stage.pass(second)
    stage.preview({ random: 'bbbbbb' })
    stage.pass(10 * minute)
    let misses = 0
    stage.whenever('get-service', ({ id }) => (id === kept && misses++ === 0 ? refused(404) : undefined))
    expect((await stage.run(create)).id).toBe(kept)
    expect(misses).toBeGreaterThan(1)
    expect(stage.alive()).toEqual([kept])
  })

  it('a duplicate whose deletion is refused fails the run, and both databases stay', async () => {
    const stage = new Stage()
    const both = [stage.preview({ random: 'aaaaaa' }), stage.preview({ random: 'bbbbbb' })]
    stage.pass(10 * minute)
    stage.whenever('delete-service', () => refused(403))
    const run = await stage.run(create)
    expect(run.error?.message).toContain('delete-service')
    expect(stage.alive()).toEqual(both)
  })
})

describe('a run that creates a database, and then finds an older one', () => {
  it('deletes its own and publishes the older one', async () => {
    const stage = new Stage({ lag: { kind: 'records', upTo: { listed: 9 * second } }, readyAfter: second })
    const older = stage.preview()
    const run = await stage.run(create)
    expect(run.of('fork-service')).toHaveLength(1)
    expect(stage.deleted()).toEqual([run.notes.created?.ids.service_id])
    expect(stage.alive()).toEqual([older])
    expect(run.outcome).toMatchObject({ ids: { service_id: older }, created: false })
    // The published password opens the published database.
    expect(stage.passwordOf(older)).toBe(run.outcome?.password)
  })

  it('recognizes its own by the name, though its record never names a parent', async () => {
    const stage = new Stage({ lag: { kind: 'records', upTo: { listed: 9 * second } }, readyAfter: second })
    const older = stage.preview()
    stage.whenever('get-service', ({ id }) =>
      id === older ? undefined : changed(({ forked_from, ...service }) => service),
    )
    const run = await stage.run(create)
    expect(run.error).toBeUndefined()
    expect(stage.alive()).toEqual([older])
    expect(run.took).toBeLessThan(30 * second)
  })

  it('counts its own by its age, though no list shows it yet', async () => {
    const stage = new Stage({ readyAfter: second })
    const isLate = () => stage.world.time.now < shown
    let shown = 0
    let own = ''
    stage.when('fork-service', ({ body }) => {
      shown = stage.world.time.now + 8 * second
      own = body.name as string
      // After the fork is processed, before the next list is.
      stage.at(100, () => void stage.preview({ random: 'aaaaaa' }))
      return undefined
    })
    stage.whenever('list-services', () =>
      isLate() ? changedList(services => services.filter(({ name }) => name !== own)) : undefined,
    )
    const run = await stage.run(create)
    expect(stage.service(run.id)?.name).toBe(own)
    expect(stage.alive()).toEqual([run.id])
    // The younger database, the only one in the list, was not changed.
    expect(run.of('update-password')).toEqual([run.id])
  })

  it('keeps its own and fails if the older one has another owner', async () => {
    const stage = new Stage({
      lag: { kind: 'records', upTo: { listed: 9 * second } },
      readyAfter: second,
    })
    const older = stage.preview({ environment: 'PROD' })
    const run = await stage.run(create)
    expect(run.error?.message).toMatch(
      new RegExp(`service ${older} has the name of the preview .*, but it is tagged PROD: it is not changed`),
    )
    expect(stage.deleted()).toEqual([])
    expect(run.of('update-password')).not.toContain(older)
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
    const alive = stage.alive()
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
  const { stage, id: first } = begin({ readyAfter: second }, { random: 'aaaaa0' })
  let count = 0
  const touched = new Set([first])
  stage.whenever('update-password', ({ id }) => {
    stage.remove(id)
    touched.add(stage.preview({ random: `bbbb${10 + count++}` }))
    return refused(404)
  })
  const run = await stage.run(create)
  expect(run.error?.message).toContain('after 12 attempts: other runs keep changing it')
  expect(run.error?.next).toContain('use `concurrency` in the workflow')
  expect(new Set(run.of('update-password')).size).toBe(12)
  // Pauses begin with the third round: 1, 2, 3, 4 and then 5 s each.
  expect(run.took).toBeGreaterThan(40 * second)
  expect(stage.comments.at(-1)?.state).toBe('failed')
})
