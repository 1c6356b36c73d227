/** Stories of labels and drafts. */
import type { Chance } from './chance.ts'
import { forkBefore, lifeJob } from './life-parts.ts'
import { previewName, pullRequest } from './preview-names.ts'
import type { PullRequestFacts } from './pull-requests.ts'
import { eventOf, opening, type Story, type StoryBuilder } from './stories.ts'

/** The change of a pull request: the action of its event, and its new facts. */
type Change = (before: PullRequestFacts) => [string, PullRequestFacts]

/** GitHub ignores the case of labels. */
const labels = ['preview', 'Preview']

const label: Change = before =>
  before.labels.length > 0
    ? ['unlabeled', { ...before, labels: [] }]
    : ['labeled', { ...before, labels: [labels[1] as string] }]
const draft: Change = before => [
  before.draft ? 'ready_for_review' : 'converted_to_draft',
  { ...before, draft: !before.draft },
]
const close: Change = before =>
  before.state === 'open'
    ? ['closed', { ...before, state: 'closed' }]
    : ['reopened', { ...before, state: 'open' }]
const push: Change = before => ['synchronize', before]
const edit: Change = before => ['edited', before]

const changes = [label, label, draft, draft, close, close, push, edit]

const laterBy = (chance: Chance) =>
  chance.pick([chance.between(200, 3000), chance.between(0, 60_000), chance.between(0, 150_000)])

/** A pull request gets and loses its label, becomes a draft and ready, is closed and reopened. */
export function ruleStory(play: StoryBuilder): Story {
  const { chance, world } = play
  const preview = {
    labels: chance.hits(0.7) ? ['another', chance.pick(labels)] : undefined,
    drafts: chance.hits(0.4),
  }
  let now: PullRequestFacts = {
    state: 'open',
    labels: chance.hits(0.7) ? [chance.pick(labels)] : [],
    draft: chance.hits(0.3),
  }
  world.pullRequests.set(pullRequest, now)
  if (chance.hits(0.5)) forkBefore(play, previewName('a1b2c3'))
  const named = chance.hits(0.15)
  const jobs = [lifeJob(play, 'opened', 'preview', { event: eventOf('opened', 'open', now), preview })]
  let at = opening
  let change: Change
  let undone: Change | undefined
  for (let index = chance.whole(1, 4); index > 0; index--) {
    at += undone ? chance.between(200, 1500) : laterBy(chance)
    change = undone ?? chance.pick(changes)
    undone = undefined
    const [action, after] = change(now)
    now = after
    play.changePullRequest(at, after)
    // GitHub replaces a waiting run by a later one.
    if (chance.hits(0.2)) continue
    const event = eventOf(action, after.state, after)
    const start = at + chance.between(0, 5000)
    // The change is reverted while its run is at work.
    if (chance.hits(0.6)) {
      undone = change
      at = start
    }
    jobs.push(lifeJob(play, `${action} ${jobs.length}`, 'preview', { event, preview, start }))
  }
  if (named) {
    const start = at + chance.between(0, 10_000)
    const event = {
      ...eventOf('by hand'),
      name: 'workflow_dispatch',
      action: undefined,
      pullRequest: undefined,
    }
    jobs.push(lifeJob(play, 'by hand', 'preview', { event, preview: { ...preview, pullRequest }, start }))
  }
  return play.story('labels, drafts, closing', jobs, { rules: preview, changes: true })
}
