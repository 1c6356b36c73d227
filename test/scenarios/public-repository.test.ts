/** Runs preview steps in a public repository, whose comments everybody can read. */
import { expect, it } from 'vitest'
import { pullRequestEvent } from '../support/github/pull-request-event.ts'
import { useRepository } from '../support/pull-request.ts'

const repository = useRepository({ databases: 'invented' })

it.each([
  ['public', false],
  ['private', true],
])('the comment and the warnings about a fork in a %s repository', async (_, isPrivate) => {
  const number = repository.github.openPullRequest()
  const parent = await repository.bench.runSuccessfully({ operation: 'create-service', name: 'production' })
  const event = pullRequestEvent('opened', { number })
  const payload = { ...event, repository: { ...event.repository, private: isPrivate } }
  const inputs = {
    ...{ operation: 'preview', service_id: parent.outputs.service_id as string, fork_strategy: 'NOW' },
    ...{ drafts: 'true', wait_for_connection: 'false' },
  }
  const { exitCode, stdout, outputs } = await repository.onEvent('pull_request', inputs, { payload })
  expect(exitCode, stdout).toBe(0)
  const body = repository.github.commentsOf(number)[0]?.body ?? ''
  expect(body).toContain('Preview database ready')
  expect(body.includes(`${outputs.host}:${outputs.port}`)).toBe(isPrivate)
  expect(stdout.includes('a fork that is neither masked nor empty')).toBe(!isPrivate)
})
