/** Stories in which a pull request has two databases and must publish the younger one. */
import { delaySecondList } from './aimed-weather.ts'
import { forkBefore } from './life-parts.ts'
import { previewName, pullRequest } from './preview-names.ts'
import { create } from './preview-stories.ts'
import { eventOf, opening, type Story, type StoryBuilder } from './stories.ts'
import { clearWeather } from './weather.ts'

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
