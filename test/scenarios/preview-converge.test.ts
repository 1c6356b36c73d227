import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { previewBaseOf } from '#preview/base/name'
import type { StepResult } from '../../tools/runner/run-step.ts'
import type { PullRequestAction } from '../support/github/pull-request-event.ts'
import { openRepository, type Repository } from '../support/pull-request.ts'

let repository: Repository
let parent: string
beforeAll(async () => {
  // Nobody connects here: what counts is which services there are in the end.
  repository = await openRepository({ databases: 'invented' })
  const { outputs } = await repository.bench.done({ operation: 'create-service', name: 'production' })
  parent = outputs.service_id as string
})
afterAll(() => repository.stop())

const create = (action: PullRequestAction, number: number, options?: Parameters<Repository['on']>[3]) =>
  repository.on(
    action,
    number,
    { operation: 'create-preview', service_id: parent, fork_strategy: 'NOW', wait_for_connection: 'false' },
    options,
  )

const listed = async (name = '') =>
  (await repository.services()).filter(service => previewBaseOf(service.name) === previewBaseOf(name))

// All else that a run may meet: test/preview/create-preview*.test.ts, in the process.
describe('create-preview', { concurrent: false }, () => {
  it('ends with one database and the same outputs where two run at once', async () => {
    const number = repository.github.openPullRequest()
    const [one, other] = (await Promise.all([create('opened', number), create('synchronize', number)])) as [
      StepResult,
      StepResult,
    ]
    expect([one.exitCode, other.exitCode], one.stdout + other.stdout).toEqual([0, 0])
    for (const name of ['service_id', 'host', 'port', 'password', 'database_url'])
      expect(other.outputs[name]).toBe(one.outputs[name])
    expect(await listed(one.outputs.name)).toEqual([
      expect.objectContaining({ service_id: one.outputs.service_id }),
    ])
  })

  it('deletes its own again where the pull request is closed meanwhile', async () => {
    const number = repository.github.openPullRequest()
    const result = await create('opened', number, {
      onLine: line => line.includes(' created ') && repository.github.closePullRequest(number),
    })
    expect(result.exitCode, result.stdout).toBe(0)
    expect(result.outputs).toMatchObject({ skipped: 'true', deleted: 'true' })
    expect(
      (await repository.services()).filter(({ name }) => name.startsWith(`preview-pr-${number}-`)),
    ).toEqual([])
  })
})
