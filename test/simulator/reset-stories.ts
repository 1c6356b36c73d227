/** Stories of resets. */
import type { JobPlan } from './job-plan.ts'
import { forkBefore, forkOther, lifeJob } from './life-parts.ts'
import { previewName, pullRequest, repositoryHash } from './preview-names.ts'
import { eventOf, opening, type Story, type StoryBuilder } from './stories.ts'
import { drawTag } from './strangers.ts'
import { otherCaller } from './world.ts'

/** A service with the name of the preview or of its parent that must stay. */
function createForeign(play: StoryBuilder): string | undefined {
  const { chance, foreign } = play
  const name = previewName('f0f0f0')
  if (chance.hits(0.5)) {
    const given = { environment_tag: drawTag(play) }
    forkBefore(play, name, { by: 'another caller', given }, id => foreign.push(id))
    return undefined
  }
  // A parent that looks like a preview of the pull request.
  return play.service(name)
}

/** Other previews beside the replaced one: of another prefix, of other pull requests. */
function createOthers(play: StoryBuilder): void {
  forkBefore(play, `docs-pr-${pullRequest}-${repositoryHash}-a1b2c3`)
  forkOther(play, pullRequest * 10 + 1)
}

/** Forks the preview, under a name of any kind, before or during the story. */
function forkPreview(play: StoryBuilder): void {
  const { chance, world, foreign } = play
  const names = [
    `demo-pr-${pullRequest}-${repositoryHash}-f0f0f0`,
    previewName('f0f0f0', pullRequest * 10 + 2),
    'demo',
  ]
  const name = chance.pick(names)
  world.time.schedule(chance.pick([opening - 5000, opening - 5000, play.later()]), () => {
    const service_id = world.services().find(found => found.name === previewName('a1b2c3'))?.service_id ?? ''
    const id = play.fork(name, otherCaller, { service_id })
    if (id !== undefined) foreign.push(id)
  })
}

/** A reset replaces the preview of a pull request, beside other runs for it. */
export function resetStory(play: StoryBuilder): Story {
  const { chance, world } = play
  world.pullRequests.set(pullRequest, 'open')
  world.pullRequests.set(pullRequest * 10 + 1, 'open')
  const isThere = chance.hits(0.8)
  if (isThere) forkBefore(play, previewName('a1b2c3'), { at: chance.pick([95_000, 400_000]) })
  if (isThere && chance.hits(0.2)) forkBefore(play, previewName('d4e5f6'))
  createOthers(play)
  const isContested = chance.hits(0.25)
  const parent = isContested ? createForeign(play) : undefined
  const given = parent === undefined ? {} : { service_id: parent }
  const reset = lifeJob(play, 'reset', 'reset-preview', { event: eventOf('labeled'), given })
  const jobs: JobPlan[] = [reset]
  if (chance.hits(0.5)) jobs.push(lifeJob(play, 'push', 'create-preview', { given }))
  if (chance.hits(0.25)) jobs.push(lifeJob(play, 'reset 2', 'reset-preview', { given, start: play.later() }))
  if (chance.hits(0.4)) {
    const start = chance.between(1000, 20_000)
    jobs.push(lifeJob(play, 'push later', 'create-preview', { given, start, after: reset }))
  }
  const isClosed = chance.hits(0.15)
  if (isClosed) {
    const at = opening + chance.between(0, 60_000)
    play.changePullRequest(at, 'closed')
    const event = eventOf('closed', 'closed')
    jobs.push(lifeJob(play, 'close', 'delete-preview', { given, event, start: at + chance.between(0, 5000) }))
  }
  const isForked = isThere && !isClosed && chance.hits(0.4)
  if (isForked) forkPreview(play)
  // The deadline may come at any moment, even between the deletion and the fork.
  if (chance.hits(0.25)) reset.patience = chance.between(2000, 60_000)
  const title = ['reset', isContested && 'contested', isForked && 'its preview forked']
    .filter(Boolean)
    .join(', ')
  return play.story(title, jobs, {
    changes: true,
    mustSucceed: !isContested && !isForked && !isClosed,
    isContested,
  })
}
