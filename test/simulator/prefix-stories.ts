/** Stories of several prefixes and of the limit of previews. */
import type { JobPlan } from './job-plan.ts'
import { forkBefore, forkOther, lifeJob, pruneJob } from './life-parts.ts'
import { previewName, pullRequest, repositoryHash } from './preview-names.ts'
import { eventOf, opening, type Story, type StoryBuilder } from './stories.ts'
import { drawTag } from './strangers.ts'
import { otherCaller, projectId } from './world.ts'

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
