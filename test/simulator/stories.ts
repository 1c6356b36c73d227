/** The parts of stories: jobs, fates, events. */
import type { AllSettings } from '#database/context'
import type { Cleanup, GivenParameters } from '#operations/base/context'
import type { PreviewSettings } from '#preview/base/context'
import type { WorkflowEvent } from '#preview/base/github'
import type { Chance } from './chance.ts'
import { defaultSettings } from './default-settings.ts'
import { drawEnd, type End } from './end-weather.ts'
import type { JobPlan } from './job-plan.ts'
import { addOddFaults } from './odd-weather.ts'
import { pullRequest, repositoryHash, repositoryId } from './preview-names.ts'
import type { Fate } from './process.ts'
import type { PullRequestFacts, State } from './pull-requests.ts'
import type { Rules } from './subject.ts'
import { clearWeather, countFault, drawWeather, type FaultCounts, type Forecast } from './weather.ts'
import { otherCaller, projectId, type World } from './world.ts'

/** The events of one simulation. */
export interface Story {
  name: string
  added: string[]
  jobs: JobPlan[]
  /** The pull request of the story, if there is one. */
  pullRequest: number | undefined
  parentId: string
  /** Whether the runs must all succeed without faults. */
  mustSucceed: boolean
  /** When the pull request is closed, if the runs are still at work then. */
  closedAt?: number | undefined
  /**
   * Whether the preview changes on purpose while the runs are at work: it is replaced, or labels come and go. Then one
   * run may rightly delete the database of another.
   */
  changes?: boolean
  /** Whether the story goes beyond opening and closing: then one more run follows at the end. */
  isOfLife?: boolean
  /** The pull requests that should have a preview, if the story covers that: one more run must then achieve it. */
  rules?: Rules
  /** Whether it covers masked copies: then one more night follows at the end. */
  hasNights?: boolean
  /** Whether another owner's service has the preview's name, so every run may have to fail. */
  isContested?: boolean
  /** Services of others, from before the story or during it: no job of the story may delete them. */
  foreign: string[]
}

/** Milliseconds before the story starts: existing services are READY by then, and some no longer young. */
export const opening = 420_000

/** Builds the jobs of a story. */
export class StoryBuilder {
  readonly world: World
  readonly chance: Chance
  readonly foreign: string[]
  readonly parentId: string
  readonly #seen: FaultCounts
  /** Whether there are no faults: then only races between runs are left. */
  readonly #isFine: boolean
  readonly #spread: number

  /** `other`: the playwright of the shared scene, to add to its story. */
  constructor(world: World, chance: Chance, seen: FaultCounts, other?: StoryBuilder) {
    this.world = world
    this.chance = chance
    this.#seen = seen
    this.#isFine = other ? other.#isFine : chance.hits(0.15)
    this.#spread = other ? other.#spread : chance.pick([300, 3000, 20_000])
    this.foreign = other ? other.foreign : []
    this.parentId = other ? other.parentId : this.#setScene()
  }

  /** The parent of previews, and services that look like a preview. */
  #setScene(): string {
    const parentId = this.service('production', 'PROD')
    this.service(`preview-pr-${pullRequest}-ffffffff-a1b2c3`)
    this.service(`other-pr-${pullRequest}-${repositoryHash}-a1b2c3`)
    this.service(`preview-pr-${pullRequest}`)
    // A third of the teams fill their previews.
    if (this.world.thirdChance.hits(0.3)) this.world.seeds = [{ name: 'seed.sql', text: '', hash: '1' }]
    return parentId
  }

  /** A playwright that adds to this story with its own chance, so the story stays the same. */
  withChance(chance = this.world.secondChance): StoryBuilder {
    return new StoryBuilder(this.world, chance, this.#seen, this)
  }

  /** A service that exists from the start. */
  service(name: string, environment_tag: 'DEV' | 'PROD' = 'DEV'): string {
    const given = { project_id: projectId, name, environment_tag }
    const id = this.world.call(otherCaller, 'create-service', given) as string
    this.foreign.push(id)
    return id
  }

  /** Forks the parent now, or another service; returns the id, or undefined after a refusal. */
  fork(name: string, by = 'an earlier run', given: GivenParameters = {}): string | undefined {
    const all = {
      project_id: projectId,
      service_id: this.parentId,
      fork_strategy: 'NOW' as const,
      name,
      ...given,
    }
    return this.world.call(by, 'fork-service', all)
  }

  /** The pull request changes at a moment. */
  changePullRequest(at: number, change: State | Partial<PullRequestFacts>): void {
    const { time, pullRequests } = this.world
    time.schedule(at, () => {
      this.world.trace('GitHub', `the pull request is now ${JSON.stringify(change)}`)
      pullRequests.set(pullRequest, change)
    })
  }

  /** A story of the jobs, about the previews of the pull request. */
  story(name: string, jobs: JobPlan[], more: Partial<Story> = {}): Story {
    const { parentId, foreign } = this
    return { name, added: [], jobs, pullRequest, parentId, foreign, mustSucceed: false, ...more }
  }

  settings(more: Partial<AllSettings> = {}, preview: Partial<PreviewSettings> = {}): AllSettings {
    return {
      ...defaultSettings,
      projectId: this.chance.hits(0.5) ? projectId : undefined,
      ...more,
      preview: { ...defaultSettings.preview, ...preview },
    }
  }

  weather(): Forecast {
    if (this.#isFine) return clearWeather(this.chance)
    return addOddFaults(drawWeather(this.chance, this.#seen), this.world, this.#seen)
  }

  /** A quarter of all steps is cancelled or killed, at any await. */
  fate(): Fate | undefined {
    const { chance } = this
    if (this.#isFine || !chance.hits(0.25)) return undefined
    const delay = chance.pick([0, chance.between(0, 300), chance.between(0, 5000)])
    const kind = chance.pick(['cancelled', 'killed'] as const)
    countFault(this.#seen, kind)
    return { kind, atAwait: chance.whole(1, 25), delay }
  }

  job(
    name: string,
    operation: string,
    given: GivenParameters,
    parts: Partial<Omit<JobPlan, 'end'>> = {},
  ): JobPlan {
    const { chance } = this
    const isOfPreview = /preview|get-connection/.test(operation)
    const plan = {
      name,
      operation,
      given,
      settings: this.settings(),
      event: eventOf('synchronize'),
      start: opening + chance.between(0, this.#spread),
      patience: 30 * 60_000,
      chance,
      weather: this.weather(),
      fate: this.fate(),
      ...parts,
    }
    const settings = isOfPreview ? { ...plan.settings, quarantine: true } : plan.settings
    const seeds = isOfPreview && operation !== 'get-connection' ? this.world.seeds : []
    return { ...plan, settings, seeds, end: this.#endOf(plan) }
  }

  #endOf({ settings }: { settings: AllSettings }): End {
    if (this.#isFine || settings.cleanup === 'never')
      return { weather: clearWeather(this.chance), fate: undefined }
    return drawEnd(this.world.secondChance, this.#seen)
  }

  cleanup(): Cleanup {
    return this.chance.pick(['always', 'always', 'on-failure', 'never'])
  }

  /** A moment at which a change may race with a run that started with the story. */
  later(): number {
    return opening + this.chance.pick([this.chance.between(0, 3000), this.chance.between(0, 150_000)])
  }
}

export function eventOf(
  action: string,
  state: 'open' | 'closed' = 'open',
  { labels = [], draft = false }: Partial<PullRequestFacts> = {},
): WorkflowEvent {
  const told = { number: pullRequest, state, fromFork: false, labels, draft }
  return { ...eventWithoutPullRequest('pull_request'), action, pullRequest: told }
}

export function queueEventOf(headSha: string): WorkflowEvent {
  return { ...eventWithoutPullRequest('merge_group'), action: 'checks_requested', mergeGroup: { headSha } }
}

/** An event without a pull request. */
export function eventWithoutPullRequest(name: string): WorkflowEvent {
  return {
    name,
    action: undefined,
    pullRequest: undefined,
    repository: 'octo/shop',
    repositoryId,
    actor: 'octocat',
    runUrl: 'https://github.example/run',
  }
}
