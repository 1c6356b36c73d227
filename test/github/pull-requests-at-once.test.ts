/** Tests reading of many pull requests with one request. */
import { describe, expect, it, test } from 'vitest'
import {
  GitHubRateLimitError,
  GitHubRefusalError,
  GitHubUnclearError,
  GitHubUnreachableError,
} from '#github/ask/errors'
import { graphqlAddressOf } from '#github/ask/octokit'
import { refuse } from '../support/github/answer.ts'
import { type GitHubFault, okAnswer, page, primaryLimit, serverError } from '../support/github/faults.ts'
import { createGitHubClient } from '../support/github/github-client.ts'
import { tokens } from '../support/github/tokens.ts'
import { useFakeGitHub } from '../support/github/use-fake-github.ts'

const fake = useFakeGitHub()

const graphql = 'POST /graphql'
const single = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
const routes = () => fake.requests.map(({ route }) => route)
const open = (count: number) => Array.from({ length: count }, () => fake.openPullRequest())
const read = (numbers: number[], token: string = tokens.readOnly) =>
  createGitHubClient(fake, token).github.readPullRequests(numbers)

/** Only questions by GraphQL are befallen. */
const strikeGraphql = (fault: GitHubFault) =>
  fake.injectFaults(({ route }) => (route === graphql ? fault : undefined))

/** The right answer about pull request 7, with changes. */
const answer = ({ repository = {}, seven = {}, ...more }: Record<string, object> = {}) => ({
  data: {
    repository: {
      databaseId: 1296269,
      pullRequests: { totalCount: 1 },
      p7: {
        ...{ number: 7, state: 'OPEN', closedAt: null, updatedAt: null, isDraft: false },
        ...{ labels: { totalCount: 0, nodes: [] }, repository: { databaseId: 1296269 } },
        ...seven,
      },
      ...repository,
    },
  },
  ...more,
})

describe('many pull requests', () => {
  it.each([
    [1, 1],
    [100, 100],
    [101, 100],
    [250, 100],
  ])('are read in one request: of %i the first %i', async (count, told) => {
    const numbers = open(count)
    expect([...(await read(numbers)).keys()]).toEqual(numbers.slice(0, told))
    expect(routes()).toEqual([graphql])
  })

  it('are the same as when read one by one', async () => {
    fake.openPullRequest({ number: 7, labels: ['bug', 'preview'], draft: true })
    fake.openPullRequest({ number: 8 })
    fake.closePullRequest(8)
    const { github } = createGitHubClient(fake, tokens.readOnly)
    const many = await github.readPullRequests([7, 8, 9])
    for (const number of [7, 8, 9])
      expect(JSON.parse(JSON.stringify(many.get(number)))).toEqual(
        JSON.parse(JSON.stringify(await github.readPullRequest(number))),
      )
  })

  it('are closed if they were merged', async () => {
    strikeGraphql(okAnswer(answer({ seven: { state: 'MERGED', closedAt: '2026-03-01T00:00:00Z' } })))
    const closedAt = Date.UTC(2026, 2, 1)
    expect((await read([7])).get(7)).toMatchObject({ state: 'closed', closedAt })
  })
})

describe('without GraphQL, pull requests are read one by one', () => {
  test.each<[string, GitHubFault]>([
    ['it is not there', { kind: 'answer', answer: refuse(404, 'Not Found') }],
    ['a page is there instead', page(404)],
    ['it is refused', { kind: 'answer', answer: refuse(403, 'Resource not accessible by integration') }],
    ['it has trouble', serverError(502)],
    ['it does not know a field', okAnswer({ errors: [{ message: "Field 'isDraft' doesn't exist" }] })],
    ['it answers nothing', okAnswer({ data: null })],
    ['it is about another repository', okAnswer(answer({ repository: { databaseId: 1 } }))],
    ['it does not tell the id', okAnswer(answer({ repository: { databaseId: null } as never }))],
    ['one is of another repository', okAnswer(answer({ seven: { repository: { databaseId: 1 } } }))],
    ['one has another number', okAnswer(answer({ seven: { number: 8 } }))],
    ['one has an unknown state', okAnswer(answer({ seven: { state: 'LOCKED' } }))],
    [
      'one has more labels than it tells',
      okAnswer(answer({ seven: { labels: { totalCount: 101, nodes: [] } } })),
    ],
    [
      'one has more labels than the answer shows, though a page has room for them',
      okAnswer(answer({ seven: { labels: { totalCount: 2, nodes: [{ name: 'preview' }] } } })),
    ],
    ['one is absent', okAnswer(answer({ repository: { p7: undefined } as never }))],
    ['one is nothing, without a reason', okAnswer(answer({ repository: { p7: null } as never }))],
    [
      'one may not be read',
      okAnswer(
        answer({
          repository: { p7: null } as never,
          errors: [{ type: 'FORBIDDEN', path: ['repository', 'p7'], message: 'No' }],
        }),
      ),
    ],
    [
      'the list may not be read',
      okAnswer(
        answer({
          repository: { p7: null, pullRequests: null } as never,
          errors: [{ type: 'NOT_FOUND', path: ['repository', 'p7'], message: 'No' }],
        }),
      ),
    ],
  ])('%s', async (_, fault) => {
    fake.openPullRequest({ number: 7, labels: ['only REST tells'] })
    strikeGraphql(fault)
    const { github } = createGitHubClient(fake, tokens.readOnly)
    expect((await github.readPullRequests([7])).get(7)).toMatchObject({ labels: ['only REST tells'] })
    const before = fake.requests.length
    await github.readPullRequests([7])
    // It is not tried again.
    expect(routes().slice(before)).toEqual([single])
  })

  it('with twelve concurrent requests', async () => {
    const numbers = open(30)
    strikeGraphql(page(404))
    expect([...(await read(numbers)).keys()].sort((one, other) => one - other)).toEqual(numbers.slice(0, 12))
  })

  it('a number that GraphQL cannot read has its own request, and does not affect the others', async () => {
    open(2)
    const { github } = createGitHubClient(fake, tokens.readOnly)
    expect([...(await github.readPullRequests([1, 2 ** 31, 2])).keys()]).toEqual([1])
    expect([...(await github.readPullRequests([2 ** 31, 2])).entries()].sort()).toMatchObject([
      [2, { state: 'open' }],
      [2 ** 31, { state: 'missing' }],
    ])
  })
})

describe('a failure equals that of a single one', () => {
  it.each<[string, string, number]>([
    ['may not read pull requests', tokens.bare, 403],
    ['cannot see the repository', tokens.stranger, 404],
    ['is wrong', 'ghs_expired', 401],
  ])('if the token %s, which is permanent', async (_, token, status) => {
    fake.openPullRequest({ number: 7 })
    const failure = await read([7], token).catch(error => error)
    expect(failure).toBeInstanceOf(GitHubRefusalError)
    expect(failure).toMatchObject({ status, outlook: 'lasts' })
  })

  it.each<[string, GitHubFault, new (...given: never[]) => Error, string]>([
    ['GitHub has trouble', serverError(502), GitHubUnclearError, 'passes'],
    ['the connection breaks', { kind: 'reset' }, GitHubUnreachableError, 'passes'],
    ['a proxy refuses', page(403), GitHubUnclearError, 'lasts'],
  ])('if %s', async (_, fault, error, outlook) => {
    fake.injectFaults(() => fault)
    const failure = await read([7]).catch(failed => failed)
    expect(failure).toBeInstanceOf(error)
    expect(failure.outlook).toBe(outlook)
  })
})

describe('a rate limit of GraphQL', () => {
  test.each<[string, GitHubFault]>([
    ['as an error', primaryLimit(Date.UTC(2100, 0))],
    [
      'in the body of a success',
      okAnswer({ errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] }),
    ],
  ])('%s does not affect that of REST, and nothing is requested again', async (_, fault) => {
    open(1)
    strikeGraphql(fault)
    const { github } = createGitHubClient(fake, tokens.readOnly, { deadline: 60_000 })
    await expect(github.readPullRequests([1])).rejects.toThrow(GitHubRateLimitError)
    await expect(github.readPullRequests([1])).rejects.toThrow(GitHubRateLimitError)
    expect(routes()).toEqual([graphql])
    // REST has a limit of its own.
    expect(await github.readPullRequest(1)).toMatchObject({ state: 'open' })
  })
})

test.each([
  [{}, 'https://api.github.com'],
  [{ GITHUB_GRAPHQL_URL: 'https://api.github.com/graphql' }, 'https://api.github.com'],
  [{ GITHUB_API_URL: 'https://git.example/api/v3' }, 'https://git.example/api'],
  [{ GITHUB_API_URL: 'https://api.team.ghe.com' }, 'https://api.team.ghe.com'],
  [
    { GITHUB_API_URL: 'https://git.example/api/v3', GITHUB_GRAPHQL_URL: 'https://git.example/other/graphql' },
    'https://git.example/other',
  ],
  [
    { GITHUB_API_URL: 'https://git.example/api/v3', GITHUB_GRAPHQL_URL: 'nonsense' },
    'https://git.example/api',
  ],
])('the GraphQL address below %j is %s', (environment, address) => {
  expect(graphqlAddressOf(environment)).toBe(address)
})
