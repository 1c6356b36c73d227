/** Tests that prune keeps previews in doubt. */
import { describe, expect, it } from 'vitest'
import { GitHubFailure, type Outlook } from '#preview/base/github-failure'
import { previewName } from '../simulator/preview-names.ts'
import { decisionsOf } from './support/decisions.ts'
import { minute, scheduleEvent } from './support/inputs.ts'
import { Stage } from './support/stage.ts'

const hour = 60 * minute

/** Previews an hour old, whose pull requests were closed since. */
function scene(parts = {}, numbers = [11, 12]) {
  const stage = new Stage(parts)
  const ids = numbers.map(number => {
    stage.setPullRequest('open', number)
    return stage.createPreview({ number })
  }) as [string, string]
  stage.advanceTime(hour)
  for (const number of numbers) stage.setPullRequest('closed', number)
  const prune = (settings = {}, preview = {}) =>
    stage.run('prune-previews', {
      event: scheduleEvent,
      given: { service_id: stage.parent },
      settings,
      preview,
    })
  // Prune sorts previews of the same age by id.
  return { stage, ids, sorted: ids.toSorted(), prune }
}

/** Prune decides about twelve at the same time, and asks about each again before its deletion. */
const thirteen = Array.from({ length: 13 }, (_, index) => 11 + index)
/** The question about the last of thirteen. */
const ofLast = 25
const all = { maxDeletions: 13 }

const doubt = "GitHub's answer is not conclusive: "

/** A refusal by GitHub. */
class Refused extends GitHubFailure {
  constructor(outlook: Outlook) {
    super('it may not', 'grant it', { outlook })
  }
}

describe('any doubt about GitHub keeps every preview', () => {
  it('if it does not answer', async () => {
    const { stage, ids, prune } = scene()
    stage.onCall('readPullRequest', () => new Error('bad gateway'))
    const run = await prune()
    expect(run.warnings).toEqual([`all previews are kept: ${doubt}bad gateway`])
    expect(run.outcome).toMatchObject({ deleted: false, deletedIds: [], keptIds: ids, problem: undefined })
    expect(decisionsOf(run.outcome)).toMatchObject(
      ids.map(service_id => ({ service_id, verdict: 'kept', reason: "GitHub's answer is not conclusive" })),
    )
    expect(run.idsOf('delete-service')).toEqual([])
  })

  it('from the first doubt on: previews decided with certainty before are deleted', async () => {
    const { stage, sorted, prune } = scene({}, thirteen)
    stage.onCall('readPullRequest', () => new Error('bad gateway'), ofLast)
    const run = await prune({}, all)
    expect(run.warnings).toEqual([`1 of 13 previews are kept: ${doubt}bad gateway`])
    expect(run.outcome).toMatchObject({
      deletedIds: sorted.slice(0, 12),
      keptIds: sorted.slice(12),
      problem: undefined,
    })
  })

  it.each([
    ['all of them', 1, 0, '13 previews are kept, because GitHub refuses the request: it may not'],
    ['one of them', ofLast, 12, '1 preview is kept, because GitHub refuses the request: it may not'],
  ])('and a refusal of %s that will not pass fails the step', async (_, nth, deleted, message) => {
    const { stage, sorted, prune } = scene({}, thirteen)
    stage.onCall('readPullRequest', () => new Refused('lasts'), nth)
    const run = await prune({}, all)
    expect(run.outcome?.deletedIds).toEqual(sorted.slice(0, deleted))
    expect(run.outcome?.problem).toMatchObject({
      message,
      next: 'grant it; until then prune fails each time',
    })
    expect(run.warnings).toEqual([])
  })
})

describe('right before each deletion', () => {
  it('the service is read again: one that was tagged PROD meanwhile is kept', async () => {
    const { stage, ids, prune } = scene()
    stage.onCall('readPullRequest', () => void stage.setEnvironment(ids[0], 'PROD'))
    const run = await prune()
    expect(stage.deletedServices()).toEqual([ids[1]])
    expect(run.outcome).toMatchObject({ deletedIds: [ids[1]], keptIds: [ids[0]], problem: undefined })
    expect(decisionsOf(run.outcome)[0]).toMatchObject({ verdict: 'kept', reason: 'it is tagged PROD' })
    expect(run.warnings).toEqual([
      expect.stringMatching(`service ${ids[0]} .* not deleted: it is tagged PROD`),
    ])
  })

  it.each([
    ['is deleted', 'DEV', 0],
    ['that is tagged PROD meanwhile is kept', 'PROD', 1],
  ])('the record is read once more if GitHub answers slowly: one %s', async (_, environment, kept) => {
    const { stage, ids, prune } = scene()
    const isSlow = () => {
      stage.advanceTime(20 * minute)
      stage.setEnvironment(ids[0], environment)
      return undefined
    }
    // The first two answers are for the decisions.
    stage.onCall('readPullRequest', isSlow, 3)
    const run = await prune()
    expect(run.outcome?.keptIds).toEqual(ids.slice(0, kept))
    expect(run.outcome?.deletedIds).toEqual(ids.slice(kept))
  })

  it('the service is read again: one that belongs to an open pull request meanwhile is kept', async () => {
    const { stage, ids, prune } = scene()
    stage.setPullRequest('open', 13)
    const name = previewName('a1b2c3', 13)
    stage.onCall('get-service', () => void stage.callAsOther('rename-service', { service_id: ids[0], name }))
    const run = await prune()
    expect(stage.deletedServices()).toEqual([ids[1]])
    expect(decisionsOf(run.outcome)[0]).toMatchObject({
      verdict: 'kept',
      reason: `it has been renamed to ${name} meanwhile`,
    })
  })

  it('the pull request is read again: a reopened one keeps its preview', async () => {
    const { stage, ids, prune } = scene()
    stage.onCall('get-service', () => void stage.setPullRequest('open', 11))
    const run = await prune()
    expect(stage.livePreviews(11)).toEqual([ids[0]])
    expect(decisionsOf(run.outcome)[0]).toMatchObject({
      verdict: 'kept',
      reason: 'its pull request is open now',
    })
    expect(run.outcome).toMatchObject({ deletedIds: [ids[1]], keptIds: [ids[0]], problem: undefined })
    expect(stage.commentStates(11)).toEqual([])
  })

  it('the labels are read again: a new keep_label keeps its preview of any age', async () => {
    const { stage, ids, prune } = scene()
    stage.setPullRequest('open', 11)
    stage.onCall('get-service', () => void stage.setPullRequest({ labels: ['Keep-Preview'] }, 11))
    const run = await prune({}, { maxAge: hour, keepLabels: ['Keep', 'keep-preview'] })
    expect(stage.deletedServices()).toEqual([ids[1]])
    expect(decisionsOf(run.outcome)[0]).toMatchObject({
      verdict: 'kept',
      reason: 'its pull request has the label Keep-Preview',
    })
  })

  it('a preview without a conclusive answer is kept', async () => {
    const { stage, ids, prune } = scene()
    stage.onCall('readPullRequest', () => new Error('bad gateway'), 3)
    const run = await prune()
    expect(run.outcome).toMatchObject({ deletedIds: [ids[1]], keptIds: [ids[0]], problem: undefined })
    expect(decisionsOf(run.outcome)[0]?.reason).toBe("GitHub's answer is not conclusive")
    expect(run.warnings).toHaveLength(1)
  })

  it('a preview that another actor deleted meanwhile counts as deleted', async () => {
    const { stage, ids, prune } = scene({ deleteAfter: 100 })
    stage.onCall('readPullRequest', () => void stage.deleteService(ids[0]))
    const run = await prune()
    expect(run.outcome).toMatchObject({ deletedIds: ids, problem: undefined })
  })
})

describe('a prune that is cancelled', () => {
  it.each([
    ['while it reads from GitHub', 'readPullRequest', 1],
    ['before a deletion', 'get-service', 1],
  ])('%s deletes nothing and warns of no doubt', async (_, question, nth) => {
    const { stage, ids, prune } = scene()
    stage.onCall(question, () => void stage.cancel(), nth)
    const run = await prune()
    expect(run.error?.name).toBe('CancelledError')
    expect(run.warnings).toEqual([])
    expect([...stage.livePreviews(11), ...stage.livePreviews(12)]).toEqual(ids)
  })
})
