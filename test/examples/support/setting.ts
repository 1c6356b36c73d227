/** Opens the servers for tests of examples. */
import type { Service } from '#api/records'
import { examineRequests } from '../../support/github/examine-requests.ts'
import { type FakeGitHub, startFakeGitHub } from '../../support/github/fake-github.ts'
import { type PullRequestAction, pullRequestEvent } from '../../support/github/pull-request-event.ts'
import { useOpened } from '../../support/use-opened.ts'
import { openWorkbench, query, type Workbench, type WorkbenchOptions } from '../../support/workbench.ts'
import type { JobRecord } from './run-job.ts'
import { runWorkflow, type Setting } from './run-workflow.ts'
import type { StartingEvent } from './workflow-file.ts'

/** The key that seals connections between jobs. */
export const sealSecret = 'for-seals-and-nothing-else'

/** The secret from which the passwords of previews derive. */
export const passwordSecret = 'for-passwords-and-nothing-else'

export interface Stage {
  bench: Workbench
  github: FakeGitHub
  /** Of a service with three orders. */
  parentId: string
  /** Runs a workflow on any event; `environment` is added to that of its steps. */
  run(
    path: string,
    event: StartingEvent,
    environment?: Record<string, string>,
  ): Promise<Record<string, JobRecord>>
  /** Runs a workflow on something that happens to a pull request. */
  happens(path: string, action: PullRequestAction, number: number): Promise<Record<string, JobRecord>>
  /** As `happens`, for a pull request from a fork: GitHub gives such a run no secrets. */
  happensInFork(path: string, action: PullRequestAction, number: number): Promise<Record<string, JobRecord>>
  /** All services but the parent. */
  others(): Promise<Service[]>
  /** Rows of a preview, with the password that get-connection gives. */
  rows(serviceId: string | undefined, sql: string): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

/** The outputs of the step that makes it. */
async function createParent(
  bench: Workbench,
  databases: 'real' | 'invented',
): Promise<Record<string, string>> {
  const wait_for_connection = String(databases === 'real')
  const inputs = { operation: 'create-service', name: 'shop', wait_for_connection }
  const { outputs } = await bench.runSuccessfully(inputs)
  const orders =
    "create table orders (id int primary key, product text); insert into orders values (1, 'tea'), (2, 'pot'), (3, 'cup')"
  if (databases === 'real') await query(outputs.database_url, orders)
  return outputs
}

export const onPush = { name: 'push' as const, payload: {} }

export const onPullRequest = (action: PullRequestAction, number: number) => ({
  name: 'pull_request' as const,
  payload: pullRequestEvent(action, { number }),
})

/** A GitHub with one repository and an API with one parent, as teams have them. */
async function openStage(options: WorkbenchOptions): Promise<Stage> {
  // A snapshot from before the orders would count for LAST_SNAPSHOT; without one, previews start from the data of NOW.
  const bench = await openWorkbench(options)
  const github = await startFakeGitHub()
  const stop = async () => {
    await Promise.all([github.stop(), bench.stop()])
  }
  try {
    const parent = await createParent(bench, options.databases ?? 'real')
    const parentId = parent.service_id ?? ''
    const setting: Setting = {
      variables: { DATABASE_BASE_URL: bench.emulator.baseUrl, DATABASE_SERVICE_ID: parentId },
      secrets: {
        DATABASE_PUBLIC_KEY: 'public-test',
        DATABASE_SECRET_KEY: bench.secretKey,
        DATABASE_URL: parent.database_url ?? '',
        DATABASE_PASSWORD_SECRET: passwordSecret,
        DATABASE_SEAL_SECRET: sealSecret,
      },
      environment: { ...github.environment, GITHUB_ACTOR: 'octocat' },
      watch: bench.watch,
    }
    const start = async (path: string, event: StartingEvent, changes: Partial<Setting>) => {
      const mark = github.requests.length
      const records = await runWorkflow(path, event, { ...setting, ...changes })
      examineRequests(bench.watch, github.requests.slice(mark))
      return records
    }
    const run = (path: string, event: StartingEvent, environment: Record<string, string> = {}) =>
      start(path, event, { environment: { ...setting.environment, ...environment } })
    return {
      bench,
      github,
      parentId,
      run,
      happens: (path, action, number) => run(path, onPullRequest(action, number)),
      happensInFork: (path, action, number) => {
        const payload = pullRequestEvent(action, { number, fromFork: true })
        return start(path, { name: 'pull_request', payload }, { secrets: {} })
      },
      async others() {
        const { outputs } = await bench.runSuccessfully({ operation: 'list-services' })
        const services = JSON.parse(outputs.result ?? '[]') as Service[]
        return services.filter(({ service_id }) => service_id !== parentId)
      },
      async rows(serviceId, sql) {
        const inputs = {
          operation: 'get-connection',
          service_id: serviceId ?? '',
          password_secret: passwordSecret,
        }
        const { outputs } = await bench.runSuccessfully(inputs, { environment: setting.environment })
        return await query(outputs.database_url, sql)
      },
      stop,
    }
  } catch (failure) {
    await stop()
    throw failure
  }
}

/** A stage for the tests of a file or group. */
export const useStage = (options: WorkbenchOptions = {}) => useOpened(() => openStage(options))
