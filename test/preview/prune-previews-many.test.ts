/** Tests prune with many previews. */
import { describe, expect, it } from 'vitest'
import { refused } from './support/courses.ts'
import { decisionsOf } from './support/decisions.ts'
import { minute, scheduleEvent, second } from './support/inputs.ts'
import { type RunOptions, Stage } from './support/stage.ts'

const hour = 60 * minute
const atOnce = 12
/** The questions with a latency; a comment is written at once. */
const questions = ['get-service', 'delete-service', 'list-services', 'readPullRequest']
/** The shortest latency, in milliseconds. */
const leastLatency = 100

/** As many previews of closed pull requests, and a run that deletes them all. */
function scene(count: number, deleteAfter = 0) {
  const stage = new Stage({ deleteAfter })
  const numbers = Array.from({ length: count }, (_, index) => 101 + index)
  for (const number of numbers) {
    stage.setPullRequest('open', number)
    stage.createPreview({ number })
    stage.setPullRequest('closed', number)
  }
  stage.advanceTime(hour)
  const starts: { what: string; at: number }[] = []
  for (const what of questions)
    stage.onEveryCall(what, () => void starts.push({ what, at: stage.world.time.now }) as undefined)
  const run = (settings: RunOptions['settings'] = {}) =>
    stage.run('prune-previews', {
      event: scheduleEvent,
      settings,
      given: { service_id: stage.parent },
      preview: { maxDeletions: 1000 },
    })
  return { stage, run, starts }
}

describe('prune of many previews', () => {
  it('checks most services only once after their deletion, because all are deleted before the first wait', async () => {
    const { run } = scene(96, 20 * second)
    const { outcome, idsOf } = await run()
    expect(outcome?.deletedIds).toHaveLength(96)
    // The record right before its deletion, the 404 after it, and the checks of the first waits.
    expect(idsOf('get-service').length).toBeLessThanOrEqual(2 * 96 + 20 * atOnce)
    expect(idsOf('delete-service')).toHaveLength(96)
    expect(idsOf('list-services')).toHaveLength(1 + 96)
    expect(idsOf('writeComment')).toHaveLength(96)
  })

  it('lists the pull requests of many previews, since a token has a thousand requests an hour', async () => {
    const { run } = scene(150)
    const { outcome, idsOf, lines } = await run()
    expect(outcome?.deletedIds).toHaveLength(150)
    expect(idsOf('listPullRequests')).toEqual(['101'])
    // Right before each deletion.
    expect(idsOf('readPullRequest')).toHaveLength(150)
    expect(idsOf('writeComment')).toHaveLength(100)
    expect(lines).toContainEqual(expect.stringMatching(/^only the first 100 comments are updated/))
  })

  it('plans the deletion of as many in a dry run', async () => {
    const { stage, run } = scene(101)
    const { outcome, warnings } = await run({ dryRun: true })
    expect(new Set(decisionsOf(outcome).map(({ verdict }) => verdict))).toEqual(new Set(['would delete']))
    expect(warnings).toEqual([])
    expect(stage.deletedServices()).toEqual([])
  })

  it('deletes the previews that GitHub answers for before its limit, and continues the next time', async () => {
    const { stage, run } = scene(60)
    stage.world.gitHub.requestsLeft = 48
    const first = await run()
    expect(first.outcome).toMatchObject({ problem: undefined })
    // 24 for the decisions, and 24 right before the deletions.
    expect(first.outcome?.deletedIds).toHaveLength(24)
    expect(decisionsOf(first.outcome).at(-1)).toMatchObject({ reason: "GitHub's rate limit is used up" })
    expect(first.warnings).toEqual([expect.stringContaining('for the next prune')])
    expect(first.idsOf('writeComment')).toHaveLength(24)
    stage.world.gitHub.requestsLeft = 1000
    expect((await run()).outcome?.deletedIds).toHaveLength(36)
  })

  it('is eight times as fast as one deletion at a time, even if deletions take no time', async () => {
    const many = 96
    const [none, one, all] = [await scene(0).run(), await scene(1).run(), await scene(many).run()]
    expect(all.outcome?.deletedIds).toHaveLength(many)
    expect(all.took).toBeLessThanOrEqual((many * (one.took - none.took)) / 8)
  })

  it('costs no more for each of many than of few', async () => {
    const [few, many] = [await scene(10).run(), await scene(100).run()]
    expect(many.calls.length / 100).toBeLessThanOrEqual(few.calls.length / 10)
    expect(many.took).toBeLessThanOrEqual(10 * few.took)
  })

  it('sends no more than twelve requests at a time', async () => {
    const { run, starts } = scene(96)
    await run()
    const atTheSameTime = starts.map(
      ({ at }) => starts.filter(other => other.at >= at && other.at < at + leastLatency).length,
    )
    expect(Math.max(...atTheSameTime)).toBe(atOnce)
  })

  it('delays all requests if one must wait', async () => {
    const { stage, run, starts } = scene(60)
    stage.onCall('delete-service', () => refused(429, 'slow down', { 'retry-after': '7' }))
    const { outcome } = await run()
    expect(outcome?.deletedIds).toHaveLength(60)
    const acceptedAt = (starts.find(({ what }) => what === 'delete-service')?.at ?? 0) + leastLatency
    const meanwhile = starts.filter(
      ({ what, at }) => /-service/.test(what) && at > acceptedAt && at < acceptedAt + 7000,
    )
    expect(meanwhile).toEqual([])
  })
})
