/** Additions to stories: namesakes, concurrent jobs, reopened pull requests, lost requests. */
import type { GivenParameters } from '#operations/base/context'
import { loseFirstRequests } from './aimed-weather.ts'
import { hasUniqueName, type JobPlan } from './job-plan.ts'
import { forkBefore, forkOther } from './life-parts.ts'
import { previewName, pullRequest, readName } from './preview-names.ts'
import { create } from './preview-stories.ts'
import { eventOf, opening, type Story, type StoryBuilder } from './stories.ts'
import { addImpostor, addNamesake, addTagger } from './strangers.ts'
import { clearWeather } from './weather.ts'
import { otherCaller, projectId } from './world.ts'

/** The same job once more, some time after any end of the first. */
function runAgain(play: StoryBuilder, job: JobPlan): JobPlan {
  const { operation, given, settings, patience } = job
  const start = play.chance.between(1000, 60_000)
  const name = `${job.name} again`
  return play.job(name, operation, given, { settings, patience, start, after: job })
}

function withUniqueName({ chance }: StoryBuilder, { operation, given }: JobPlan): GivenParameters {
  if (operation === 'create-peering' || operation === 'create-preview') return given
  const { name = 'shop', ...rest } = given
  return chance.hits(0.5) ? rest : { ...rest, name: String(name).replace(/-?\*?$/, '-*') }
}

/** Adds to one creating step: a name of its own, a concurrent or later job, a namesake. */
function addToCreation(play: StoryBuilder, story: Story, job: JobPlan): void {
  const { chance } = play
  const { jobs, added } = story
  const hasName = job.operation !== 'create-peering' && job.given.name !== undefined
  if (hasName && chance.hits(0.35)) {
    job.given = withUniqueName(play, job)
    added.push('a name of its own')
  }
  if (chance.hits(0.15)) {
    jobs.push(runAgain(play, job))
    added.push('run again')
  } else if (chance.hits(0.25)) {
    const { operation, given, patience } = job
    const settings = { ...job.settings, cleanup: play.cleanup() }
    jobs.push(play.job(`${job.name} 2`, operation, given, { settings, patience }))
    added.push('two jobs')
  }
  if (!hasUniqueName(job) && chance.hits(0.35)) {
    addNamesake(play, job)
    added.push('another caller takes the name')
  }
  const mayBePromoted = /-service$/.test(job.operation) && job.given.environment_tag !== 'PROD'
  if (mayBePromoted && chance.hits(0.2)) {
    addTagger(play, job)
    added.push('another caller tags it')
  }
}

/** The pull request is reopened soon after it was closed: a new run begins while the old ones are at work. */
function reopen(play: StoryBuilder, story: Story, closedAt: number): void {
  const { chance, world } = play
  const close = story.jobs.find(({ operation }) => operation === 'delete-preview')
  // With list lag, a run right after the deletion still sees the preview.
  const isSoon = close !== undefined && world.climate.lag.kind !== 'none' && chance.hits(0.8)
  if (isSoon) close.start = closedAt + chance.between(0, 1000)
  const later = chance.pick([chance.between(200, 3000), chance.between(0, 60_000)])
  const at = closedAt + (isSoon ? chance.between(2000, 4000) : later)
  play.changePullRequest(at, 'open')
  const start = at + chance.between(200, isSoon ? 2000 : 5000)
  story.jobs.push(create(play, 'reopened', { event: eventOf('reopened'), start }))
}

/** Previews of pull requests that closed long ago, and a prune that may delete one of them, or none. */
function addPrune(play: StoryBuilder, story: Story): void {
  const { chance, world, parentId } = play
  for (const number of [pullRequest + 1, pullRequest + 2]) {
    world.pullRequests.set(number, 'closed')
    forkOther(play, number)
  }
  // By an id of the seed: a draw of its own would change all later ones.
  const isRenamed = parentId.charCodeAt(1) % 2 === 0
  if (isRenamed) renameOnReading(play)
  const dryRun = chance.hits(0.4)
  const settings = play.settings({ dryRun }, { minAge: 1000, ...(!dryRun && { maxDeletions: 1 }) })
  const parts = { settings, start: play.later() }
  story.jobs.push(play.job('prune more', 'prune-previews', { service_id: parentId }, parts))
  story.added.push(dryRun ? 'a dry run' : 'max_deletions', ...(isRenamed ? ['renamed meanwhile'] : []))
}

/**
 * Renames a preview for an open pull request while a run reads its record: the lists still had the name of a closed
 * one.
 */
function renameOnReading({ world }: StoryBuilder): void {
  const [from, to] = [pullRequest + 1, pullRequest + 3]
  world.pullRequests.set(to, 'open')
  world.onReading = service_id => {
    if (readName(world.ledger.creation(service_id)?.name ?? '')?.pullRequest !== from) return
    const name = previewName('a1b2c3', to)
    world.call(otherCaller, 'rename-service', { project_id: projectId, service_id, name })
    world.onReading = () => {}
  }
}

function addToPreviews(play: StoryBuilder, story: Story): void {
  const { chance } = play
  const { jobs, added, closedAt } = story
  const first = jobs.find(({ operation }) => operation === 'create-preview')
  // Lag misleads mostly simultaneous runs.
  const often = play.world.climate.lag.kind === 'none' ? 0.1 : 0.4
  if (first && chance.hits(often)) {
    for (const name of ['matrix 2', 'matrix 3'])
      jobs.push(create(play, name, { start: first.start + chance.between(0, 300) }))
    added.push('a matrix of three')
  } else if (first && chance.hits(0.12)) {
    jobs.push(runAgain(play, first))
    added.push('run again')
  }
  if (closedAt !== undefined && chance.hits(first === undefined ? 0.7 : 0.4)) {
    reopen(play, story, closedAt)
    added.push('opened again')
  }
  if (chance.hits(0.12)) addPrune(play, story)
  if (chance.hits(0.12)) {
    addImpostor(play, first !== undefined)
    story.mustSucceed = false
    added.push('another caller takes the name')
  }
}

/**
 * A request may be sent twice, and both processed; this needs lists that lag. A step that loses both answers and has
 * little time leaves the rest to its post step.
 */
function loseFirstRequest(play: StoryBuilder, { added }: Story, job: JobPlan): void {
  const { world, chance } = play
  const isPreview = job.operation === 'create-preview'
  if (world.climate.lag.kind === 'none' || !chance.hits(isPreview ? 0.25 : 0.8)) return
  const lost = chance.pick([1, 2])
  job.weather = loseFirstRequests(chance.hits(0.7) ? clearWeather(chance) : job.weather, chance, lost)
  job.patience = lost === 1 || isPreview ? 30 * 60_000 : chance.pick([30 * 60_000, 90_000])
  job.settings.wait ||= chance.hits(0.8)
  if (chance.hits(0.7)) job.fate = undefined
  if (chance.hits(0.7)) job.given = withUniqueName(play, job)
  added.push('first request late')
}

/** Another job reads the connection details during the creation. */
function connectBeside(play: StoryBuilder, story: Story, { start }: JobPlan): void {
  const { thirdChance } = play.world
  if (!thirdChance.hits(0.2)) return
  const parts = { start: start + thirdChance.between(0, 120_000) }
  story.jobs.push(play.withChance(thirdChance).job('connect', 'get-connection', {}, parts))
  story.mustSucceed = false
  story.added.push('a connection beside')
}

/** An earlier run has forked the preview, and a run with `empty: true` meets it while reads may miss its parent. */
function emptyBeside(play: StoryBuilder, story: Story): void {
  const { world } = play
  const { lag } = world.climate
  const isOnlyParentLate = lag.kind === 'records' && Object.keys(lag.upTo).join() === 'forked_from'
  if (!isOnlyParentLate || !story.mustSucceed) return
  lag.upTo.forked_from = 24_000
  // Older than list_lag, so that only the quarantine waits for the parent.
  forkBefore(play, previewName('a1b2c3'), { at: opening - 11_000 })
  const another = play.withChance(world.thirdChance)
  const settings = another.settings({}, { empty: true })
  story.jobs.push(another.job('empty', 'create-preview', {}, { settings, start: opening - 500 }))
  story.mustSucceed = false
  story.added.push('a run with empty: true beside')
}

/** Newer additions, drawn separately: the seeds of the first stories stay the same. */
export function addTo(play: StoryBuilder, story: Story): void {
  const [job] = story.jobs
  if (story.pullRequest !== undefined) addToPreviews(play, story)
  else if (job && /^(create|fork)-/.test(job.operation)) addToCreation(play, story, job)
  const isFree = !story.added.includes('another caller takes the name')
  if (isFree && job && /^(create|fork)-/.test(job.operation)) loseFirstRequest(play, story, job)
  if (job?.operation === 'create-preview') {
    connectBeside(play, story, job)
    emptyBeside(play, story)
  }
}
