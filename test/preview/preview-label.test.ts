/** Tests previews that depend on labels or drafts. */
import { describe, expect, it } from 'vitest'
import { pullRequest } from '../simulator/preview-names.ts'
import { eventOf, second } from './support/inputs.ts'
import { type RunOptions, Stage, stagePreview } from './support/stage.ts'

const label = 'preview'
const unlabeled = 'pull request 7 does not have the label preview'

const run = (stage: Stage, action: string, rules: RunOptions['preview'] = { labels: [label] }, facts = {}) =>
  stage.run('preview', { event: eventOf(action, pullRequest, facts), preview: rules })

/** A pull request with a READY preview. */
function withPreview(facts: Parameters<Stage['setPullRequest']>[0]) {
  const { stage, id } = stagePreview()
  stage.setPullRequest(facts)
  return { stage, id }
}

describe('with a label', () => {
  it.each(['opened', 'synchronize', 'labeled', 'unlabeled'])(
    '%s: creates the preview of a pull request that has it',
    async action => {
      const stage = new Stage()
      stage.setPullRequest({ labels: ['bug', 'Preview'] })
      // The event is from before the label.
      expect((await run(stage, action)).outcome).toMatchObject({ operation: 'create-preview', created: true })
    },
  )

  it.each(['opened', 'synchronize', 'labeled', 'unlabeled', 'edited'])(
    '%s: deletes the preview of a pull request that does not have it',
    async action => {
      const { stage, id } = withPreview({ labels: ['preview me'] })
      const { outcome } = await run(stage, action, { labels: [label] }, { labels: [label] })
      expect(outcome).toMatchObject({ operation: 'delete-preview', deletedIds: [id], skipped: unlabeled })
      expect(stage.livePreviews()).toEqual([])
    },
  )

  it('any of several labels is enough', async () => {
    const several = { labels: ['preview', 'demo'] }
    const { stage, id } = withPreview({ labels: ['Demo'] })
    expect((await run(stage, 'labeled', several)).outcome?.ids.service_id).toBe(id)
    stage.setPullRequest({ labels: ['bug', 'preview, demo'] })
    const { outcome } = await run(stage, 'unlabeled', several)
    const skipped = 'pull request 7 has none of the labels preview, demo'
    expect(outcome).toMatchObject({ deletedIds: [id], skipped })
  })

  it('keeps the preview if the label is back right before the deletion', async () => {
    const { stage, id } = withPreview({ labels: [] })
    stage.onCall('get-service', () => void stage.setPullRequest({ labels: [label] }))
    const { outcome } = await run(stage, 'unlabeled')
    expect(outcome).toMatchObject({ deleted: false, skipped: expect.stringContaining('after all') })
    expect(stage.livePreviews()).toEqual([id])
  })

  it.each([
    ['before it knows', 1, { error: { message: 'there is no pull request 7 in octo/shop' } }],
    [
      'right before the deletion',
      2,
      { outcome: { deleted: false, skipped: 'GitHub does not know pull request 7 any more' } },
    ],
  ])('keeps the preview if GitHub does not know the pull request %s', async (_, nth, expected) => {
    const { stage, id } = withPreview({ labels: [] })
    const forget = () => {
      stage.world.pullRequests.shown = () => undefined
      return undefined
    }
    stage.onCall('readPullRequest', forget, nth)
    expect(await run(stage, 'unlabeled')).toMatchObject(expected)
    expect(stage.livePreviews()).toEqual([id])
  })

  it('deletes a preview whose label was removed during its creation', async () => {
    const stage = new Stage()
    stage.setPullRequest({ labels: [label] })
    stage.schedule(10 * second, () => stage.setPullRequest({ labels: [] }))
    const { outcome, lines } = await run(stage, 'labeled')
    expect(outcome).toMatchObject({ skipped: unlabeled, deleted: true })
    expect(lines).toContain(`${unlabeled} now, so its preview is deleted again`)
    expect(stage.livePreviews()).toEqual([])
  })

  it('follows the event if GitHub does not answer, and the event shows the label', async () => {
    const stage = new Stage()
    stage.onEveryCall('readPullRequest', () => new Error('GitHub is down'))
    const { outcome, warnings } = await run(stage, 'labeled', { labels: [label] }, { labels: [label] })
    expect(outcome?.created).toBe(true)
    expect(warnings[0]).toContain('GitHub did not return the state of pull request 7')
  })

  it('create-preview creates none without it either, and deletes nothing', async () => {
    const { stage, id } = withPreview({ labels: [] })
    const { outcome } = await stage.run('create-preview', { preview: { labels: [label] } })
    expect(outcome).toMatchObject({ skipped: unlabeled })
    expect(stage.livePreviews()).toEqual([id])
    stage.onEveryCall('readPullRequest', () => new Error('GitHub is down'))
    expect((await stage.run('create-preview', { preview: { labels: [label] } })).outcome?.skipped).toBe(
      unlabeled,
    )
  })
})

describe('without previews of drafts', () => {
  const rules = { drafts: false }

  it.each(['opened', 'synchronize', 'converted_to_draft', 'ready_for_review'])(
    '%s: a draft has none',
    async action => {
      const { stage, id } = withPreview({ draft: true })
      const { outcome } = await run(stage, action, rules)
      expect(outcome).toMatchObject({ deletedIds: [id], skipped: 'pull request 7 is a draft' })
    },
  )

  it.each(['opened', 'synchronize', 'converted_to_draft', 'ready_for_review'])(
    '%s: a pull request that is no draft has one',
    async action => {
      expect((await run(new Stage(), action, rules)).outcome?.created).toBe(true)
    },
  )
})

it('a draft has a preview otherwise', async () => {
  const stage = new Stage()
  stage.setPullRequest({ draft: true })
  expect((await run(stage, 'opened', {})).outcome?.created).toBe(true)
})
