import { Chance } from './chance.ts'
import { checkForeign, checkJob, type Violation } from './invariants.ts'
import { type JobPlan, type JobReport, runJob } from './job.ts'
import { checkFinale, checkRest } from './preview-invariants.ts'
import { previewStory } from './preview-stories.ts'
import { changeStory, createStory } from './single-stories.ts'
import { eventOf, Playwright, pullRequest, type Story } from './stories.ts'
import { clearWeather } from './weather.ts'
import { World } from './world.ts'

/** What came of one seed. */
export interface SeedReport {
  seed: number
  story: string
  /** Runs of the action. */
  runs: number
  violations: Violation[]
  /** What happened, for a replay; empty without tracing. */
  lines: string[]
}

export interface SeedOptions {
  /** Keeps a timeline. */
  tracing?: boolean
  /** Counts the faults by their kind. */
  seen?: Map<string, number>
}

/** The runs of a story beside each other, until all is at rest. */
async function play(world: World, chance: Chance, plans: JobPlan[]): Promise<(JobReport | undefined)[]> {
  const reports: (JobReport | undefined)[] = plans.map(() => undefined)
  plans.forEach((plan, index) => {
    void runJob(world, chance, plan).then(report => {
      reports[index] = report
    })
  })
  await world.time.run()
  return reports
}

/** The pull request is closed at last: delete-preview, unless its run gets lost, and half an hour later prune, on a clear day. */
async function finale(world: World, chance: Chance, author: Playwright): Promise<(JobReport | undefined)[]> {
  world.pullRequests.set(pullRequest, 'closed')
  const clear = { weather: clearWeather(chance), fate: undefined }
  const closing = { ...clear, start: 0, event: eventOf('closed', 'closed') }
  const close = author.job('last close', 'delete-preview', { service_id: author.parentId }, closing)
  const pruning = { ...clear, start: 31 * 60_000 }
  const prune = author.job('last prune', 'prune-previews', { service_id: author.parentId }, pruning)
  const closings = chance.hits(0.3) ? [] : [close]
  return [...(await play(world, chance, closings)), ...(await play(world, chance, [prune]))]
}

function endless(plans: JobPlan[], reports: (JobReport | undefined)[]): Violation[] {
  return plans
    .filter((_, index) => reports[index] === undefined)
    .map(({ name }) => ({ invariant: 'a run ends', detail: `${name} does not` }))
}

const isThere = <Value>(value: Value | undefined): value is Value => value !== undefined

async function perform(world: World, chance: Chance, author: Playwright, story: Story): Promise<Violation[]> {
  const reports = await play(world, chance, story.jobs)
  const ended = reports.filter(isThere)
  const single = [...endless(story.jobs, reports), ...ended.flatMap(report => checkJob(world, report))]
  if (story.pullRequest === undefined) return [...single, ...checkForeign(world, story)]
  const rest = checkRest(world, story, ended)
  const last = (await finale(world, chance, author)).filter(isThere)
  return [
    ...single,
    ...rest,
    ...last.flatMap(report => checkJob(world, report)),
    ...checkFinale(world, story),
    ...checkForeign(world, story),
  ]
}

const stories = [createStory, createStory, createStory, changeStory, ...Array(6).fill(previewStory)]

/** Simulates one seed: the same seed gives the same story, faults and end. */
export async function simulate(
  seed: number,
  { tracing = false, seen = new Map() }: SeedOptions = {},
): Promise<SeedReport> {
  const chance = new Chance(seed)
  const world = new World(chance, tracing)
  const author = new Playwright(world, chance, seen)
  const story = chance.pick(stories)(author)
  const violations = await perform(world, chance, author, story).catch((error: Error) => [
    { invariant: 'a run ends', detail: String(error.stack) },
  ])
  return { seed, story: story.name, runs: story.jobs.length, violations, lines: world.lines }
}
