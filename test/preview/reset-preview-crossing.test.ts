/** Tests resets that are killed or run beside others. */
import { describe, expect, it, test } from 'vitest'
import { thoroughness } from '../support/thoroughness.ts'
import { changedAnswer, changedList } from './support/courses.ts'
import { eventOf, minute, second } from './support/inputs.ts'
import { type RunReport, Stage, stagePreview } from './support/stage.ts'

const reset = 'reset-preview'
const isNot = (id: string | undefined) => (service: { service_id?: unknown }) => service.service_id !== id

describe('a reset that is killed', () => {
  /**
   * Before a request is processed, and before its answer arrives. The nightly run repairs each with both operations,
   * any other run with one of them.
   */
  const moments = [0, 70]

  it('leaves at most one database at any request, and the next run leaves exactly one', async () => {
    const whole = stagePreview()
    const { calls } = await whole.stage.run(reset)
    expect(calls.length).toBeGreaterThan(8)
    // The reset is complete with the last question, the comment.
    for (const [index] of calls.slice(0, -1).entries()) {
      for (const [moment, after] of moments.entries()) {
        const isEven = (index + moment) % 2 === 0
        const operations = thoroughness > 1 ? [reset, 'create-preview'] : [isEven ? reset : 'create-preview']
        for (const repair of operations) {
          const { stage, id: old } = stagePreview()
          const run = await stage.run(reset, { killed: { call: index + 1, after } })
          expect(run.outcome ?? run.error, `killed at ${index + 1}`).toBeUndefined()
          stage.advanceTime(minute)
          const left = stage.livePreviews()
          expect(left.length, `after ${calls[index]?.name}`).toBeLessThanOrEqual(1)
          const next = await stage.run(repair)
          expect(next.error).toBeUndefined()
          expect(stage.livePreviews()).toEqual([next.id])
          expect(stage.service(next.id)?.status).toBe('READY')
          if (repair === reset) expect(next.id).not.toBe(old)
          else if (left.length === 1) expect(next.id).toBe(left[0])
          expect([stage.parent, stage.other].map(id => stage.service(id)?.status)).toEqual(['READY', 'READY'])
        }
      }
    }
  })
})

describe('beside other runs, a reset', () => {
  const lags = [
    ['lists and reads agree', { kind: 'none' }],
    ['lists are behind', { kind: 'steady', stale: 'lists', by: 9 * second }],
    ['lists and records are behind', { kind: 'steady', stale: 'both', by: 9 * second }],
  ] as const
  const starts = [0, 100, 1000, 6 * second, 30 * second]

  test.each(lags)('with create-preview leaves one fresh database if %s', async (_, lag) => {
    for (const start of starts) {
      for (const resetFirst of [true, false]) {
        const { stage, id: old } = stagePreview({ lag })
        const [first, second] = resetFirst ? [reset, 'create-preview'] : ['create-preview', reset]
        const runs = await Promise.all([stage.run(first as string), stage.run(second as string, { start })])
        const alive = stage.livePreviews()
        expect(alive, `${start}`).toHaveLength(1)
        expect(alive).not.toContain(old)
        const resetting = runs.find(({ outcome }) => outcome?.operation === reset)
        expect(resetting?.id).toBe(alive[0])
        // Another run publishes the old database, which existed then, or the new one.
        const other = runs.find(run => run !== resetting) as RunReport
        expect(other.error).toBeUndefined()
        expect([old, alive[0]]).toContain(other.id)
      }
    }
  })

  test.each(lags)('with delete-preview leaves no database if %s', async (_, lag) => {
    for (const start of starts) {
      const { stage } = stagePreview({ lag })
      stage.schedule(start, () => stage.setPullRequest('closed'))
      const event = eventOf('closed')
      const [run, closing] = await Promise.all([
        stage.run(reset),
        stage.run('delete-preview', { start, event, given: { service_id: stage.parent } }),
      ])
      expect(closing.error).toBeUndefined()
      expect(run.error).toBeUndefined()
      expect(stage.livePreviews(), `${start}`).toEqual([])
    }
  })

  test.each(lags)('with another reset leaves one fresh database if %s', async (_, lag) => {
    for (const start of starts) {
      const { stage, id: old } = stagePreview({ lag })
      const runs = await Promise.all([stage.run(reset), stage.run(reset, { start })])
      const alive = stage.livePreviews()
      expect(alive, `${start}`).toHaveLength(1)
      expect(alive).not.toContain(old)
      expect(runs.map(({ error }) => error)).toEqual([undefined, undefined])
      expect(runs.map(({ id }) => id)).toContain(alive[0])
    }
  })

  it('publishes the database of a later reset that deleted its own, which is as fresh', async () => {
    const { stage, id: old } = stagePreview({ readyAfter: minute, deleteAfter: 3 * minute })
    const runs = await Promise.all([stage.run(reset), stage.run(reset, { start: 200 * second })])
    const alive = stage.livePreviews()
    expect(runs.map(({ id }) => id)).toEqual([alive[0], alive[0]])
    const [first] = runs as [RunReport, RunReport]
    expect(first.idsOf('fork-service')).toHaveLength(1)
    expect(stage.deletedServices()).toHaveLength(2)
    expect(first.outcome).toMatchObject({ created: false, deletedIds: [old] })
    expect(first.outcome?.password).toBe(stage.passwordOf(alive[0]))
    expect(first.lines).toContainEqual(
      expect.stringContaining('which this run created, was deleted by another run'),
    )
    expect(first.warnings.join()).not.toContain('its data is gone')
  })

  it('waits for the database that replaces its own, even if lists do not show the deletion yet', async () => {
    const stage = new Stage({ readyAfter: second, deleteAfter: 3 * minute })
    // The answer is lost: within a minute, another run deletes the database.
    stage.onCall('update-password', () => ({ kind: 'timeout', end: 'answer' }))
    stage.schedule(30 * second, () => {
      const [own] = stage.livePreviews()
      stage.deleteService(own as string)
      stage.onEveryCall('list-services', () => changedList(services => services.filter(isNot(own))))
      stage.schedule(4 * minute, () => stage.createPreview())
    })
    const run = await stage.run('create-preview')
    expect(run.error).toBeUndefined()
    expect(stage.livePreviews()).toEqual([run.id])
    expect(run.idsOf('fork-service')).toHaveLength(1)
  })

  it('waits for it even if reads show the old record of its own for some time', async () => {
    const stage = new Stage({ readyAfter: second, deleteAfter: 3 * minute })
    stage.onCall('update-password', () => ({ kind: 'timeout', end: 'answer' }))
    stage.schedule(30 * second, () => {
      const [own] = stage.livePreviews()
      stage.onEveryCall('list-services', () => changedList(services => services.filter(isNot(own))))
      const asItWas = changedAnswer(record => ({ ...record, status: 'READY' }))
      let isBehind = true
      stage.onEveryCall('get-service', ({ id }) => (isBehind && id === own ? asItWas : undefined))
      stage.deleteService(own as string)
      stage.schedule(45 * second, () => {
        isBehind = false
      })
      stage.schedule(4 * minute, () => stage.createPreview())
    })
    const run = await stage.run('create-preview')
    expect(run.error).toBeUndefined()
    expect(stage.livePreviews()).toEqual([run.id])
  })

  it.each([
    [
      'and no other is created, ends with the next instruction',
      undefined,
      'was deleted while it was being created',
    ],
    ['because its pull request was closed, reports that', 'closed' as const, undefined],
  ])('whose new database is deleted %s', async (_, state, message) => {
    const { stage } = stagePreview()
    stage.onCall('fork-service', () => {
      stage.schedule(5 * second, () => {
        if (state) stage.setPullRequest(state)
        for (const id of stage.livePreviews()) stage.deleteService(id)
      })
      return undefined
    })
    const run = await stage.run(reset)
    if (message !== undefined) expect(run.error?.message).toContain(message)
    else expect(run.outcome?.skipped).toBe('pull request 7 is closed')
    expect(stage.livePreviews()).toEqual([])
    expect(run.took).toBeLessThan(state ? 40 * second : 3 * minute)
  })
})
