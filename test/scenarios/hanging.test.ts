/** Runs steps whose requests hang. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { StepOptions, StepResult } from '../../tools/runner/run-step.ts'
import { leadDatabasesAstray, onOperations } from '../support/api-faults.ts'
import { secondaryLimit } from '../support/github/faults.ts'
import { openHangingConnection } from '../support/hanging-connection.ts'
import { useServers } from '../support/local-servers.ts'
import { useRepository } from '../support/pull-request.ts'
import { errorOf, type Inputs } from '../support/workbench.ts'

/** Milliseconds. A request without a limit hangs for minutes; a busy machine takes seconds. */
const soon = 30_000

const servers = useServers()
const repository = useRepository({ databases: 'invented', steps: 'process' })
beforeAll(() => repository.bench.injectFaults(onOperations({ 'get-service': leadDatabasesAstray })))

/** A step that hangs, and how. */
interface Hanging {
  inputs: Inputs
  environment?: NodeJS.ProcessEnv
  /** Where it is the step of this pull request, just opened. */
  pullRequest?: number
  /** Resolves once the step hangs. */
  reached?: Promise<unknown>
  /** The line that reports the end. */
  line?: string
  /** The error message at the deadline. */
  told: RegExp
}

const create = { operation: 'create-service', name: 'hung', project_id: 'p1', wait_timeout: '4s' }

/** Loads test/support/ignore-abort.ts before the program. */
const ignoreAbort = {
  NODE_OPTIONS: `--import=${pathToFileURL(resolve(import.meta.dirname, '../support/ignore-abort.ts')).href}`,
}

/** The phases before a request is sent are tested in test/client/transport-phases.test.ts. */
const hanging: [string, () => Promise<Hanging>][] = [
  [
    'a server that does not answer',
    async () => {
      const { port, reached } = await servers.startMute()
      const inputs = { ...create, base_url: `http://127.0.0.1:${port}/public/api/v1` }
      return { inputs, reached, told: /no complete answer within \d(\.\d+)? s\b.* — .*wait_timeout/ }
    },
  ],
  [
    'a proxy before GitHub that does not answer CONNECT',
    async () => {
      const { proxy, reached } = await openHangingConnection(servers, 'tunnel', 1)
      const { baseUrl } = repository.bench.emulator
      return {
        inputs: { operation: 'preview', empty: 'true', base_url: baseUrl, wait_timeout: '3s' },
        environment: {
          ...{ https_proxy: undefined, NO_PROXY: undefined, no_proxy: undefined },
          HTTPS_PROXY: `http://${proxy}`,
          GITHUB_API_URL: 'https://git.example/api/v3',
        },
        pullRequest: repository.github.openPullRequest(),
        reached,
        told: /failed: the deadline passed before the request was sent(?:; .* have passed: .*)? — .*wait_timeout/,
      }
    },
  ],
  [
    'a database that does not answer',
    async () => {
      const { port, reached } = await servers.startMute()
      const { project } = repository.bench.emulator.store
      const service = { name: `database-at-${port}`, project_id: project.id }
      const inputs = { ...create, ...service, wait_for_connection: 'true', wait_timeout: '4s' }
      return { inputs, reached, told: /is READY but accepts no connection: no answer within \d(\.\d)? s/ }
    },
  ],
]

function run({ inputs, environment, pullRequest }: Hanging, more: Partial<StepOptions>): Promise<StepResult> {
  const options = { ...more, ...(environment && { environment }) }
  return pullRequest === undefined
    ? repository.bench.step(inputs, options)
    : repository.on('opened', pullRequest, inputs, options)
}

/** Runs a step that hangs, and signals it once it does. */
async function cancel(step: Hanging): Promise<StepResult> {
  const hung = Promise.withResolvers<unknown>()
  const options: Partial<StepOptions> = {
    onStart: kill => void hung.promise.then(() => kill('SIGINT')),
    onLine: line => line === step.line && hung.resolve(undefined),
  }
  step.reached?.then(hung.resolve)
  // Long enough for the signal to come first, however busy the machine is.
  return await run({ ...step, inputs: { ...step.inputs, wait_timeout: '10m' } }, options)
}

describe.concurrent.each(hanging)('%s', (_, open) => {
  it('is awaited until the deadline', { timeout: soon }, async () => {
    const step = await open()
    const result = await run(step, {})
    expect([result.exitCode, errorOf(result)]).toEqual([1, expect.stringMatching(step.told)])
    expect(result.stderr).toBe('')
  })

  it('ends at a signal', { timeout: soon }, async () => {
    const result = await cancel(await open())
    expect([result.exitCode, errorOf(result)]).toEqual([
      130,
      expect.stringMatching(/^cancelled by SIGINT — /),
    ])
    expect(result.stdout).not.toContain('was cut off')
    expect(result.stderr).toBe('')
  })
})

it.concurrent('a rate limit of GitHub is reported once and ends at a signal', { timeout: soon }, async () => {
  const { bench, github } = repository
  const pullRequest = github.openPullRequest()
  github.injectFaults(({ path }) =>
    path.endsWith(`/pulls/${pullRequest}`) ? secondaryLimit(403, 240) : undefined,
  )
  const line = 'waiting 4m 00s for GitHub: its rate limit is reached'
  const inputs = { operation: 'preview', empty: 'true', base_url: bench.emulator.baseUrl }
  const result = await cancel({ inputs, pullRequest, line, told: /nothing/ })
  expect([result.exitCode, errorOf(result)]).toEqual([130, expect.stringMatching(/^cancelled by SIGINT — /)])
  expect(result.stdout.split(line)).toHaveLength(2)
  expect(result.stdout).not.toContain('was cut off')
})

it.concurrent('a request that ignores the signal is aborted', { timeout: soon }, async () => {
  const { port, reached } = await servers.startMute()
  const inputs = { ...create, base_url: `http://127.0.0.1:${port}/public/api/v1` }
  const result = await cancel({
    inputs,
    environment: ignoreAbort,
    reached,
    told: /nothing/,
  })
  expect([result.exitCode, errorOf(result)]).toEqual([
    130,
    expect.stringMatching(/^cancelled by SIGINT; the step did not end within 5 s and was cut off — /),
  ])
})
