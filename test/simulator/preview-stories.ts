import type { JobPlan } from './job.ts'
import { eventOf, type Playwright, previewBase, pullRequest, type Story } from './stories.ts'

/** What the runs of one pull request do beside each other. */
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

function create(play: Playwright, name: string): JobPlan {
  const { chance } = play
  const settings = play.settings({
    waitForConnection: chance.hits(0.5),
  })
  const fork_strategy = chance.pick([undefined, 'NOW'])
  const given = { service_id: play.parentId, ...(fork_strategy && { fork_strategy }) }
  const patience = chance.hits(0.1) ? 60_000 : 30 * 60_000
  return play.job(name, 'create-preview', given, { settings, patience })
}

function close(play: Playwright, name: string, start: number): JobPlan {
  const parts = { event: eventOf('closed', 'closed'), start: start + play.chance.between(0, 20_000) }
  return play.job(name, 'delete-preview', { service_id: play.parentId }, parts)
}

function prune(play: Playwright, name: string): JobPlan {
  const settings = play.settings({}, { minAge: play.chance.pick([1000, 1000, 30 * 60_000]) })
  return play.job(name, 'prune-previews', { service_id: play.parentId }, { settings, start: play.later() })
}

/** A preview that is there from the start, of a run long ago. */
function makeBefore(play: Playwright): void {
  const { world, chance, parentId } = play
  const fork = (random: string) => {
    const given = { service_id: parentId, name: `${previewBase}-${random}`, fork_strategy: 'NOW' as const }
    const { body } = world.store.call('fork-service', { project_id: world.store.project.id, ...given })
    world.ledger.created('fork-service', 'a run of before', world.time.now, body)
    return (body as { service_id: string }).service_id
  }
  world.time.schedule(100_000, () => {
    const service_id = fork('before')
    if (chance.hits(0.3)) fork('before'.replace('b', 'c'))
    if (chance.hits(0.3))
      world.time.schedule(15_000, () => {
        world.store.call('stop-service', { project_id: world.store.project.id, service_id })
      })
  })
}

/** What has the preview's name and is none: nobody may touch it. */
function makeImpostor(play: Playwright): void {
  play.service(`${previewBase}-strang`, play.chance.pick(['PROD', 'DEV']))
}

/** The pull request is closed while the others are at work. */
function closeDuring(play: Playwright): number {
  const at = play.later()
  play.world.time.schedule(at, () => {
    play.world.tell('GitHub', 'the pull request is closed')
    play.world.pullRequests.set(pullRequest, 'closed')
  })
  return at
}

/** The runs of one pull request. */
export function previewStory(play: Playwright): Story {
  const { chance, world } = play
  const cast: readonly Role[] = chance.pick(casts)
  world.pullRequests.set(pullRequest, 'open')
  const isThereBefore = !cast.includes('create') || chance.hits(cast.includes('prune') ? 0.5 : 0.1)
  if (isThereBefore) makeBefore(play)
  const isContested = !isThereBefore && chance.hits(0.05)
  if (isContested) makeImpostor(play)
  const closes = cast.some(role => role === 'close' || role === 'lost close')
  const closedAt = closes ? closeDuring(play) : 0
  const jobs = cast.flatMap((role, index): JobPlan[] => {
    const name = `${role} ${index + 1}`
    if (role === 'create') return [create(play, name)]
    if (role === 'close') return [close(play, name, closedAt)]
    return role === 'prune' ? [prune(play, name)] : []
  })
  const mustSucceed = !isContested && cast.every(role => role === 'create')
  return {
    name: cast.join(' + '),
    jobs,
    pullRequest,
    mustSucceed,
    parentId: play.parentId,
    foreign: play.foreign,
  }
}
