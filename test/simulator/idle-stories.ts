import type { JobPlan } from './job-plan.ts'
import { forkBefore, lifeJob, lifeStory, pruneJob } from './life-parts.ts'
import { previewBase, previewName, pullRequest, readName } from './preview-names.ts'
import { opening, type Playwright, type Story } from './stories.ts'

const minute = 60_000

/** Somebody connects to every database of the preview, and leaves again. */
function visit({ world, chance }: Playwright, at: number): void {
  const ids = () =>
    world
      .services()
      .filter(({ name }) => readName(name ?? '')?.base === previewBase())
      .map(({ service_id }) => service_id)
  const set = (sessions: number) => () => {
    for (const id of ids()) world.sessions.set(id, sessions)
  }
  world.time.schedule(at, set(chance.whole(1, 3)))
  if (chance.hits(0.3)) world.time.schedule(at + chance.between(minute, 10 * minute), set(0))
}

/** A job that asks for the connection of a running preview, and does not use it at once. */
function askBetween(play: Playwright, after: JobPlan, pauseAfter: number): JobPlan | undefined {
  const another = play.another(play.world.thirdChance)
  const { chance } = another
  if (chance.hits(0.5)) return undefined
  const operation = chance.pick(['create-preview', 'get-connection', 'preview'])
  const asker = lifeJob(another, 'ask', operation, { after, start: chance.between(0, 2 * pauseAfter) })
  return operation === 'get-connection' ? { ...asker, given: {} } : asker
}

/** A preview that nobody uses for a while is paused by prune, and started by whoever needs it next. */
export function idleStory(play: Playwright): Story {
  const { chance, world } = play
  world.pullRequests.set(pullRequest, { state: 'open', labels: [] })
  const create = lifeJob(play, 'create', 'create-preview')
  const pauseAfter = chance.pick([3, 5, 15]) * minute
  const maxAge = chance.hits(0.3) ? 6 * minute : undefined
  const preview = { namePrefix: undefined, pauseAfter, maxAge, minAge: 1000 }
  const after = { preview, after: create }
  const first = pruneJob(play, 'prune', {
    ...after,
    start: chance.between(pauseAfter, 2 * pauseAfter + minute),
  })
  const dry = { settings: { dryRun: true }, start: chance.between(pauseAfter, 2 * pauseAfter) }
  const waking = chance.pick(['create-preview', 'get-connection', 'preview'])
  // Right after a start this is the one that leaves no mark: it does not log in.
  const wake = lifeJob(play, 'wake', world.thirdChance.hits(0.4) ? 'get-connection' : waking, {
    after: first,
    start: chance.pick([chance.between(0, 2000), chance.between(0, 10 * minute)]),
  })
  const jobs = [create, first, wake]
  // Nobody knows the password of a preview that no run of the story has made: its database cannot be asked.
  if (chance.hits(0.15)) {
    forkBefore(play, previewName('a1b2c3'))
    jobs.shift()
    Object.assign(first, { after: undefined, start: opening + pauseAfter })
  }
  if (jobs.includes(create) && chance.hits(0.2)) jobs.push(pruneJob(play, 'dry run', { ...after, ...dry }))
  if (wake.operation === 'get-connection') wake.given = {}
  if (chance.hits(0.5))
    jobs.push(pruneJob(play, 'prune 2', { preview, after: wake, start: chance.between(0, 12) * minute }))
  // Another run that races with the others.
  const any = () => opening + chance.between(0, 12 * minute)
  if (chance.hits(0.3)) jobs.push(pruneJob(play, 'prune beside', { preview, start: any() }))
  const asker = jobs.includes(create) ? askBetween(play, create, pauseAfter) : undefined
  if (asker) jobs.push(asker)
  if (chance.hits(0.45)) visit(play, any())
  if (chance.hits(0.5)) world.time.schedule(any(), () => world.pullRequests.touch(pullRequest))
  const keep = () =>
    world.pullRequests.set(pullRequest, { labels: [chance.pick(['keep-preview', 'Keep-Preview'])] })
  if (chance.hits(0.35)) world.time.schedule(chance.hits(0.5) ? 1000 : any(), keep)
  const isCrossed = jobs.some(({ name }) => name === 'prune beside' || name === 'ask') || maxAge !== undefined
  return lifeStory(play, 'idle', jobs, { mustSucceed: !isCrossed, changes: maxAge !== undefined })
}
