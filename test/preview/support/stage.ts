/** A stage: the simulated world with one pull request, for tests of previews. */
import { onTestFinished } from 'vitest'
import { operations, runOperation } from '#action/inputs/operation-table'
import type { EndpointName } from '#api/endpoints'
import type { Service } from '#api/records'
import type { ActionError } from '#base/errors'
import type { SeedFile } from '#contents/sql/seeds'
import type { GivenParameters, Settings } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import type { PreviewSettings } from '#preview/base/context'
import type { GitHub, PreviewReport, WorkflowEvent } from '#preview/base/github'
import { previewBaseOf } from '#preview/base/name'
import type { Dating, Lag } from '../../simulator/climate.ts'
import { defaultSettings } from '../../simulator/default-settings.ts'
import { previewBase, previewName, pullRequest } from '../../simulator/preview-names.ts'
import type { PullRequestFacts, State } from '../../simulator/pull-requests.ts'
import { projectId, World } from '../../simulator/world.ts'
import { completeEvent, eventOf, minute, second } from './inputs.ts'
import { type Call, type Responder, StagedRun } from './staged-run.ts'
import { SteadyChance } from './steady-chance.ts'

/** The conditions of a test. Times in milliseconds. */
export interface StageOptions {
  lag?: Lag
  dating?: Dating
  /** Whether deleted services stay in answers forever, in status DELETED. */
  keepsDeleted?: boolean
  readyAfter?: number
  deleteAfter?: number
  changeAfter?: number
}

/** The conditions of a run. */
export interface RunOptions {
  given?: GivenParameters
  event?: Partial<WorkflowEvent>
  settings?: Partial<Settings>
  preview?: Partial<PreviewSettings>
  seeds?: SeedFile[]
  /** Milliseconds until it begins. */
  start?: number
  /** Milliseconds until its deadline. */
  patience?: number
  cancelledAfter?: number
  /**
   * Kills the run `after` milliseconds after its n-th call to the API or GitHub. It then has neither outcome nor error.
   */
  killed?: { call: number; after: number }
}

/** The result of a run; either `outcome` or `error` is set, unless it was killed. */
export interface RunReport
  extends Pick<StagedRun, 'lines' | 'notices' | 'warnings' | 'masked' | 'calls' | 'notes'> {
  outcome: Outcome | undefined
  /** The id of the service in the outcome; empty without one. */
  id: string
  error: ActionError | undefined
  /** The ids in the calls of this operation or method, in order. */
  idsOf(name: string): string[]
  /** Milliseconds of virtual time. */
  took: number
}

/** A preview of an earlier run. */
export interface Earlier {
  /** 6 letters or digits. */
  random?: string
  number?: number
  /** Its parent. */
  parent?: string
  environment?: string
  name?: string
}

/**
 * The emulator's store, an open pull request and a parent, in virtual time. A test adds everything else, including
 * events during a run.
 */
export class Stage {
  readonly world: World
  readonly parent: string
  /** A service without previews. */
  readonly other: string
  /** The comments of pull requests in order. */
  readonly comments: (PreviewReport & { pullRequest: number })[] = []
  /** The blocks of each comment, as JSON. */
  readonly commentBlocks: string[] = []
  readonly #chance = new SteadyChance(1)
  readonly #responders: Responder[] = []
  readonly #runs: StagedRun[] = []
  #passing: Promise<void> | undefined

  constructor({
    lag = { kind: 'none' },
    dating = { kind: 'agrees' },
    keepsDeleted = false,
    ...timing
  }: StageOptions = {}) {
    const climate = { lag, dating, gitHubLag: 0, isQuick: false, retryAfter: 1, keepsDeleted }
    this.world = new World([this.#chance, this.#chance, this.#chance], false, {
      climate,
      timing: { readyAfter: 20 * second, deleteAfter: 5 * second, changeAfter: second, ...timing },
    })
    this.parent = this.callAsOther('create-service', {
      name: 'production',
      environment_tag: 'PROD',
    }) as string
    this.other = this.callAsOther('create-service', { name: 'other' }) as string
    this.advanceTime(10 * minute)
    this.setPullRequest('open')
  }

  /** Advances the time before the first run. */
  advanceTime(milliseconds: number): void {
    this.world.time.now += milliseconds
  }

  /** Schedules an event in `milliseconds` from now. */
  schedule(milliseconds: number, act: () => void): void {
    this.world.time.schedule(milliseconds, act)
  }

  setPullRequest(change: State | Partial<PullRequestFacts>, number = pullRequest): void {
    this.world.pullRequests.set(number, change)
  }

  /** Sets the commits in the merge queue. */
  setQueue(...commits: string[]): void {
    this.world.queue.clear()
    for (const commit of commits) this.world.queue.add(commit)
  }

  /** Calls the API as another actor. Returns the id of a new record. */
  callAsOther(operation: EndpointName, parameters: Record<string, unknown>): string | undefined {
    return this.world.call('another caller', operation, { project_id: projectId, ...parameters } as never)
  }

  /** Creates a preview as an earlier run would. After `advanceTime` it is READY. Returns its id. */
  createPreview({ random = 'a1b2c3', number = pullRequest, ...earlier }: Earlier = {}): string {
    const { parent = this.parent, environment = 'DEV', name = previewName(random, number) } = earlier
    const fork = { service_id: parent, fork_strategy: 'NOW', name, environment_tag: environment }
    const id = this.callAsOther('fork-service', fork)
    if (id === undefined) throw new Error(`${parent} cannot be forked now`)
    return id
  }

  deleteService(service_id: string): void {
    this.callAsOther('delete-service', { service_id })
  }

  /** Pauses a service as prune does, and advances the time by `since` milliseconds. */
  pause(service_id: string, since = minute): void {
    this.callAsOther('stop-service', { service_id })
    this.advanceTime(since)
  }

  setEnvironment(service_id: string, environment: string): void {
    this.callAsOther('set-environment', { service_id, environment })
  }

  /** Answers the n-th call of an operation or method. Fails the test if no run makes that call. */
  onCall(name: string, respond: Responder, nth = 1): void {
    let count = 0
    onTestFinished(() => {
      if (count < nth) throw new Error(`no run made call ${nth} of ${name}, which the test wanted to answer`)
    })
    this.#responders.push(call => (call.name === name && ++count === nth ? respond(call) : undefined))
  }

  /** Answers every call of an operation or method. */
  onEveryCall(name: string, respond: Responder): void {
    this.#responders.push(call => (call.name === name ? respond(call) : undefined))
  }

  /** Sends every run the signal of a cancelled job. */
  cancel(): void {
    for (const run of this.#runs) run.cancel()
  }

  /** Runs an operation to its end; earlier calls run concurrently. */
  async run(operation: string, options: RunOptions = {}): Promise<RunReport> {
    const { start: delay = 0, given = { service_id: this.parent, fork_strategy: 'NOW' } } = options
    const preview = { empty: given.service_id === undefined, ...options.preview }
    const run = this.#enter(operation, { ...options, preview })
    const start = this.world.time.now + delay
    let end: Pick<RunReport, 'outcome' | 'error' | 'took'> | undefined
    this.schedule(delay, () => {
      const asked = operations.get(operation)
      if (asked === undefined) throw new Error(`there is no operation ${operation}`)
      const settle = (outcome?: Outcome, error?: ActionError) => {
        end = { outcome, error, took: this.world.time.now - start }
      }
      runOperation(asked, given, run.context).then(settle, error => settle(undefined, error))
    })
    this.#passing ??= this.world.time.run().finally(() => {
      this.#passing = undefined
    })
    await this.#passing
    if (run.misplacedCourse)
      throw new Error(
        `the test answers ${run.misplacedCourse} with a course of the API; only an error can answer it`,
      )
    if (options.killed && !run.isKilled) throw new Error(`${operation} ended before the test killed it`)
    if (run.isKilled) end ??= { outcome: undefined, error: undefined, took: this.world.time.now - start }
    if (end === undefined)
      throw new Error(`${operation} never ended: nothing is scheduled that it could wait for`)
    const { calls, lines, notices, warnings, masked, notes } = run
    const idsOf = (name: string) => calls.filter(call => call.name === name).map(({ id }) => id)
    const id = end.outcome?.ids.service_id ?? ''
    return { ...end, id, calls, lines, notices, warnings, masked, notes, idsOf }
  }

  /** A run before its start. */
  #enter(operation: string, { settings, preview, event, patience = 30 * minute, ...options }: RunOptions) {
    const run = new StagedRun({
      name: `${operation} ${this.#runs.length + 1}`,
      operation,
      world: this.world,
      chance: this.#chance,
      settings: {
        ...defaultSettings,
        quarantine: true,
        ...settings,
        preview: { ...defaultSettings.preview, ...preview },
      },
      seeds: options.seeds ?? [],
      event: completeEvent({ ...eventOf('synchronize'), ...event }),
      patience,
      respond: call => this.#respond(call),
      killed: options.killed,
      writeComment: this.#writeComment,
    })
    this.#runs.push(run)
    if (options.cancelledAfter !== undefined) this.schedule(options.cancelledAfter, () => run.cancel())
    return run
  }

  #respond(call: Call): ReturnType<Responder> {
    // Every responder runs, since each counts its calls.
    return this.#responders.map(respond => respond(call)).find(answer => answer !== undefined)
  }

  readonly #writeComment: GitHub['writeComment'] = async (number, report, { onlyUpdate }) => {
    const isThere = this.comments.some(
      ({ pullRequest, name }) => pullRequest === number && name === report.name,
    )
    if (onlyUpdate && !isThere) return undefined
    const { blocks, migrations: _, ...facts } = report
    this.comments.push({ ...facts, pullRequest: number })
    this.commentBlocks.push(JSON.stringify(blocks))
    return `https://github.example/comment-of-${number}`
  }

  /** The real record of a service; undefined if it is gone. */
  service(id: string | undefined): Service | undefined {
    return this.world.services().find(({ service_id }) => service_id === id)
  }

  /** The ids of all previews of a pull request, without those being deleted. */
  livePreviews(number = pullRequest): string[] {
    return this.world
      .services()
      .filter(({ name = '', status }) => previewBaseOf(name) === previewBase(number) && status !== 'DELETING')
      .map(({ service_id }) => service_id)
  }

  /** The ids of the services that runs deleted, in order. */
  deletedServices(): string[] {
    return this.world.ledger.deletions.map(({ id }) => id)
  }

  passwordOf(id: string | undefined): string | undefined {
    return this.world.ledger.passwords.get(id ?? '')
  }

  /** The states in the comment of the pull request. */
  commentStates(number = pullRequest): string[] {
    return this.comments.filter(comment => comment.pullRequest === number).map(({ state }) => state)
  }
}

/** Opens a stage with a preview that an earlier run created ten minutes ago. */
export function stagePreview(options: StageOptions = {}, earlier: Earlier = {}) {
  const stage = new Stage(options)
  const id = stage.createPreview(earlier)
  stage.advanceTime(10 * minute)
  return { stage, id }
}
