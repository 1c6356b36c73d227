import { describe, expect, it } from 'vitest'
import { changed } from './support/courses.ts'
import { minute } from './support/inputs.ts'
import { Stage } from './support/stage.ts'

const hour = 60 * minute

/** Two previews an hour old, of pull requests that are closed since. */
function scene(parts = {}) {
  const stage = new Stage(parts)
  const ids = [11, 12].map(number => {
    stage.setPullRequest('open', number)
    return stage.preview({ number })
  }) as [string, string]
  stage.pass(hour)
  for (const number of [11, 12]) stage.setPullRequest('closed', number)
  const prune = (settings = {}, preview = {}) =>
    stage.run('prune-previews', {
      event: { name: 'schedule', action: undefined, pullRequest: undefined },
      given: { service_id: stage.parent },
      settings,
      preview,
    })
  return { stage, ids, prune }
}

const renamed = changed(service => ({ ...service, name: 'production' }))
const doubt = "all previews are kept: GitHub's answer is not conclusive: "

describe('any doubt about GitHub keeps every preview', () => {
  it.each(['listOpenPullRequests', 'readPullRequest'])('where %s fails', async question => {
    const { stage, ids, prune } = scene()
    stage.when(question, () => new Error('bad gateway'), question === 'readPullRequest' ? 2 : 1)
    const run = await prune()
    expect(run.warnings).toEqual([`${doubt}bad gateway`])
    expect(run.outcome).toMatchObject({ deleted: false, deletedIds: [], keptIds: ids, problem: undefined })
    expect(run.outcome?.decisions).toMatchObject(
      ids.map(service_id => ({ service_id, verdict: 'kept', reason: "GitHub's answer is not conclusive" })),
    )
    expect(run.of('delete-service')).toEqual([])
  })

  it('a list that lacks an open pull request is none: it is asked for by itself', async () => {
    const { stage, ids, prune } = scene()
    stage.setPullRequest('open', 11)
    stage.world.pullRequests.shownOpen = () => []
    const run = await prune()
    expect(run.of('readPullRequest').slice(0, 2)).toEqual(['11', '12'])
    expect(run.outcome?.deletedIds).toEqual([ids[1]])
    expect(stage.alive(11)).toEqual([ids[0]])
  })

  it('what the list has is not asked for', async () => {
    const { stage, prune } = scene()
    stage.setPullRequest('open', 11)
    const run = await prune({ dryRun: true })
    // For the decision, and right before what would be its deletion.
    expect(run.of('readPullRequest')).toEqual(['12', '12'])
  })
})

describe('right before each deletion', () => {
  it('the service is read again: one that is tagged PROD since is kept', async () => {
    const { stage, ids, prune } = scene()
    stage.when('listOpenPullRequests', () => void stage.tag(ids[0], 'PROD'))
    const run = await prune()
    expect(stage.deleted()).toEqual([ids[1]])
    expect(run.outcome).toMatchObject({ deletedIds: [ids[1]], keptIds: [ids[0]], problem: undefined })
    expect(run.outcome?.decisions?.[0]).toMatchObject({ verdict: 'kept', reason: 'it is tagged PROD' })
    expect(run.warnings).toEqual([
      expect.stringMatching(`service ${ids[0]} .* left alone: it is tagged PROD`),
    ])
  })

  it('and one that has another name since', async () => {
    const { stage, ids, prune } = scene()
    stage.whenever('get-service', ({ id }) => (id === ids[0] ? renamed : undefined))
    const run = await prune()
    expect(stage.deleted()).toEqual([ids[1]])
    expect(run.outcome?.decisions?.[0]).toMatchObject({
      verdict: 'kept',
      reason: 'its name is not that of a preview',
    })
  })

  it('the pull request is asked for again: one that is opened again keeps its preview', async () => {
    const { stage, ids, prune } = scene()
    stage.when('get-service', () => void stage.setPullRequest('open', 11))
    const run = await prune()
    expect(stage.alive(11)).toEqual([ids[0]])
    expect(run.outcome?.decisions?.[0]).toMatchObject({
      verdict: 'kept',
      reason: 'its pull request is open now',
    })
    expect(run.outcome).toMatchObject({ deletedIds: [ids[1]], keptIds: [ids[0]], problem: undefined })
    expect(stage.states(11)).toEqual([])
  })

  it('and so are its labels: one that is to be kept since keeps its preview, however old', async () => {
    const { stage, ids, prune } = scene()
    stage.setPullRequest('open', 11)
    stage.when('get-service', () => void stage.setPullRequest({ labels: ['Keep-Preview'] }, 11))
    const run = await prune({}, { maxAge: hour, keepLabel: 'keep-preview' })
    expect(stage.deleted()).toEqual([ids[1]])
    expect(run.outcome?.decisions?.[0]).toMatchObject({
      verdict: 'kept',
      reason: 'its pull request has the label Keep-Preview',
    })
  })

  it('a pull request that cannot be asked for keeps its preview, and fails the step at its end', async () => {
    const { stage, ids, prune } = scene()
    stage.when('readPullRequest', () => new Error('bad gateway'), 3)
    const run = await prune()
    expect(run.outcome?.problem?.message).toContain('1 of 2 previews could not be deleted')
    expect(stage.deleted()).toHaveLength(1)
    expect([...stage.alive(11), ...stage.alive(12)]).toHaveLength(1)
    expect(run.outcome?.keptIds).not.toEqual(ids)
  })

  it('one that somebody else deleted meanwhile counts as deleted', async () => {
    const { stage, ids, prune } = scene({ deleteAfter: 100 })
    stage.when('listOpenPullRequests', () => void stage.remove(ids[0]))
    const run = await prune()
    expect(run.outcome).toMatchObject({ deletedIds: ids, problem: undefined })
  })
})

describe('a prune that is cancelled', () => {
  it.each([
    ['while it asks GitHub', 'listOpenPullRequests', 1],
    ['before a deletion', 'get-service', 1],
  ])('%s deletes nothing and says nothing of doubts', async (_, question, nth) => {
    const { stage, ids, prune } = scene()
    stage.when(question, () => void stage.cancel(), nth)
    const run = await prune()
    expect(run.error?.name).toBe('CancelledError')
    expect(run.warnings).toEqual([])
    expect([...stage.alive(11), ...stage.alive(12)]).toEqual(ids)
  })
})
