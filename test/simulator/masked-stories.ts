/** Stories of masked parents. */
import { loseRenames } from './aimed-weather.ts'
import type { JobPlan } from './job-plan.ts'
import { forkBefore, lifeJob, pruneJob } from './life-parts.ts'
import { pullRequest, repositoryHash } from './preview-names.ts'
import type { Fate } from './process.ts'
import { eventWithoutPullRequest, opening, type Story, type StoryBuilder } from './stories.ts'
import { clearWeather } from './weather.ts'
import { otherCaller } from './world.ts'

const minute = 60_000
const hour = 60 * minute

/** Many nights are killed at a random moment. */
function nightFate({ chance }: StoryBuilder): Fate | undefined {
  if (chance.hits(0.55)) return undefined
  const kind = chance.pick(['killed', 'killed', 'cancelled'] as const)
  return { kind, atAwait: chance.whole(1, 70), delay: chance.pick([0, chance.between(0, 20_000)]) }
}

/** One run of create-masked-parent. Some runners are lost together with their post step. */
function night(play: StoryBuilder, name: string, parts: Partial<Omit<JobPlan, 'end'>> = {}): JobPlan {
  const { chance } = play
  const cleanup = chance.hits(0.3) ? 'never' : 'on-failure'
  const settings = play.settings({ quarantine: 'strict', cleanup }, { maskFile: ['masking.yml'] })
  const given = { service_id: play.parentId }
  const event = eventWithoutPullRequest('schedule')
  const fate = nightFate(play)
  const weather = chance.hits(0.1) ? loseRenames(chance) : play.weather()
  return play.job(name, 'create-masked-parent', given, {
    settings,
    event,
    patience: 50 * minute,
    fate,
    weather,
    ...parts,
  })
}

/** Services that only look like a masked copy of this repository. */
function addStrangers(play: StoryBuilder): void {
  const { chance, foreign } = play
  const other = play.service('other')
  const strangers = [
    { name: 'masked-ffffffff-a1b2c3', given: {} },
    { name: `masked-${repositoryHash}-a1b2c3d`, given: {} },
    { name: `masked-${repositoryHash}-d4e5f6`, given: { service_id: other } },
    { name: `masking-${repositoryHash}-d4e5f7`, given: { service_id: other } },
    { name: `masked-${repositoryHash}-g7h8i9`, given: { environment_tag: 'PROD' } },
    { name: `masking-${repositoryHash}-g7h8i0`, given: { environment_tag: 'PROD' } },
    { name: 'masking-ffffffff-a1b2c4', given: {} },
  ]
  for (const { name, given } of strangers)
    if (chance.hits(0.5)) forkBefore(play, name, { by: otherCaller, given }, id => foreign.push(id))
}

function previewJob(play: StoryBuilder, name: string, beside: JobPlan): JobPlan {
  const { chance } = play
  const operation = chance.pick(['create-preview', 'create-preview', 'reset-preview', 'get-connection'])
  const [start, after] = chance.hits(0.5)
    ? [beside.start + chance.between(0, 300_000), beside.after]
    : [chance.between(1000, hour), beside]
  const given = operation === 'get-connection' ? { service_id: undefined } : {}
  return lifeJob(play, name, operation, {
    ...{ given, start, preview: { masked: true } },
    ...(after !== undefined && { after }),
  })
}

/** The first fork of masked copies has no masking stamp, as if it were older than the masking. */
function forkWithoutStamp({ world }: StoryBuilder): void {
  let isLeft = true
  world.onCreated = (id, by) => {
    if (!isLeft || !by.startsWith('use')) return
    isLeft = false
    world.held(id).stamp = undefined
  }
}

function leaveOriginals({ world, chance }: StoryBuilder): void {
  const from = opening + chance.pick([0, 24, 48]) * hour
  world.time.schedule(from - 1000, () => {
    world.hasOriginals = true
  })
  world.time.schedule(from + 3 * hour, () => {
    world.hasOriginals = false
  })
}

export function maskedStory(play: StoryBuilder): Story {
  const { chance, world } = play
  world.pullRequests.set(pullRequest, 'open')
  addStrangers(play)
  const first = night(play, 'night 1', chance.hits(0.6) ? { fate: undefined } : {})
  const jobs = [first]
  for (let count = 2; count <= chance.whole(2, 5); count++) {
    const after = jobs.at(-1) as JobPlan
    jobs.push(night(play, `night ${count}`, { after, start: chance.pick([60_000, 5 * hour, 24 * hour]) }))
  }
  const nights = [...jobs]
  for (const other of nights)
    if (chance.hits(0.25)) {
      const start = other.start + chance.between(0, 120_000)
      jobs.push(
        night(play, `${other.name}, twice`, {
          start,
          ...(other.after !== undefined && { after: other.after }),
        }),
      )
    }
  for (const [index, beside] of nights.entries())
    if (chance.hits(0.6)) jobs.push(previewJob(play, `use ${index + 1}`, beside))
  if (chance.hits(0.4)) {
    const preview = { masked: true, pauseAfter: chance.pick([minute, hour]) }
    const start = chance.between(1000, 6 * hour)
    jobs.push(pruneJob(play, 'prune', { preview, start, after: chance.pick(nights) }))
  }
  const added: string[] = []
  if (chance.hits(0.3)) {
    leaveOriginals(play)
    added.push('originals are missed')
  }
  if (chance.hits(0.3)) {
    forkWithoutStamp(play)
    added.push('a fork without the masking stamp')
  }
  return play.story('masked copies', jobs, { added, pullRequest: undefined, hasNights: true })
}

/** One more night without faults, late enough that no run is still at work. */
export function lastNight(play: StoryBuilder): JobPlan {
  const { world, chance } = play
  world.hasOriginals = false
  return night(play, 'last night', { start: 8 * hour, fate: undefined, weather: clearWeather(chance) })
}
