/** Stories of dry runs. */
import type { GivenParameters } from '#operations/base/context'
import { forkBefore, forkOther, lifeJob, pruneJob } from './life-parts.ts'
import { previewName, pullRequest } from './preview-names.ts'
import { eventOf, queueEventOf, type Story, type StoryBuilder } from './stories.ts'
import { projectId } from './world.ts'

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
