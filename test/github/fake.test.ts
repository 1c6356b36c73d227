/** Tests the fake GitHub against GitHub's description. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeGitHub, startFakeGitHub } from '../support/github/fake-github.ts'
import * as faults from '../support/github/faults.ts'
import { mergeGroupEvent } from '../support/github/merge-group-event.ts'
import { problemsOfAnswer, problemsOfEvent } from '../support/github/openapi.ts'
import { pullRequestActions, pullRequestEvent } from '../support/github/pull-request-event.ts'
import { octocat, previewApp, tokens } from '../support/github/tokens.ts'

let fake: FakeGitHub
let commentId: number
let commit: string

beforeAll(async () => {
  fake = await startFakeGitHub()
  fake.openPullRequest({ number: 7, labels: ['preview'], draft: true })
  fake.enqueue(7)
  commit = fake.push(7, { 'db/1_a.sql': 'select 1', 'README.md': '' })
  fake.openPullRequest({ number: 8, fromFork: true })
  fake.closePullRequest(8)
  fake.label(7, 'labeled', 'dropping is fine')
  fake.label(7, 'unlabeled', 'dropping is fine', octocat, previewApp)
  commentId = fake.addComment(7, 'Looks good', octocat).id
})
afterAll(() => fake.stop())

async function ask(method: string, path: string, token?: string, body?: object) {
  const headers = { ...(token && { authorization: `token ${token}` }) }
  const url = `${fake.environment.GITHUB_API_URL}${path}`
  const sent = { method, headers, redirect: 'manual', ...(body && { body: JSON.stringify(body) }) } as const
  const response = await fetch(url, sent)
  return {
    status: response.status,
    headers: response.headers,
    body: response.status === 204 ? undefined : await response.json(),
  }
}

const repository = '/repos/octo-org/shop'
const comments = `${repository}/issues/7/comments`
const list = 'GET /repos/{owner}/{repo}/pulls'
const get = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
const matching = 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}'
const queue = `${repository}/git/matching-refs/heads%2Fgh-readonly-queue%2F`
const changed = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files'
const trees = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}'
const tree = `${repository}/git/trees/:commit?recursive=1`
const listComments = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'
const create = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
const update = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'
const readComment = 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}'
const listEvents = 'GET /repos/{owner}/{repo}/issues/{issue_number}/events'
const readPermission = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission'
const { actions, app, bare, personal, readOnly, stranger } = tokens

type Case = [route: string, status: number, path: string, token?: string, body?: object]

const cases: Case[] = [
  ['GET /user', 200, '/user', personal],
  ['GET /user', 403, '/user', actions],
  ['GET /user', 403, '/user', app],
  ['GET /user', 401, '/user', 'ghp_revoked'],
  ['GET /user', 401, '/user'],
  [readComment, 200, `${repository}/issues/comments/:id`, readOnly],
  [readComment, 404, `${repository}/issues/comments/1`, readOnly],
  [readComment, 403, `${repository}/issues/comments/:id`, bare],
  [listEvents, 200, `${repository}/issues/7/events`, readOnly],
  [listEvents, 404, `${repository}/issues/9/events`, readOnly],
  [readPermission, 200, `${repository}/collaborators/octocat/permission`, readOnly],
  ['GET /repos/{owner}/{repo}', 200, repository, readOnly],
  ['GET /repos/{owner}/{repo}', 404, repository, stranger],
  ['GET /repos/{owner}/{repo}', 404, repository],
  ['GET /repos/{owner}/{repo}', 404, '/repos/octo-org/other', actions],
  [list, 200, `${repository}/pulls?state=all`, readOnly],
  [list, 200, `${repository}/pulls?page=9`, readOnly],
  [list, 403, `${repository}/pulls`, bare],
  [get, 200, `${repository}/pulls/7`, readOnly],
  [get, 200, `${repository}/pulls/8`, personal],
  [get, 404, `${repository}/pulls/9`, readOnly],
  [get, 404, `${repository}/pulls/7`, stranger],
  [get, 403, `${repository}/pulls/7`, bare],
  [changed, 200, `${repository}/pulls/7/files`, readOnly],
  [changed, 404, `${repository}/pulls/9/files`, readOnly],
  [changed, 403, `${repository}/pulls/7/files`, bare],
  [matching, 200, queue, readOnly],
  [matching, 200, `${repository}/git/matching-refs/heads%2Fnothing`, readOnly],
  [matching, 403, queue, bare],
  [matching, 404, queue, stranger],
  [trees, 200, tree, readOnly],
  [trees, 404, `${repository}/git/trees/${'0'.repeat(40)}`, readOnly],
  [trees, 403, tree, bare],
  [trees, 404, tree, stranger],
  [listComments, 200, comments, readOnly],
  [listComments, 404, `${repository}/issues/9/comments`, readOnly],
  [create, 201, comments, actions, { body: 'Hello' }],
  [create, 201, comments, personal, { body: 'Hello' }],
  [create, 403, comments, readOnly, { body: 'Hello' }],
  [create, 404, `${repository}/issues/9/comments`, actions, { body: 'Hello' }],
  [create, 422, comments, actions, { body: ' ' }],
  [create, 422, comments, actions, { body: 'x'.repeat(65_537) }],
  [create, 422, comments, actions, {}],
  [update, 200, `${repository}/issues/comments/:id`, actions, { body: 'Better' }],
  [update, 403, `${repository}/issues/comments/:id`, readOnly, { body: 'Better' }],
  [update, 404, `${repository}/issues/comments/1`, actions, { body: 'Better' }],
]

describe("an answer of the fake conforms to GitHub's description", () => {
  test.each(cases)('%s %i: %s %s', async (route, status, path, token, body) => {
    const method = route.split(' ')[0] as string
    const answer = await ask(
      method,
      path.replace(':id', String(commentId)).replace(':commit', commit),
      token,
      body,
    )
    expect(answer.status).toBe(status)
    expect(problemsOfAnswer(route, status, answer.body)).toEqual([])
    expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
  })

  test.each([
    ['a primary rate limit', faults.primaryLimit(Date.now())],
    ['a secondary rate limit', faults.secondaryLimit(403, 30)],
    ['a secondary rate limit with 429', faults.secondaryLimit(429)],
    ['trouble', faults.serverError(500)],
    ['trouble that is not described', faults.serverError(502)],
  ])('for %s', async (_, fault) => {
    fake.injectFaults(() => fault)
    const { status, body } = await ask('GET', `${repository}/pulls/7`, actions)
    fake.injectFaults(() => undefined)
    expect(problemsOfAnswer(get, status, body)).toEqual([])
  })

  test('for a repository that moved', async () => {
    fake.injectFaults(() => faults.moved('https://api.github.com/repositories/1'))
    const { status, body } = await ask('GET', repository, actions)
    fake.injectFaults(() => undefined)
    expect(status).toBe(301)
    expect(problemsOfAnswer('GET /repos/{owner}/{repo}', status, body)).toEqual([])
  })
})

describe('the check of answers', () => {
  test.each([
    ['a missing field', get, 200, { number: 7 }],
    ['another type', 'GET /repos/{owner}/{repo}', 200, { id: '1' }],
    ['a list that is none', list, 200, {}],
    ['a status that is not described', get, 201, {}],
    ['an error without a message', list, 403, { documentation_url: '' }],
    ['a route that is not described', 'GET /nothing', 200, {}],
  ])('detects %s', (_, route, status, body) => {
    expect(problemsOfAnswer(route, status, body)).not.toEqual([])
  })
})

describe("an event of the builder conforms to GitHub's description", () => {
  test.each(
    pullRequestActions.flatMap(action => [
      { action, fromFork: false },
      { action, fromFork: true },
    ]),
  )('$action, from a fork: $fromFork', ({ action, fromFork }) => {
    expect(problemsOfEvent('pull_request', action, pullRequestEvent(action, { fromFork }))).toEqual([])
  })

  test('merge_group', () => {
    const event = mergeGroupEvent(fake.enqueue(7))
    expect(problemsOfEvent('merge_group', 'checks_requested', event)).toEqual([])
  })

  test('a wrong event fails the check', () => {
    expect(problemsOfEvent('pull_request', 'closed', pullRequestEvent('opened'))).not.toEqual([])
    expect(
      problemsOfEvent('pull_request', 'opened', { ...pullRequestEvent('opened'), number: '7' }),
    ).not.toEqual([])
  })
})

describe('the pages of the fake', () => {
  const linkOf = async (path: string) => (await ask('GET', path, actions)).headers.get('link')

  test("have the same links as GitHub's", async () => {
    const address = `${fake.environment.GITHUB_API_URL}${repository}/pulls?state=all&per_page=1&page=`
    expect(await linkOf(`${repository}/pulls?state=all&per_page=1`)).toBe(
      `<${address}2>; rel="next", <${address}2>; rel="last"`,
    )
    expect(await linkOf(`${repository}/pulls?state=all&per_page=1&page=2`)).toBe(
      `<${address}1>; rel="prev", <${address}1>; rel="first"`,
    )
    expect(await linkOf(`${repository}/pulls?state=all`)).toBeNull()
  })

  test('contain open pull requests by default', async () => {
    const numbersOf = async (query: string) => {
      const { body } = await ask('GET', `${repository}/pulls${query}`, actions)
      return (body as { number: number }[]).map(item => item.number)
    }
    expect(await numbersOf('')).toEqual([7])
    expect(await numbersOf('?state=closed')).toEqual([8])
    expect(await numbersOf('?state=all')).toEqual([8, 7])
  })
})
