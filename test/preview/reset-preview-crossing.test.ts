/** Tests resets that are killed or run beside others. */
import { describe, expect, it, test } from 'vitest'
import { thoroughness } from '../support/thoroughness.ts'
import { changed, changedList } from './support/courses.ts'
import { eventOf, minute, second } from './support/inputs.ts'
import { begin, type RunReport, Stage } from './support/stage.ts'

const reset = 'reset-preview'
const isNot = (id: string | undefined) => (service: { service_id?: unknown }) => service.service_id !== id

describe('a reset that is killed', () => {
  /**
   * Before a request is processed, and before its answer arrives. The nightly run repairs each with both operations,
   * any other run with one of them.
   */
  const moments = [0, 70]

  it('leaves at most one database at any request, and the next run leaves exactly one', async () => {
    const whole = begin()
    const { asked } = await whole.stage.run(reset)
    expect(asked.length).toBeGreaterThan(8)
    // The reset is complete with the last question, the comment.
    for (const [index] of asked.slice(0, -1).entries()) {
      for (const [moment, after] of moments.entries()) {
        const isEven = (index + moment) % 2 === 0
        const operations = thoroughness > 1 ? [reset, 'create-preview'] : [isEven ? reset : 'create-preview']
        for (const repair of operations) {
          const { stage, id: old } = begin()
          const run = await stage.run(reset, { killed: { question: index + 1, after } })
          expect(run.outcome ?? run.error, `killed at ${index + 1}`).toBeUndefined()
          stage.pass(minute)
          const left = stage.alive()
          expect(left.length, `after ${asked[index]?.what}`).toBeLessThanOrEqual(1)
          const next = await stage.run(repair)
          expect(next.error).toBeUndefined()
          expect(stage.alive()).toEqual([next.id])
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
        const { stage, id: old } = begin({ lag })
        const [first, second] = resetFirst ? [reset, 'create-preview'] : ['create-preview', reset]
        const runs = await Promise.all([stage.run(first as string), stage.run(second as string, { start })])
        const alive = stage.alive()
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
      const { stage } = begin({ lag })
      stage.at(start, () => stage.setPullRequest('closed'))
      const event = eventOf('closed')
      const [run, closing] = await Promise.all([
        stage.run(reset),
        stage.run('delete-preview', { start, event, given: { service_id: stage.parent } }),
      ])
      expect(closing.error).toBeUndefined()
      expect(run.error).toBeUndefined()
      expect(stage.alive(), `${start}`).toEqual([])
    }
  })

  test.each(lags)('with another reset leaves one fresh database if %s', async (_, lag) => {
    for (const start of starts) {
      const { stage, id: old } = begin({ lag })
      const runs = await Promise.all([stage.run(reset), stage.run(reset, { start })])
      const alive = stage.alive()
      expect(alive, `${start}`).toHaveLength(1)
      expect(alive).not.toContain(old)
      expect(runs.map(({ error }) => error)).toEqual([undefined, undefined])
      expect(runs.map(({ id }) => id)).toContain(alive[0])
    }
  })

  it('publishes the database of a later reset that deleted its own, which is as fresh', async () => {
    const { stage, id: old } = begin({ readyAfter: minute, deleteAfter: 3 * minute })
    const runs = await Promise.all([stage.run(reset), stage.run(reset, { start: 200 * second })])
    const alive = stage.alive()
    expect(runs.map(({ id }) => id)).toEqual([alive[0], alive[0]])
    const [first] = runs as [RunReport, RunReport]
    expect(first.of('fork-service')).toHaveLength(1)
    expect(stage.deleted()).toHaveLength(2)
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
    stage.when('update-password', () => ({ kind: 'timeout', end: 'answer' }))
    stage.at(30 * second, () => {
      const [own] = stage.alive()
      stage.remove(own as string)
      stage.whenever('list-services', () => changedList(services => services.filter(isNot(own))))
      stage.at(4 * minute, () => stage.preview())
    })
    const run = await stage.run('create-preview')
    expect(run.error).toBeUndefined()
    expect(stage.alive()).toEqual([run.id])
    expect(run.of('fork-service')).toHaveLength(1)
  })

  it('waits for it even if reads show the old record of its own for some time', async () => {
    const stage = new Stage({ readyAfter: second, deleteAfter: 3 * minute })
    stage.when('update-password', () => ({ kind: 'timeout', end: 'answer' }))
    stage.at(30 * second, () => {
      const [own] = stage.alive()
      stage.whenever('list-services', () => changedList(services => services.filter(isNot(own))))
      const asItWas = changed(record => ({ ...record, status: 'READY' }))
      let isBehind = true
      stage.whenever('get-service', ({ id }) => (isBehind && id === own ? asItWas : undefined))
      stage.remove(own as string)
      stage.at(45 * second, () => {
        isBehind = false
      })
      stage.at(4 * minute, () => stage.preview())
    })
    const run = await stage.run('create-preview')
    expect(run.error).toBeUndefined()
    expect(stage.alive()).toEqual([run.id])
  })

  it.each([
    [
      'and no other is created, ends with the next instruction',
      undefined,
      'was deleted while it was being created',
    ],
    ['because its pull request was closed, reports that', 'closed' as const, undefined],
  ])('whose new database is deleted %s', async (_, state, message) => {
    const { stage } = begin()
    stage.when('fork-service', () => {
      stage.at(5 * second, () => {
        if (state) stage.setPullRequest(state)
        for (const id of stage.alive()) stage.remove(id)
      })
      return undefined
    })
    const run = await stage.run(reset)
    if (message !== undefined) expect(run.error?.message).toContain(message)
    else expect(run.outcome?.skipped).toBe('pull request 7 is closed')
    expect(stage.alive()).toEqual([])
    expect(run.took).toBeLessThan(state ? 40 * second : 3 * minute)
  })
})
