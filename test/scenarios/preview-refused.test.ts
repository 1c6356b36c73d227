/** Runs preview steps with missing permissions or settings. */
import { beforeEach, expect, it } from 'vitest'
import { tokens } from '../support/github/tokens.ts'
import { useRepository } from '../support/pull-request.ts'

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
