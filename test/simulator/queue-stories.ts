/** Stories of the merge queue. */
import type { JobPlan } from './job-plan.ts'
import { forkBefore, lifeJob, pruneJob } from './life-parts.ts'
import { previewName, pullRequest } from './preview-names.ts'
import { eventOf, opening, queueEventOf, type Story, type StoryBuilder } from './stories.ts'

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
