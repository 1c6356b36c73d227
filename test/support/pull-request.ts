/** Runs steps as workflows of pull requests do. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StepResult } from '../../tools/runner/run-step.ts'
import { examineRequests } from './github/examine-requests.ts'
import { type FakeGitHub, startFakeGitHub } from './github/fake-github.ts'
import { type PullRequestAction, pullRequestEvent } from './github/pull-request-event.ts'
import { tokens } from './github/tokens.ts'
import { useOpened } from './use-opened.ts'
import {
  type BenchOptions,
  type Inputs,
  openWorkbench,
  query,
  type Workbench,
  type WorkbenchOptions,
} from './workbench.ts'

export interface Repository {
  bench: Workbench
  github: FakeGitHub
  /** Runs a step as the workflow of a pull request event would. */
  on(action: PullRequestAction, number: number, inputs: Inputs, options?: EventOptions): Promise<StepResult>
  /** Runs a step on an event without a pull request. */
  onEvent(name: string, inputs: Inputs, options?: BenchOptions & { payload?: object }): Promise<StepResult>
  /** A service in production, with a table of orders. */
  production(orders: number): Promise<{ id: string; url: string }>
  /** The names of all services, in the order of the list. */
  services(): Promise<{ service_id: string; name: string; status: string }[]>
  stop(): Promise<void>
}

type EventOptions = BenchOptions & {
  fromFork?: boolean
  labels?: string[]
  /** True if the pull request has changed since the event. */
  isLate?: boolean
}

/** An emulator and a GitHub for the scenarios of a file. */
export async function openRepository(options: WorkbenchOptions = {}): Promise<Repository> {
  const [bench, github, folder] = await Promise.all([
    openWorkbench(options),
    startFakeGitHub(),
    mkdtemp(join(tmpdir(), 'events-')),
  ])
  let events = 0

  async function run(
    name: string,
    payload: object,
    inputs: Inputs,
    stepOptions: BenchOptions,
  ): Promise<StepResult> {
    const event = join(folder, `${++events}.json`)
    await writeFile(event, JSON.stringify(payload))
    const environment = {
      ...github.environment,
      GITHUB_EVENT_NAME: name,
      GITHUB_EVENT_PATH: event,
      GITHUB_ACTOR: 'octocat',
      GITHUB_RUN_ID: '4711',
      ...stepOptions.environment,
    }
    const mark = github.requests.length
    const result = await bench.step(
      { github_token: tokens.actions, ...inputs },
      { ...stepOptions, environment },
    )
    examineRequests(bench.watch, github.requests.slice(mark))
    return result
  }

  return {
    bench,
    github,
    on(action, number, inputs, { fromFork = false, isLate = false, labels, ...stepOptions } = {}) {
      // GitHub sends the event after the change.
      if (action === 'closed' && !isLate) github.closePullRequest(number)
      if (labels) github.changePullRequest(number, { labels })
      const payload = pullRequestEvent(action, { number, fromFork, ...(labels && { labels }) })
      return run('pull_request', payload, inputs, stepOptions)
    },
    onEvent: (name, inputs, { payload = {}, ...stepOptions } = {}) => run(name, payload, inputs, stepOptions),
    async production(orders) {
      const inputs = { operation: 'create-service', name: 'production', environment_tag: 'PROD' }
      const { outputs } = await bench.runSuccessfully({ ...inputs, wait_for_connection: 'true' })
      const { service_id = '', database_url = '' } = outputs
      await query(database_url, `create table orders as select generate_series(1, ${orders}) as id`)
      return { id: service_id, url: database_url }
    },
    async services() {
      const { outputs } = await bench.runSuccessfully({ operation: 'list-services' })
      return JSON.parse(outputs.result as string)
    },
    async stop() {
      await Promise.all([bench.stop(), github.stop(), rm(folder, { recursive: true, force: true })])
    },
  }
}

/** An emulator and a GitHub for the tests of a file or group. */
export const useRepository = (options?: WorkbenchOptions) => useOpened(() => openRepository(options))
