/** Stories of rules, the merge queue, several prefixes, limits and dry runs, and the list of stories about the life of previews. */
import type { GivenParameters } from '#operations/base/context'
import type { Chance } from './chance.ts'
import type { JobPlan } from './job-plan.ts'
import { forkBefore, forkOther, lifeJob, pruneJob } from './life-parts.ts'
import { previewName, pullRequest, repositoryHash } from './preview-names.ts'
import { askedStory, crowdStory, idleStory } from './prune-stories.ts'
import type { PullRequestFacts } from './pull-requests.ts'
import { resetStory } from './reset-stories.ts'
import { eventOf, opening, queueEventOf, type Story, type StoryBuilder } from './stories.ts'
import { drawTag } from './strangers.ts'
import { otherCaller, projectId } from './world.ts'

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

/** A commit whose first digits look like the number of a pull request, and two others. */
const commits = [`000000000${pullRequest}${'a'.repeat(30)}`, '1234567890'.repeat(4), 'beef'.repeat(10)]

/** A merge queue entry has its own preview, beside that of its pull request. */
export function queueStory(play: StoryBuilder): Story {
  const { chance, world } = play
  const sha = chance.pick(commits)
  const event = queueEventOf(sha)
  world.pullRequests.set(pullRequest, 'open')
  world.queue.add(sha)
  if (chance.hits(0.3)) forkBefore(play, previewName('a1b2c3'))
  const jobs: JobPlan[] = []
  const entry = lifeJob(play, 'queue', 'preview', { event })
  jobs.push(entry)
  if (chance.hits(0.3)) jobs.push(lifeJob(play, 'queue 2', 'create-preview', { event }))
  // The last job of the same run, after any end of the others; its runner may be lost.
  if (chance.hits(0.6)) {
    const start = chance.between(1000, 60_000)
    jobs.push(lifeJob(play, 'queue is done', 'delete-preview', { event, start, after: entry }))
  }
  const left = opening + chance.between(0, 300_000)
  world.time.schedule(left, () => {
    world.trace('GitHub', 'the entry leaves the merge queue')
    world.queue.delete(sha)
  })
  const preview = { namePrefix: undefined, minAge: 1000 }
  const start = opening + chance.between(0, 400_000)
  jobs.push(pruneJob(play, 'prune', { preview, start }))
  if (chance.hits(0.5)) jobs.push(lifeJob(play, 'push', 'preview', { event: eventOf('synchronize') }))
  if (chance.hits(0.3)) {
    play.changePullRequest(left, 'closed')
    const closing = { event: eventOf('closed', 'closed'), start: left + chance.between(0, 5000) }
    jobs.push(lifeJob(play, 'close', 'preview', closing))
  }
  return play.story('merge queue', jobs, { changes: true })
}

const prefixes = ['preview', 'docs', 'shop-mq']

/** A pull request has several previews. So has one of the same number in another repository of the project. */
export function prefixStory(play: StoryBuilder): Story {
  const { chance, world, foreign } = play
  world.pullRequests.set(pullRequest, 'open')
  world.pullRequests.set(pullRequest + 1, 'closed')
  const elsewhere = (id: string) => void foreign.push(id)
  for (const prefix of prefixes) {
    forkBefore(play, `${prefix}-pr-${pullRequest + 1}-${repositoryHash}-a1b2c3`)
    forkBefore(
      play,
      `${prefix}-pr-${pullRequest + 1}-ffffffff-a1b2c3`,
      { by: 'another repository' },
      elsewhere,
    )
  }
  const jobs = prefixes.map((namePrefix): JobPlan => {
    const preview = { namePrefix }
    return lifeJob(play, `push ${namePrefix}`, 'preview', { preview, event: eventOf('synchronize') })
  })
  const preview = { namePrefix: chance.hits(0.7) ? undefined : 'docs', minAge: 1000 }
  const given = chance.hits(0.5) ? { service_id: undefined } : {}
  // If prune has no parent, the name alone decides: this service would count as a preview of the repository.
  const lookalike = `other-pr-${pullRequest}-${repositoryHash}-a1b2c3`
  const found = world.services().find(({ name }) => name === lookalike)
  const tag = { project_id: projectId, service_id: found?.service_id ?? '', environment: drawTag(play) }
  // Early enough that no answer lags behind it: prune cannot honor a tag that it cannot see yet.
  world.time.schedule(opening - 60_000, () => void world.call(otherCaller, 'set-environment', tag))
  jobs.push(pruneJob(play, 'prune', { preview, given, start: play.later() }))
  if (chance.hits(0.4)) {
    const at = play.later()
    play.changePullRequest(at, 'closed')
    const event = eventOf('closed', 'closed')
    const closing = { preview: { namePrefix: 'docs' }, event, start: at + chance.between(0, 5000) }
    jobs.push(lifeJob(play, 'close docs', 'preview', closing))
  }
  return play.story('several prefixes', jobs, { changes: true })
}

/** The repository has as many previews as allowed, or nearly. */
export function limitStory(play: StoryBuilder): Story {
  const { chance, world } = play
  world.pullRequests.set(pullRequest, 'open')
  const others = [pullRequest + 1, pullRequest + 2].slice(0, chance.whole(1, 2))
  for (const number of others) {
    world.pullRequests.set(number, chance.pick(['open', 'closed']))
    forkOther(play, number)
  }
  if (chance.hits(0.2)) forkBefore(play, previewName('a1b2c3'))
  const preview = { maxPreviews: chance.whole(1, 3), namePrefix: chance.pick([undefined, 'preview', 'docs']) }
  const operation = chance.pick(['create-preview', 'preview'])
  const jobs = [lifeJob(play, 'create', operation, { preview })]
  if (chance.hits(0.3)) jobs.push(lifeJob(play, 'create 2', operation, { preview }))
  return play.story('max_previews', jobs)
}

/** Operations of the API whose dry run reports only the planned change. */
const steps: [string, GivenParameters][] = [
  ['create-service', { name: 'shop-*' }],
  ['fork-service', { fork_strategy: 'NOW' }],
  ['delete-service', {}],
  ['stop-service', {}],
  ['resize-service', { cpu_millis: '1000', memory_gbs: '4' }],
  ['set-environment', { environment: 'DEV' }],
  ['rename-service', { name: 'shop-2' }],
  ['update-password', { password: 'a-new-password' }],
  ['enable-pooler', {}],
]

/** Every operation as a dry run, if it has something to do. */
export function dryStory(play: StoryBuilder): Story {
  const { chance, world } = play
  const state = chance.pick(['open', 'open', 'closed'] as const)
  world.pullRequests.set(pullRequest, state)
  world.pullRequests.set(pullRequest + 1, 'closed')
  const stop = (service_id: string) => {
    const ids = { project_id: projectId, service_id }
    world.time.schedule(300_000, () => void world.call('an earlier run', 'stop-service', ids))
  }
  if (chance.hits(0.6)) forkBefore(play, previewName('a1b2c3'), {}, chance.hits(0.4) ? stop : undefined)
  if (chance.hits(0.3)) forkBefore(play, previewName('d4e5f6'))
  forkOther(play, pullRequest + 1)
  const settings = { dryRun: true, cleanup: play.cleanup() }
  const dry = { settings: { dryRun: true } }
  const event = eventOf(state === 'open' ? 'synchronize' : 'closed', state)
  const [step, given] = chance.pick(steps)
  const { service_id: _, ...alone } = { service_id: play.parentId, ...given }
  const isCreate = step === 'create-service'
  const preview = { namePrefix: undefined, minAge: 1000, pauseAfter: 1000, maxAge: 2000 }
  const jobs = [
    play.job(step, step, isCreate ? alone : { service_id: play.parentId, ...given }, {
      settings: play.settings(settings),
    }),
    lifeJob(play, 'preview', 'preview', { ...dry, event, preview: { pooler: chance.hits(0.3) } }),
    lifeJob(play, 'create', 'create-preview', { ...dry, event }),
    lifeJob(play, 'reset', 'reset-preview', { ...dry, event }),
    lifeJob(play, 'delete', 'delete-preview', { ...dry, event }),
    lifeJob(play, 'queue', 'preview', { ...dry, event: queueEventOf('beef'.repeat(10)) }),
    lifeJob(play, 'connection', 'get-connection', { ...dry, event, given: { service_id: undefined } }),
    pruneJob(play, 'prune', { ...dry, preview, start: play.later() }),
  ]
  return play.story('dry runs', jobs)
}

export const lifeStories: ((play: StoryBuilder) => Story)[] = [
  ruleStory,
  ruleStory,
  queueStory,
  resetStory,
  resetStory,
  idleStory,
  idleStory,
  prefixStory,
  limitStory,
  dryStory,
  crowdStory,
  askedStory,
]
