/** Stories of prune with many previews. */
import { forkBefore, pruneJob } from './life-parts.ts'
import { previewName, pullRequest } from './preview-names.ts'
import { opening, type Story, type StoryBuilder } from './stories.ts'
import { clearWeather } from './weather.ts'

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
