/** Runs steps against hostile database servers. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { StepResult } from '../../tools/runner/run-step.ts'
import { authentication, message, startHostileServer } from '../postgres/support/hostile-server.ts'
import { leadDatabasesAstray, onOperations } from '../support/api-faults.ts'
import { useServers } from '../support/local-servers.ts'
import { useRepository } from '../support/pull-request.ts'

/** The errors that a step prints. */
const errorsOf = (stdout: string) => stdout.match(/^::error(?: [^:\n]*)?::.*$/gm) ?? []

/** Milliseconds for a process on a busy machine. */
const soon = 60_000

const servers = useServers()
const repository = useRepository({ databases: 'invented', steps: 'process', readyAfter: 200 })
beforeAll(() =>
  repository.bench.injectFaults(
    onOperations({ 'get-service': leadDatabasesAstray, 'list-services': leadDatabasesAstray }),
  ),
)

/** One error annotation, the same in the summary, and nothing from Node.js itself. */
function expectError({ exitCode, stdout, stderr, summary }: StepResult): void {
  expect([exitCode, stderr], stdout).toEqual([1, ''])
  expect(errorsOf(stdout)).toHaveLength(1)
  expect(summary).toContain('failed')
}

/** All answers of such servers are in test/postgres/hostile-server.test.ts. */
describe.concurrent('a database server that', () => {
  it('asks for GSSAPI fails the step of a preview, and its comment', { timeout: soon }, async () => {
    const { bench, github } = repository
    const port = await startHostileServer(servers, [authentication(7)])
    const number = github.openPullRequest()
    const result = await repository.on('opened', number, {
      ...{ operation: 'create-preview', empty: 'true', name_prefix: `at-${port}` },
      ...{ quarantine: 'true', wait_timeout: '6s' },
    })
    expectError(result)
    expect(bench.operationsSince(0)).toContain('create-service')
    expect(github.commentsOf(number)).toMatchObject([{ body: expect.stringContaining('failed') }])
  })

  it('sends an error without an end fails run-sql', { timeout: soon }, async () => {
    const port = await startHostileServer(servers, [message('E', Buffer.from('SFATAL'))])
    const database_url = `postgresql://u:pass-of-hostile@127.0.0.1:${port}/d?sslmode=disable`
    const inputs = { operation: 'run-sql', database_url, sql: 'select 1', wait_timeout: '2s' }
    expectError(await repository.bench.step(inputs))
  })
})

describe.concurrent('a step that ends early while it creates a preview', () => {
  const loaded = pathToFileURL(resolve(import.meta.dirname, '../support/throwing.ts')).href

  it.each([
    ['a signal', 130, /^\*\*Why:\*\* `cancelled by SIGINT`$/m],
    ['an exception that no code caught', 1, /^\*\*Why:\*\* `[^`]*JSON/m],
  ])('by %s fails, in its comment too', { timeout: soon }, async (cause, code, why) => {
    const { github } = repository
    const { port, reached } = await servers.startMute()
    const number = github.openPullRequest()
    const inputs = {
      operation: 'create-preview',
      empty: 'true',
      name_prefix: `at-${port}`,
      quarantine: 'true',
    }
    const result = await repository.on('opened', number, inputs, {
      onStart: kill => void (code === 130 && reached.then(() => kill('SIGINT'))),
      environment:
        cause === 'a signal' ? {} : { NODE_OPTIONS: `--import=${loaded}`, THROW_AT_PORT: `${port}` },
    })
    expect([result.exitCode, result.stderr], result.stdout).toEqual([code, ''])
    expect(errorsOf(result.stdout)).toHaveLength(1)
    expect(result.stdout).not.toContain('was cut off')
    expect(result.summary).toContain(code === 130 ? 'cancelled' : 'failed')
    expect(github.commentsOf(number)).toMatchObject([{ body: expect.stringMatching(why) }])
    expect(github.commentsOf(number)[0]?.body).toContain('Preview database `')
  })
})
