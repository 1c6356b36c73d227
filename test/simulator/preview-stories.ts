/** Stories of the runs of one pull request, and of one with two databases. */
import { delaySecondList } from './aimed-weather.ts'
import type { JobPlan } from './job-plan.ts'
import { forkBefore } from './life-parts.ts'
import { previewName, pullRequest } from './preview-names.ts'
import { eventOf, opening, type Story, type StoryBuilder } from './stories.ts'
import { clearWeather } from './weather.ts'
import { projectId } from './world.ts'

/** The concurrent runs of one pull request. */
const casts = [
  ['create'],
  ['create', 'create'],
  ['create', 'create'],
  ['create', 'create', 'create'],
  ['create', 'close'],
  ['create', 'prune'],
  ['close', 'close'],
  ['lost close', 'prune'],
  ['create', 'create', 'close'],
  ['create', 'close', 'prune'],
  ['create', 'lost close', 'prune'],
] as const

type Role = (typeof casts)[number][number]

export function create(play: StoryBuilder, name: string, parts: Partial<Omit<JobPlan, 'end'>> = {}): JobPlan {
  const { chance } = play
  const settings = play.settings({ waitForConnection: chance.hits(0.5) })
  // Drawn for a removed input. Kept, so later draws stay the same.
  chance.next()
  const fork_strategy = chance.pick([undefined, 'NOW'])
  const given = { service_id: play.parentId, ...(fork_strategy && { fork_strategy }) }
  const patience = chance.hits(0.1) ? 60_000 : 30 * 60_000
  return play.job(name, 'create-preview', given, { settings, patience, ...parts })
}

function close(play: StoryBuilder, name: string, start: number): JobPlan {
  const parts = { event: eventOf('closed', 'closed'), start: start + play.chance.between(0, 20_000) }
  return play.job(name, 'delete-preview', { service_id: play.parentId }, parts)
}

function prune(play: StoryBuilder, name: string): JobPlan {
  const settings = play.settings({}, { minAge: play.chance.pick([1000, 1000, 30 * 60_000]) })
  return play.job(name, 'prune-previews', { service_id: play.parentId }, { settings, start: play.later() })
}

/** A preview that exists from the start. */
function createEarlier(play: StoryBuilder): void {
  const { world, chance } = play
  world.time.schedule(chance.pick([100_000, 400_000]), () => {
    const service_id = play.fork(previewName('a1b2c3')) as string
    if (chance.hits(0.3)) play.fork(previewName('d4e5f6'))
    if (chance.hits(0.3))
      world.time.schedule(15_000, () => {
        world.call('an earlier run', 'stop-service', { project_id: projectId, service_id })
      })
  })
}

/** A service with the preview's name that is no preview: no run may change it. */
function createImpostor(play: StoryBuilder): void {
  play.service(previewName('a1b2c3'), play.chance.pick(['PROD', 'DEV']))
}

/** The pull request is closed while the other runs are at work. */
function closeDuring(play: StoryBuilder): number {
  const at = play.later()
  play.changePullRequest(at, 'closed')
  return at
}

export function previewStory(play: StoryBuilder): Story {
  const { chance, world } = play
  const cast: readonly Role[] = chance.pick(casts)
  world.pullRequests.set(pullRequest, 'open')
  const isThereBefore = !cast.includes('create') || chance.hits(cast.includes('prune') ? 0.5 : 0.1)
  if (isThereBefore) createEarlier(play)
  const isContested = !isThereBefore && chance.hits(0.05)
  if (isContested) createImpostor(play)
  const closes = cast.some(role => role === 'close' || role === 'lost close')
  const closedAt = closes ? closeDuring(play) : 0
  const jobs = cast.flatMap((role, index): JobPlan[] => {
    const name = `${role} ${index + 1}`
    if (role === 'create') return [create(play, name)]
    if (role === 'close') return [close(play, name, closedAt)]
    return role === 'prune' ? [prune(play, name)] : []
  })
  const mustSucceed = !isContested && cast.every(role => role === 'create')
  return play.story(cast.join(' + '), jobs, { mustSucceed, closedAt: closes ? closedAt : undefined })
}

/** One run must see a newer list than another, so lists come from replicas. */
export function canHaveTwoDatabases({ world: { climate } }: StoryBuilder): boolean {
  return climate.lag.kind === 'replicas' && climate.lag.stale === 'lists'
}

/**
 * A pull request has two databases. It is closed, and reopened before the younger one is deleted: the next run
 * publishes that one. Runs that chose the older one before read the list only now, and it may lag.
 */
export function twoStory(play: StoryBuilder): Story {
  const { chance, world } = play
  world.pullRequests.set(pullRequest, 'open')
  forkBefore(play, previewName('a1b2c3'), { at: 100_000 })
  forkBefore(play, previewName('d4e5f6'), { at: 101_000 })
  const closedAt = opening + 10_000
  const openedAt = closedAt + chance.between(1000, 2500)
  play.changePullRequest(closedAt, 'closed')
  play.changePullRequest(openedAt, 'open')
  const clear = { weather: clearWeather(chance), fate: undefined, patience: 30 * 60_000 }
  const slow = () => ({
    ...clear,
    weather: delaySecondList(chance, chance.between(7000, 9000)),
    start: closedAt - 2500,
  })
  const closing = { ...clear, event: eventOf('closed', 'closed'), start: closedAt }
  const jobs = [
    ...['matrix 1', 'matrix 2', 'matrix 3'].map(name => create(play, name, slow())),
    play.job('close', 'delete-preview', { service_id: play.parentId }, closing),
    create(play, 'reopened', {
      ...clear,
      event: eventOf('reopened'),
      start: openedAt + chance.between(200, 1000),
    }),
  ]
  return play.story('the older of two is deleted', jobs, { closedAt })
}
