import type { Cleanup, GivenParameters, PreviewSettings, Settings } from '../../src/operations/context.ts'
import type { WorkflowEvent } from '../../src/preview/github.ts'
import { renderPreviewBase } from '../../src/preview/name.ts'
import type { Chance } from './chance.ts'
import type { JobPlan } from './job.ts'
import type { Fate } from './process.ts'
import { clearWeather, type Forecast, Weather } from './weather.ts'
import { projectId, repositoryHash, repositoryId, type World } from './world.ts'

/** What happens in one simulated run. */
export interface Story {
  name: string
  jobs: JobPlan[]
  /** The pull request that it is about, where it is about one. */
  pullRequest: number | undefined
  /** The parent that previews are forked from. */
  parentId: string
  /** Whether the runs must all succeed where nothing goes wrong. */
  mustSucceed: boolean
  /** Services that were there before, and that no job of the story may delete. */
  foreign: string[]
}

/** Milliseconds after which what is there from the start is READY. */
const opening = 120_000

export const pullRequest = 7
/** What every name of the pull request's previews starts with. */
export const previewBase = renderPreviewBase({ prefix: 'preview', pullRequest, repositoryHash })

/** Builds the jobs of a story. */
export class Playwright {
  readonly world: World
  readonly chance: Chance
  readonly #seen: Map<string, number>
  /** A day on which nothing goes wrong for anybody: what is left to go wrong is that runs cross. */
  readonly #isFine: boolean
  /** Within how many milliseconds the runs start. */
  readonly #spread: number
  readonly foreign: string[] = []
  readonly parentId: string

  constructor(world: World, chance: Chance, seen: Map<string, number>) {
    this.world = world
    this.chance = chance
    this.#seen = seen
    this.#isFine = chance.hits(0.15)
    this.#spread = chance.pick([300, 3000, 20_000])
    this.parentId = this.service('production', 'PROD')
    this.service(`preview-pr-${pullRequest}-ffffffff`)
    this.service(`other-pr-${pullRequest}-${repositoryHash}`)
    this.service(`preview-pr-${pullRequest}`)
  }

  /** A service that is there from the start. */
  service(name: string, environment_tag: 'DEV' | 'PROD' = 'DEV'): string {
    const { body } = this.world.store.call('create-service', { project_id: projectId, name, environment_tag })
    const { service_id, initial_password = '' } = body as { service_id: string; initial_password?: string }
    this.foreign.push(service_id)
    this.world.ledger.passwords.set(service_id, initial_password)
    return service_id
  }

  settings(more: Partial<Settings> = {}, preview: Partial<PreviewSettings> = {}): Settings {
    return {
      projectId: this.chance.hits(0.5) ? projectId : undefined,
      wait: true,
      waitForConnection: false,
      cleanup: 'never',
      listLag: 10_000,
      login: { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' },
      ...more,
      preview: {
        namePrefix: 'preview',
        pullRequest: undefined,
        previewName: undefined,
        comment: true,
        dryRun: false,
        maxAge: undefined,
        minAge: 30 * 60_000,
        maxDeletions: 10,
        ...preview,
      },
    }
  }

  weather(): Forecast {
    return this.#isFine ? clearWeather(this.chance) : new Weather(this.chance, this.#seen)
  }

  /** A quarter of all steps is cancelled or killed, at any await. */
  fate(): Fate | undefined {
    const { chance } = this
    if (this.#isFine || !chance.hits(0.25)) return undefined
    const delay = chance.pick([0, chance.between(0, 300), chance.between(0, 5000)])
    const kind = chance.pick(['cancelled', 'killed'] as const)
    this.#seen.set(kind, (this.#seen.get(kind) ?? 0) + 1)
    return { kind, atAwait: chance.whole(1, 25), delay }
  }

  job(name: string, operation: string, given: GivenParameters, parts: Partial<JobPlan> = {}): JobPlan {
    return {
      name,
      operation,
      given,
      settings: this.settings(),
      event: eventOf('synchronize'),
      start: opening + this.chance.between(0, this.#spread),
      patience: 30 * 60_000,
      weather: this.weather(),
      fate: this.fate(),
      ...parts,
    }
  }

  cleanup(): Cleanup {
    return this.chance.pick(['always', 'always', 'on-failure', 'never'])
  }

  /** A moment in which a change may cross a run that started with the story. */
  later(): number {
    return opening + this.chance.pick([this.chance.between(0, 3000), this.chance.between(0, 150_000)])
  }
}

export function eventOf(action: string, state: 'open' | 'closed' = 'open'): WorkflowEvent {
  return {
    name: 'pull_request',
    action,
    pullRequest: { number: pullRequest, state, fromFork: false },
    repository: 'octo/shop',
    repositoryId,
    actor: 'octocat',
    runUrl: 'https://github.example/run',
  }
}
