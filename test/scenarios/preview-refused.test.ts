/** Runs preview steps with missing permissions or settings. */
import { beforeEach, expect, it } from 'vitest'
import { refuse } from '../support/github/answer.ts'
import { tokens } from '../support/github/tokens.ts'
import { useRepository } from '../support/pull-request.ts'
import { errorOf } from '../support/workbench.ts'

const repository = useRepository({ databases: 'invented', readyAfter: 200, deleteAfter: 100 })
beforeEach(() => repository.github.injectFaults(() => undefined))

const create = { operation: 'create-preview', empty: 'true', wait_for_connection: 'false' }

it.each([
  ['a pull request from a fork', { GITHUB_ACTOR: 'stranger' }, true],
  ['Dependabot', { GITHUB_ACTOR: 'dependabot[bot]' }, false],
])('skips %s without secrets, with a notice and no request', async (_, environment, fromFork) => {
  const number = repository.github.openPullRequest({ fromFork })
  const mark = repository.bench.emulator.requests.length
  const result = await repository.on('opened', number, { ...create, api_key: '' }, { environment, fromFork })
  expect(result.exitCode, result.stdout).toBe(0)
  expect(result.outputs.skipped).toBe('true')
  expect(result.stdout).toContain('::notice::skipped')
  expect(repository.bench.operationsSince(mark)).toEqual([])
})

it('creates the preview without permission to write the comment', async () => {
  const number = repository.github.openPullRequest()
  const result = await repository.on('opened', number, { ...create, github_token: tokens.readOnly })
  expect(result.exitCode, result.stdout).toBe(0)
  expect(result.stdout).toMatch(
    /::warning title=create-preview%3A request to GitHub failed::the comment on .* is not written: .* 403: .* — set `permissions: pull-requests: write/,
  )
  expect(result.outputs.status).toBe('READY')
})

it('creates no empty database if the variable with the parent is unset, and sends no request', async () => {
  const number = repository.github.openPullRequest()
  const mark = repository.bench.emulator.requests.length
  const result = await repository.on('opened', number, { operation: 'preview', service_id: '' })
  expect(result.exitCode).toBe(1)
  expect(errorOf(result)).toMatch(
    /^service_id: .* arrived empty: check the name of the variable .*`empty: true`/,
  )
  expect(repository.bench.operationsSince(mark)).toEqual([])
  expect(repository.github.commentsOf(number)).toEqual([])
})

it('prunes nothing without permission to read pull requests', async () => {
  const number = repository.github.openPullRequest()
  const { outputs } = await repository.on('opened', number, create)
  repository.github.closePullRequest(number)
  repository.github.injectFaults(() => ({
    kind: 'answer',
    answer: refuse(403, 'Resource not accessible by integration'),
  }))
  const result = await repository.onEvent('schedule', { operation: 'prune-previews', min_age: '1ms' })
  expect(result.exitCode, result.stdout).toBe(1)
  expect(errorOf(result)).toMatch(
    /previews? (?:is|are) kept, because GitHub refuses the request: .* — set `permissions: pull-requests: write` \(`read` is enough for prune-previews/,
  )
  expect(result.outputs).toMatchObject({ deleted: 'false', deleted_ids: '' })
  expect((await repository.services()).map(({ service_id }) => service_id)).toContain(outputs.service_id)
})
