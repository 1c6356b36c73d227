/** Stories of prune: unused previews, pauses, and many previews. */
import { forkBefore, lifeJob, pruneJob } from './life-parts.ts'
import { previewBase, previewName, pullRequest, readName } from './preview-names.ts'
import { opening, type Story, type StoryBuilder } from './stories.ts'
import { clearWeather } from './weather.ts'

const minute = 60_000

/** Connects to every database of the preview, and disconnects. */
function visit({ world, chance }: StoryBuilder, at: number): void {
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

/** Prune pauses a preview unused for a while, and the next job that needs it starts it. */
export function idleStory(play: StoryBuilder): Story {
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
  const wake = lifeJob(play, 'wake', chance.pick(['create-preview', 'get-connection', 'preview']), {
    after: first,
    start: chance.pick([chance.between(0, 2000), chance.between(0, 10 * minute)]),
  })
  const jobs = [create, first, wake]
  // The password of a preview from another story is unknown: its database cannot be asked.
  if (chance.hits(0.15)) {
    forkBefore(play, previewName('a1b2c3'))
    jobs.shift()
    Object.assign(first, { after: undefined, start: opening + pauseAfter })
  }
  if (jobs.includes(create) && chance.hits(0.2)) jobs.push(pruneJob(play, 'dry run', { ...after, ...dry }))
  if (wake.operation === 'get-connection') wake.given = {}
  if (chance.hits(0.5))
    jobs.push(pruneJob(play, 'prune 2', { preview, after: wake, start: chance.between(0, 12) * minute }))
  // Another run, concurrent with the others.
  const any = () => opening + chance.between(0, 12 * minute)
  if (chance.hits(0.3)) jobs.push(pruneJob(play, 'prune beside', { preview, start: any() }))
  if (chance.hits(0.45)) visit(play, any())
  if (chance.hits(0.5)) world.time.schedule(any(), () => world.pullRequests.touch(pullRequest))
  const keep = () =>
    world.pullRequests.set(pullRequest, { labels: [chance.pick(['keep-preview', 'Keep-Preview'])] })
  if (chance.hits(0.35)) world.time.schedule(chance.hits(0.5) ? 1000 : any(), keep)
  const isCrossed = jobs.some(({ name }) => name === 'prune beside') || maxAge !== undefined
  return play.story('idle', jobs, { mustSucceed: !isCrossed, changes: maxAge !== undefined })
}

/** A job gets the connection details, and has not used them when prune comes. */
export function askedStory(play: StoryBuilder): Story {
  const { chance, world } = play
  world.pullRequests.set(pullRequest, { state: 'open', labels: [] })
  const create = lifeJob(play, 'create', 'create-preview')
  const pauseAfter = chance.pick([5, 15]) * minute
  const preview = { namePrefix: undefined, pauseAfter, minAge: 1000 }
  const idle = () => chance.between(pauseAfter, 2 * pauseAfter)
  // get-connection does not log in to a database that it has just started, so it leaves no usage marker.
  const isPaused = chance.hits(0.5)
  const first = pruneJob(play, 'prune', { preview, after: create, start: idle() })
  const operation = isPaused ? 'get-connection' : chance.pick(['create-preview', 'get-connection', 'preview'])
  const ask = lifeJob(play, 'ask', operation, isPaused ? { after: first } : { after: create, start: idle() })
  if (operation === 'get-connection') ask.given = {}
  const again = pruneJob(play, 'prune 2', { preview, after: ask, start: chance.between(0, 1.2 * pauseAfter) })
  return play.story('asked', [create, ...(isPaused ? [first] : []), ask, again], { mustSucceed: true })
}

/** The numbers of the crowd are higher than those of other stories. */
const first = pullRequest + 100

/**
 * Many closed pull requests have left their previews, sometimes hundreds. GitHub answers for a few at a time, and at
 * first refuses all requests or soon reaches its limit.
 */
export function crowdStory(play: StoryBuilder): Story {
  const { chance, world } = play
  const { gitHub } = world
  world.pullRequests.set(pullRequest, 'open')
  const count = chance.hits(0.1) ? chance.whole(150, 300) : chance.whole(5, 30)
  for (let index = 0; index < count; index++) {
    world.pullRequests.set(first + index, 'closed')
    forkBefore(play, previewName('a1b2c3', first + index), { at: 95_000 + index })
  }
  for (const number of [first + count, first + count + 1]) {
    world.pullRequests.set(number, 'open')
    forkBefore(play, previewName('a1b2c3', number), { at: 95_000 + count })
  }
  gitHub.refuses = chance.hits(0.4)
  if (!gitHub.refuses && chance.hits(0.8)) gitHub.requestsLeft = chance.whole(0, count)
  const preview = { namePrefix: undefined, minAge: 1000, maxDeletions: chance.pick([1000, 1000, 3]) }
  const weather = count > 100 || chance.hits(0.5) ? { weather: clearWeather(chance) } : {}
  const one = pruneJob(play, 'prune', { preview, ...weather, start: opening })
  const another = pruneJob(play, 'prune 2', { preview, ...weather, start: 60_000, after: one })
  // The permissions are corrected, or the hour is over.
  if (chance.hits(0.7))
    world.time.schedule(opening + chance.between(0, 90_000), () => world.removeGitHubLimits())
  return play.story('many closed pull requests', [one, another])
}
