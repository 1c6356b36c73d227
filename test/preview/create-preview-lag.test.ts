/** Tests create-preview with lagging lists. */
import { describe, expect, it } from 'vitest'
import type { Service } from '#api/records'
import { changedAnswer, changedList } from './support/courses.ts'
import { expectBetween, minute, second } from './support/inputs.ts'
import { Stage } from './support/stage.ts'

const create = 'create-preview'
const noTime = 'wait_timeout ended before the check for a duplicate of preview-pr-7-'

describe('before a young preview is published', () => {
  it('lists have had the time to show an older one', async () => {
    const stage = new Stage({ readyAfter: second })
    const run = await stage.run(create)
    expectBetween(run.took, 10 * second, 13 * second)
    expect(run.warnings).toEqual([])
  })

  it('the log names that wait with its length and reason, and the summary and wait_seconds hold it', async () => {
    const stage = new Stage({ readyAfter: second })
    const run = await stage.run(create)
    const [line] = run.lines.filter(text => text.includes('checking for duplicates'))
    expect(line).toMatch(
      /^waiting [89]\.\ds, checking for duplicates of preview-pr-7-\w{8}: the API may list a new service only later$/,
    )
    const { spans = [], waited = 0 } = run.outcome?.timeline ?? {}
    expect(spans.filter(({ isWait }) => isWait).map(({ name }) => name)).toEqual([
      `waiting for service ${run.id} to be ready`,
      'checking for duplicates',
    ])
    expect(waited).toBeGreaterThan(9 * second)
    expect(waited).toBeLessThanOrEqual(run.took)
  })

  it('one that is found READY is waited for too, counted from its creation', async () => {
    const stage = new Stage({ readyAfter: second })
    const id = stage.createPreview()
    stage.advanceTime(4 * second)
    const run = await stage.run(create)
    expect(run.id).toBe(id)
    expectBetween(run.took, 6 * second, 8 * second)
  })

  it.each([
    ['has no date', { kind: 'missing' } as const],
    ['is dated in the future, by a clock of its own', { kind: 'apart', by: minute } as const],
  ])('one that %s is waited for from when it was found', async (_, dating) => {
    const stage = new Stage({ readyAfter: second, dating })
    const id = stage.createPreview()
    stage.advanceTime(4 * second)
    const run = await stage.run(create)
    expect(run.id).toBe(id)
    expectBetween(run.took, 10 * second, 12 * second)
  })

  it("the run's own counts from its creation by the run, since the clock of `created` may be wrong", async () => {
    const stage = new Stage({ readyAfter: second, dating: { kind: 'apart', by: -minute } })
    expect((await stage.run(create)).took).toBeGreaterThanOrEqual(10 * second)
  })

  it('an older one is published at once, even if it has to be started', async () => {
    const stage = new Stage({ readyAfter: second })
    const id = stage.createPreview()
    stage.advanceTime(11 * second)
    const ready = await stage.run(create)
    expect(ready.id).toBe(id)
    expect(ready.took).toBeLessThan(2 * second)
    stage.pause(id, minute)
    const started = await stage.run(create)
    expect(started.id).toBe(id)
    expect(started.took).toBeLessThan(4 * second)
  })

  it('the run waits as long as list_lag', async () => {
    const stage = new Stage({ readyAfter: second })
    const run = await stage.run(create, { settings: { listLag: 40 * second } })
    expectBetween(run.took, 40 * second, 43 * second)
  })

  it('the time in which it becomes READY is part of that wait', async () => {
    const stage = new Stage({ readyAfter: 30 * second })
    const run = await stage.run(create)
    expect(run.took).toBeLessThan(33 * second)
  })

  it('the wait ends at the deadline, with a warning', async () => {
    const stage = new Stage({ readyAfter: second })
    const run = await stage.run(create, { patience: 6 * second })
    expect(run.outcome?.created).toBe(true)
    expect(run.warnings).toEqual([expect.stringContaining(noTime)])
    expect(run.took).toBeLessThan(8 * second)
  })
})

describe("before the run's own is published", () => {
  const listed = (upTo: number) =>
    new Stage({ readyAfter: second, lag: { kind: 'records', upTo: { listed: upTo } } })

  it('a list has shown it, and so every older one', async () => {
    const stage = listed(25 * second)
    const run = await stage.run(create)
    expect(stage.livePreviews()).toEqual([run.id])
    expectBetween(run.took, 25 * second, 30 * second)
    expect(run.warnings).toEqual([])
  })

  it('the wait ends at the deadline, with a warning', async () => {
    const stage = listed(50 * second)
    const run = await stage.run(create, { patience: 30 * second })
    expect(run.outcome?.created).toBe(true)
    expect(run.warnings).toEqual([expect.stringContaining(noTime)])
    expect(run.took).toBeLessThan(33 * second)
  })

  it('one that no list shows for a minute counts as deleted', async () => {
    const stage = listed(10 * minute)
    const run = await stage.run(create)
    expect(run.error?.message).toContain('was deleted while it was being created')
    expectBetween(run.took, minute, 100 * second)
    expect(run.idsOf('fork-service')).toHaveLength(1)
  })

  it('it is found by its id before any list shows it', async () => {
    const stage = new Stage({
      readyAfter: second,
      lag: { kind: 'records', upTo: { listed: 9 * second, found: 9 * second } },
    })
    const run = await stage.run(create)
    expect(stage.livePreviews()).toEqual([run.id])
    expect(run.idsOf('fork-service')).toHaveLength(1)
  })
})

describe('if empty: true meets a young preview of another run whose record names its parent late', () => {
  /** A fork one minute old. No answer names its parent in the first 20 seconds. */
  function lateParent(stage = new Stage(), id = stage.createPreview()) {
    stage.advanceTime(minute)
    const until = stage.world.time.now + 20 * second
    const isLate = () => stage.world.time.now < until
    const nameless = ({ forked_from: _, ...service }: Service) => service
    const without = (record: object) => ({ ...record, forked_from: undefined })
    stage.onEveryCall('get-service', () => (isLate() ? changedAnswer(without) : undefined))
    stage.onEveryCall('list-services', () =>
      isLate() ? changedList(services => services.map(nameless)) : undefined,
    )
    const run = (quarantine: boolean | 'strict' = true) =>
      stage.run(create, { given: {}, settings: { waitForConnection: false, quarantine } })
    return { stage, id, run }
  }

  it('quarantines the fork before it publishes it', async () => {
    const { stage, id, run } = lateParent()
    const { outcome } = await run()
    expect(outcome?.ids.service_id).toBe(id)
    expect(outcome?.data).toContain(`fork of ${stage.parent}`)
    expect(stage.world.held(id).quarantinedAt).toBeDefined()
  })

  it('quarantines a fork that another run noted without a quarantine', async () => {
    const stage = new Stage({ readyAfter: second })
    const first = await stage.run(create, { settings: { quarantine: false } })
    const id = first.id
    expect(stage.world.held(id).quarantinedAt).toBeUndefined()
    await lateParent(stage, id).run()
    expect(stage.world.held(id).quarantinedAt).toBeDefined()
  })

  it('reports an unreachable fork as not quarantined', async () => {
    const { stage, id, run } = lateParent()
    stage.onEveryCall('openContents', () => new Error('connect ECONNREFUSED'))
    expect((await run()).warnings).toContainEqual(expect.stringContaining(`service ${id} is not quarantined`))
  })

  it('refuses an unreachable fork with quarantine: strict', async () => {
    const { stage, id, run } = lateParent()
    stage.onEveryCall('openContents', () => new Error('connect ECONNREFUSED'))
    const { error, outcome } = await run('strict')
    expect(error?.message).toContain(`service ${id} is not quarantined`)
    expect(outcome).toBeUndefined()
  })

  it('does not wait for a parent if a note shows an empty preview', async () => {
    const stage = new Stage({ readyAfter: second })
    const [first, later] = [await stage.run(create, { given: {} }), await stage.run(create, { given: {} })]
    expect(later.id).toBe(first.id)
    expect(later.idsOf('get-service')).toEqual([])
  })

  it('does not wait for a parent without quarantine', async () => {
    const { stage, run } = lateParent()
    expect((await run(false)).idsOf('openContents')).toHaveLength(1)
    expect(stage.livePreviews()).toHaveLength(1)
  })
})
