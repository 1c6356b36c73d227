import { addTo } from './additions.ts'
import { Chance } from './chance.ts'
import { describeClimate } from './climate.ts'
import { checkDeletions, checkGiven, checkUntouched } from './deletion-invariants.ts'
import { checkRun } from './invariants.ts'
import { runJob } from './job.ts'
import type { JobPlan, JobReport } from './job-plan.ts'
import { checkLeft, livingPreviews } from './left-invariants.ts'
import { checkFollowed, checkLife } from './life-invariants.ts'
import { lifeStories } from './life-stories.ts'
import { noteworthy } from './noteworthy.ts'
import { areTwoAtRest, checkFinale, checkNextRun, checkRest } from './preview-invariants.ts'
import { previewBase, pullRequest } from './preview-names.ts'
import { create, previewStory } from './preview-stories.ts'
import { changeStory, createStory } from './single-stories.ts'
import { eventOf, Playwright, type Story } from './stories.ts'
import type { Played, Violation } from './violation.ts'
import { clearWeather } from './weather.ts'
import { World } from './world.ts'

/** What came of one seed. */
export interface SeedReport {
  seed: number
  story: string
  /** What was added to it, and what held for all of it. */
  added: string[]
  /** Runs of the action. */
  runs: number
  violations: Violation[]
  /** What broke no promise, and is counted. */
  counted: string[]
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
async function play(world: World, plans: JobPlan[]): Promise<(JobReport | undefined)[]> {
  const reports: (JobReport | undefined)[] = plans.map(() => undefined)
  const begin = (plan: JobPlan) => {
    void runJob(world, plan).then(report => {
      reports[plans.indexOf(plan)] = report
      for (const next of plans) if (next.after === plan) begin(next)
    })
  }
  for (const plan of plans) if (plan.after === undefined) begin(plan)
  await world.time.run()
  return reports
}

/** The runs that follow when all is at rest: on a clear day, and with all of their time. */
async function playNext(played: Played, plan: JobPlan): Promise<Played> {
  const { world, story } = played
  return { world, story, reports: (await play(world, [plan])).filter(isThere) }
}

const clearOf = ({ secondChance }: World) => ({
  weather: clearWeather(secondChance),
  fate: undefined,
  patience: 30 * 60_000,
  start: 60_000,
})

/** Two previews at rest are one after another run of the pull request. */
async function runNext(played: Played, author: Playwright): Promise<Violation[]> {
  const { world } = played
  if (!areTwoAtRest(played) || world.pullRequests.shown(pullRequest)?.state !== 'open') return []
  return checkNextRun(await playNext(played, create(author.another(), 'next', clearOf(world))))
}

/** Whatever befell the runs of before, one more brings about what the pull request is to have by then. */
async function followUp(played: Played, author: Playwright): Promise<Violation[]> {
  const { world, story } = played
  const facts = world.pullRequests.current(pullRequest)
  if (!story.isOfLife || story.isContested || facts === undefined) return []
  const action = facts.state === 'closed' ? 'edited' : 'synchronize'
  const event = eventOf(action, facts.state, facts)
  const settings = author.settings({}, story.rules)
  const parts = { ...clearOf(world), event, settings }
  const before = livingPreviews(played, previewBase())
  const job = author.another().job('next', 'preview', { service_id: author.parentId }, parts)
  const next = await playNext(played, job)
  return [...next.reports.flatMap(report => checkRun(next, report)), ...checkFollowed(next, before)]
}

/** The pull request is closed at last: delete-preview, unless its run gets lost, and later prune, on a clear day. */
async function finale(world: World, chance: Chance, author: Playwright): Promise<(JobReport | undefined)[]> {
  world.pullRequests.closeAll()
  world.queue.clear()
  const clear = { weather: clearWeather(chance), fate: undefined }
  const closing = { ...clear, start: 0, event: eventOf('closed', 'closed') }
  const close = author.job('last close', 'delete-preview', { service_id: author.parentId }, closing)
  // Half an hour is what prune leaves young ones; clocks are apart by 2 min.
  const settings = author.settings({}, { namePrefix: undefined })
  const pruning = { ...clear, settings, start: 34 * 60_000 }
  const prune = author.job('last prune', 'prune-previews', { service_id: author.parentId }, pruning)
  const closings = chance.hits(0.3) ? [] : [close]
  return [...(await play(world, closings)), ...(await play(world, [prune]))]
}

function endless(plans: JobPlan[], reports: (JobReport | undefined)[]): Violation[] {
  return plans
    .filter((_, index) => reports[index] === undefined)
    .map(({ name }) => ({ invariant: 'a run ends', detail: `${name} does not` }))
}

const isThere = <Value>(value: Value | undefined): value is Value => value !== undefined

/** What came of a story. */
interface Judged {
  violations: Violation[]
  counted: string[]
}

async function perform(world: World, chance: Chance, author: Playwright, story: Story): Promise<Judged> {
  const all = await play(world, story.jobs)
  const reports = all.filter(isThere)
  const played = { world, story, reports }
  const rest = [
    ...endless(story.jobs, all),
    ...reports.flatMap(report => [...checkRun(played, report), ...checkLeft(played, report)]),
    ...(story.pullRequest === undefined ? [] : [...checkRest(played), ...checkLife(played)]),
  ]
  const counted = noteworthy(played)
  if (story.pullRequest === undefined) return { violations: [...rest, ...checkAll(played)], counted }
  rest.push(...(await runNext(played, author)), ...(await followUp(played, author)))
  const last = (await finale(world, chance, author)).filter(isThere)
  const whole = { world, story, reports: [...reports, ...last] }
  const violations = [...rest, ...last.flatMap(report => checkRun(whole, report))]
  return { violations: [...violations, ...checkFinale(whole), ...checkAll(whole)], counted }
}

/** What is told of each run by all that was done. */
function checkAll(played: Played): Violation[] {
  const checks = [checkDeletions, checkUntouched, checkGiven]
  return played.reports.flatMap(report => checks.flatMap(check => check(played, report)))
}

const stories = [createStory, createStory, createStory, changeStory, ...Array(6).fill(previewStory)]

/** Beyond all seeds that can be asked for: no story's second chance is the first of another. */
const secondChances = 2 ** 30

/** Another one beyond those. Of many it is one that leaves the seeds as they were by which few broken variants are found. */
const thirdChances = 2 ** 31 + 9962

/** How often a seed tells of more than opening and closing. Drawn apart, so that the other seeds stay as they were. */
const lifeShare = 0.3

function tellStory(author: Playwright, third: Chance): Story {
  if (third.hits(lifeShare)) return { ...third.pick(lifeStories)(author), isOfLife: true }
  const story = author.chance.pick(stories)(author)
  addTo(author.another(), story)
  return story
}

/** Simulates one seed: the same seed gives the same story, faults and end. */
export async function simulate(
  seed: number,
  { tracing = false, seen = new Map() }: SeedOptions = {},
): Promise<SeedReport> {
  const chance = new Chance(seed)
  const world = new World(chance, new Chance(seed + secondChances), tracing)
  const author = new Playwright(world, chance, seen)
  const story = tellStory(author, new Chance(seed + thirdChances))
  const judged = await perform(world, chance, author, story).catch((error: Error) => ({
    violations: [{ invariant: 'a run ends', detail: String(error.stack) }],
    counted: [],
  }))
  const added = [...story.added, ...describeClimate(world.climate)]
  return { seed, story: story.name, added, runs: story.jobs.length, ...judged, lines: world.lines }
}
