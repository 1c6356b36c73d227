/** Tests reading of pull requests. */
import { describe, expect, it, test } from 'vitest'
import {
  GitHubRateLimitError,
  GitHubUnavailableError,
  GitHubUnclearError,
  GitHubUnreachableError,
} from '#github/ask/errors'
import { parseEvent } from '#github/event'
import { refuse } from '../support/github/answer.ts'
import {
  type GitHubFault,
  moved,
  okAnswer,
  page,
  secondaryLimit,
  serverError,
} from '../support/github/faults.ts'
import { createGitHubClient } from '../support/github/github-client.ts'
import { tokens } from '../support/github/tokens.ts'
import { useFakeGitHub } from '../support/github/use-fake-github.ts'
import { shown } from './support/preview-section.ts'

const fake = useFakeGitHub()

const routes = () => fake.requests.map(({ route }) => route)
const ofNumber = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
const list = 'GET /repos/{owner}/{repo}/pulls'
const ofRepository = 'GET /repos/{owner}/{repo}'

/** Only requests of a route are befallen. */
const strikeOn = (route: string, fault: GitHubFault) =>
  fake.injectFaults(request => (request.route === route ? fault : undefined))

const read = (token: string = tokens.readOnly) => createGitHubClient(fake, token).github.readPullRequest(7)

const repository = { id: 1296269 }
const pullRequest = { number: 7, state: 'open', labels: [], base: { repo: repository } }

describe('the state of a pull request', () => {
  it('is open, or closed', async () => {
    fake.openPullRequest({ number: 7 })
    const { github } = createGitHubClient(fake, tokens.readOnly)
    expect(await github.readPullRequest(7)).toMatchObject({ state: 'open' })
    fake.closePullRequest(7)
    expect(await github.readPullRequest(7)).toMatchObject({ state: 'closed', closedAt: expect.any(Number) })
    fake.reopenPullRequest(7)
    expect(await github.readPullRequest(7)).toMatchObject({ state: 'open' })
    expect(routes()).toEqual([ofNumber, ofNumber, ofNumber])
  })

  it('is read from a list of the newest, down to the oldest number', async () => {
    for (let number = 1; number <= 120; number++) fake.openPullRequest({ number })
    fake.closePullRequest(100)
    const { github } = createGitHubClient(fake, tokens.readOnly)
    const found = await github.listPullRequests(60)
    expect(routes()).toEqual([list, list])
    expect(found.get(100)).toEqual(await github.readPullRequest(100))
    expect([found.get(60)?.state, found.get(1)]).toEqual(['open', undefined])
    expect((await github.listPullRequests(1)).size).toBe(120)
  })

  it('has the time of its last change if GitHub returns it', async () => {
    fake.openPullRequest({ number: 7 })
    const { github } = createGitHubClient(fake, tokens.readOnly)
    expect((await github.readPullRequest(7)).updatedAt).toEqual(expect.any(Number))
    strikeOn(ofNumber, okAnswer({ ...pullRequest, updated_at: null }))
    const read = await github.readPullRequest(7)
    expect(read.updatedAt).toBeUndefined()
    expect(read.draft, 'a record without the field is no draft').toBe(false)
    strikeOn(ofNumber, okAnswer({ ...pullRequest, updated_at: '2026-03-01T00:00:00Z' }))
    expect((await github.readPullRequest(7)).updatedAt).toBe(Date.UTC(2026, 2, 1))
  })

  it('has its labels, and whether it is a draft', async () => {
    fake.openPullRequest({ number: 7, labels: ['bug', 'preview'], draft: true })
    fake.openPullRequest({ number: 8 })
    const { github } = createGitHubClient(fake, tokens.readOnly)
    const [seven, eight] = [
      { state: 'open', labels: ['bug', 'preview'], draft: true, updatedAt: expect.any(Number) },
      { state: 'open', labels: [], draft: false, updatedAt: expect.any(Number) },
    ]
    expect(await github.readPullRequest(7)).toEqual(seven)
    expect(await github.readPullRequest(8)).toEqual(eight)
  })

  it('is missing if the repository is readable and has none with the number', async () => {
    expect(await read()).toMatchObject({ state: 'missing' })
    expect(routes()).toEqual([ofNumber, ofRepository, list])
  })

  it('is unknown if the token cannot read the repository', async () => {
    fake.openPullRequest({ number: 7 })
    await expect(read(tokens.stranger)).rejects.toMatchObject({ name: 'GitHubRefusalError', status: 404 })
  })

  it('is unknown if the token cannot read pull requests', async () => {
    await expect(read(tokens.bare)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Resource not accessible by integration'),
      next: expect.stringContaining('`permissions: pull-requests: write` (`read` is enough'),
    })
  })

  it('is unknown if the token is invalid', async () => {
    await expect(read('ghs_expired')).rejects.toMatchObject({
      status: 401,
      next: expect.stringContaining('github_token'),
    })
  })

  test.each([
    ['trouble', serverError(500), GitHubUnclearError],
    ['a page of a proxy', page(502), GitHubUnclearError],
    ['a 404 that is a page', page(404), GitHubUnclearError],
    ['a foreign 404 in JSON', { kind: 'answer', answer: { status: 404, body: {} } }, GitHubUnclearError],
    ['a page with 200', page(200), GitHubUnclearError],
    ['a redirect', moved('https://elsewhere.example/'), GitHubUnclearError],
    ['another status', { kind: 'answer', answer: { status: 202, body: pullRequest } }, GitHubUnclearError],
    ['a rate limit', secondaryLimit(403, 60), GitHubRateLimitError],
    ['half of an answer', { kind: 'half' }, GitHubUnclearError],
    ['a broken answer', { kind: 'cut' }, GitHubUnreachableError],
    ['a broken connection', { kind: 'reset' }, GitHubUnreachableError],
    ['null', okAnswer(null), GitHubUnclearError],
    ['a list', okAnswer([pullRequest]), GitHubUnclearError],
    ['no state', okAnswer({ ...pullRequest, state: undefined }), GitHubUnclearError],
    ['an unknown state', okAnswer({ ...pullRequest, state: 'merged' }), GitHubUnclearError],
    ['no labels', okAnswer({ ...pullRequest, labels: undefined }), GitHubUnclearError],
    ['labels without names', okAnswer({ ...pullRequest, labels: [{}] }), GitHubUnclearError],
    ['another number', okAnswer({ ...pullRequest, number: 8 }), GitHubUnclearError],
    ['another repository', okAnswer({ ...pullRequest, base: { repo: { id: 1 } } }), GitHubUnclearError],
    ['no repository', okAnswer({ ...pullRequest, base: {} }), GitHubUnclearError],
  ] as [string, GitHubFault, new (...given: never[]) => Error][])(
    'is unknown after %s',
    async (_, fault, error) => {
      fake.openPullRequest({ number: 7 })
      strikeOn(ofNumber, fault)
      await expect(read()).rejects.toThrow(error)
    },
  )

  test.each([
    ['the repository gives trouble', ofRepository, serverError(500)],
    ['the repository is another', ofRepository, okAnswer({ id: 1 })],
    ['the repository is none', ofRepository, okAnswer({})],
    ['the repository moved', ofRepository, moved('https://elsewhere.example/')],
    ['its pull requests are off', list, { kind: 'answer', answer: refuse(404, 'Not Found') }],
    ['its pull requests may not be read', list, { kind: 'answer', answer: refuse(403, 'No') }],
    ['its pull requests are no list', list, okAnswer({})],
  ] as [string, string, GitHubFault][])('is unknown, not missing, if %s', async (_, route, fault) => {
    strikeOn(route, fault)
    await expect(read()).rejects.toThrow(Error)
  })
})

describe('without a requirement', () => {
  test.each([undefined, ''])('the token %j: every call rejects, and no request is sent', async token => {
    const { github } = createGitHubClient(fake, token)
    const report = { state: 'ready', name: 'preview-pr-7-0a1b2c3d' } as const
    await expect(github.readPullRequest(7)).rejects.toThrow(GitHubUnavailableError)
    await expect(github.writeComment(7, shown(report), { onlyUpdate: false })).rejects.toMatchObject({
      name: 'GitHubUnavailableError',
      next: 'set the input github_token, or remove it: GitHub then sets it, and act does with --secret GITHUB_TOKEN',
    })
    expect(fake.requests).toEqual([])
  })

  test.each(['', 'shop', '../shop', 'octo-org/..', 'octo-org/shop/pulls', 'octo org/shop'])(
    'the repository %j: no request is sent',
    async GITHUB_REPOSITORY => {
      const event = parseEvent({ ...fake.environment, GITHUB_REPOSITORY }, undefined)
      const { github } = createGitHubClient(fake, tokens.actions, { event })
      await expect(github.readPullRequest(7)).rejects.toThrow(GitHubUnavailableError)
      expect(fake.requests).toEqual([])
    },
  )

  test('the id of the repository: no answer is accepted', async () => {
    fake.openPullRequest({ number: 7 })
    const event = parseEvent({ ...fake.environment, GITHUB_REPOSITORY_ID: '' }, undefined)
    const { github } = createGitHubClient(fake, tokens.actions, { event })
    await expect(github.readPullRequest(7)).rejects.toThrow('GITHUB_REPOSITORY_ID')
    await expect(github.readPullRequest(8)).rejects.toThrow('GITHUB_REPOSITORY_ID')
  })
})
