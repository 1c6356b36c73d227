/** Tests reading of the merge queue. */
import { expect, it } from 'vitest'
import { GitHubRefusalError, GitHubUnclearError } from '#github/ask/errors'
import { refuse } from '../support/github/answer.ts'
import { type GitHubFault, okAnswer } from '../support/github/faults.ts'
import { createGitHubClient } from '../support/github/github-client.ts'
import { tokens } from '../support/github/tokens.ts'
import { useFakeGitHub } from '../support/github/use-fake-github.ts'

const fake = useFakeGitHub()

const ofRepository = 'GET /repos/{owner}/{repo}'
const matching = 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}'
const read = (token: string = tokens.readOnly) => createGitHubClient(fake, token).github.listQueueHeads()
const reference = { ref: 'refs/heads/gh-readonly-queue/main/pr-7-0', object: { sha: 'a'.repeat(40) } }

it('the merge queue is empty, or has the commit of each entry', async () => {
  expect(await read()).toEqual(new Set())
  const [first, second] = [fake.enqueue(7), fake.enqueue(8)]
  expect(await read()).toEqual(new Set([first.sha, second.sha]))
  fake.dequeue(first)
  expect(await read()).toEqual(new Set([second.sha]))
  expect(fake.requests.slice(0, 2).map(({ route }) => route)).toEqual([ofRepository, matching])
  expect(fake.requests[1]?.path).toContain('/git/matching-refs/heads%2Fgh-readonly-queue%2F')
})

it('the merge queue names the missing permission', async () => {
  await expect(read(tokens.bare)).rejects.toMatchObject({
    status: 403,
    next: expect.stringContaining('contents: read'),
  })
})

it.each<[string, string, GitHubFault, new (...given: never[]) => Error]>([
  ['not found', matching, { kind: 'answer', answer: refuse(404, 'Not Found') }, GitHubRefusalError],
  ['no list', matching, okAnswer({}), GitHubUnclearError],
  ['a branch without a commit', matching, okAnswer([{ ref: reference.ref }]), GitHubUnclearError],
  ['no commit', matching, okAnswer([{ ...reference, object: { sha: 'main' } }]), GitHubUnclearError],
  ['another branch', matching, okAnswer([{ ...reference, ref: 'refs/heads/main' }]), GitHubUnclearError],
  ['another repository', ofRepository, okAnswer({ id: 1 }), GitHubUnclearError],
])('the merge queue is unknown after %s', async (_, route, fault, error) => {
  fake.enqueue(7)
  fake.injectFaults(request => (request.route === route ? fault : undefined))
  await expect(read()).rejects.toThrow(error)
})
