/** Tests failed requests to GitHub. */
import { describe, expect, it, test } from 'vitest'
import { CancelledError } from '#base/errors'
import { createSend } from '#client/network/transport'
import { createCall, type GitHubCallOptions } from '#github/ask/call'
import { GitHubRateLimitError, GitHubUnreachableError } from '#github/ask/errors'
import type { GitHubRequest } from '#github/ask/request'
import { openOctokit } from '#github/ask/request'
import type { GitHub } from '#preview/base/github'
import { FakeSeam, json } from '../support/fake-seam.ts'
import { refuse } from '../support/github/answer.ts'
import { type GitHubRequestSeen, startFakeGitHub } from '../support/github/fake-github.ts'
import {
  type GitHubFault,
  page,
  primaryLimit,
  secondaryLimit,
  serverError,
} from '../support/github/faults.ts'
import { createGitHubClient } from '../support/github/github-client.ts'
import { tokens } from '../support/github/tokens.ts'
import { useFakeGitHub } from '../support/github/use-fake-github.ts'
import { shown } from './support/preview-section.ts'

const fake = useFakeGitHub(7)

/** Reads a pull request as the job's own token does. */
const read = () => createGitHubClient(fake, tokens.readOnly).github.readPullRequest(7)

/** Each of the faults befalls one request, in order. */
function strikeInTurn(...faults: GitHubFault[]): void {
  fake.injectFaults(() => faults.shift())
}

/** When the time of a FakeSeam starts. */
const start = new FakeSeam().date()

describe('a failed request', () => {
  test.each([
    ['trouble', serverError(500)],
    ['trouble of a gateway', serverError(502)],
    ['a page of a proxy', page(503)],
    ['a broken connection', { kind: 'reset' }],
  ] as [string, GitHubFault][])('is repeated after %s', async (_, fault) => {
    const { github, seam } = createGitHubClient(fake, tokens.readOnly)
    strikeInTurn(fault, fault)
    expect(await github.readPullRequest(7)).toMatchObject({ state: 'open' })
    expect(fake.requests).toHaveLength(3)
    expect(seam.sleeps).toEqual([250, 500])
  })

  it('is abandoned after three attempts', async () => {
    fake.injectFaults(() => serverError())
    await expect(read()).rejects.toMatchObject({ status: 502 })
    expect(fake.requests).toHaveLength(3)
  })

  test.each([
    ['a refusal', { kind: 'answer', answer: { status: 403, body: { message: 'No' } } }],
    ['a wrong token', { kind: 'answer', answer: { status: 401, body: { message: 'Bad credentials' } } }],
    ['a page that is not found', page(404)],
  ] as [string, GitHubFault][])('is not repeated after %s', async (_, fault) => {
    fake.injectFaults(() => fault)
    await expect(read()).rejects.toThrow(Error)
    expect(fake.requests).toHaveLength(1)
  })
})

const minute = 60_000

const preview = shown({ state: 'creating', name: 'preview-pr-7-0a1b2c3d' })

describe('a rate limit', () => {
  test.each([
    ['that asks for 3 s', secondaryLimit(403, 3), 3000],
    ['that asks for 3 s with 429', secondaryLimit(429, 3), 3000],
    ['that asks for nothing', secondaryLimit(429, 0), 250],
    ['that ends in 8 s', primaryLimit(start + 8000), 8000],
    ['that ended a while ago', primaryLimit(start - minute), 250],
    ['that does not name its end', secondaryLimit(429), minute],
    ['that ends 5 minutes before the deadline', primaryLimit(start + 25 * minute), 25 * minute],
  ])('%s causes a pause', async (_, fault, wait) => {
    const { github, seam } = createGitHubClient(fake, tokens.readOnly)
    strikeInTurn(fault)
    expect(await github.readPullRequest(7)).toMatchObject({ state: 'open' })
    expect(seam.sleeps).toEqual([wait])
  })

  it('does not count as an attempt', async () => {
    const { github, seam } = createGitHubClient(fake, tokens.readOnly)
    const limits = Array.from({ length: 9 }, () => secondaryLimit(403, 100))
    strikeInTurn(...limits, serverError(), serverError())
    expect(await github.readPullRequest(7)).toMatchObject({ state: 'open' })
    expect(seam.sleeps.slice(0, 9)).toEqual(limits.map(() => 100_000))
    expect(fake.requests).toHaveLength(12)
  })

  test.each([
    ['5 minutes of 30', 30 * minute, 1501],
    ['half of 4 minutes', 4 * minute, 121],
    ['half of 10 s', 10_000, 6],
  ])('ends the request if waiting leaves the step less than %s', async (_, deadline, seconds) => {
    const { github, seam } = createGitHubClient(fake, tokens.readOnly, { deadline })
    fake.injectFaults(() => secondaryLimit(403, seconds))
    const failure = await github.readPullRequest(7).catch(error => error)
    expect(failure).toBeInstanceOf(GitHubRateLimitError)
    expect(failure.next).toContain(`${seconds} s`)
    expect(seam.sleeps).toEqual([])
    expect(fake.requests).toHaveLength(1)
  })

  it.each([
    ['2 minutes', 120, [2 * minute]],
    ['longer', 121, []],
  ])('of %s delays a comment for at most 2 minutes', async (_, seconds, sleeps) => {
    const { github, seam } = createGitHubClient(fake, tokens.actions)
    strikeInTurn(secondaryLimit(403, seconds))
    const end = await github.writeComment(7, preview, { onlyUpdate: false }).catch(error => error)
    expect(end).toEqual(sleeps.length > 0 ? expect.any(String) : expect.any(GitHubRateLimitError))
    expect(seam.sleeps).toEqual(sleeps)
  })

  it.each<[string, number, (github: GitHub) => Promise<unknown>]>([
    ['a comment after 2 minutes', 2, github => github.writeComment(7, preview, { onlyUpdate: false })],
    ['a decision 5 minutes before the deadline', 25, github => github.readPullRequest(7)],
  ])('without an end ends %s', async (_, minutes, ask) => {
    fake.injectFaults(() => secondaryLimit(429))
    const { github, seam } = createGitHubClient(fake, tokens.actions)
    await expect(ask(github)).rejects.toThrow(GitHubRateLimitError)
    expect(seam.now()).toBe(minutes * minute)
  })

  it('is reported once, however many requests wait for its end', async () => {
    const reported: number[] = []
    const seam = new FakeSeam()
    const release = Promise.withResolvers<void>()
    let waiting = 0
    // Time passes once all three requests wait.
    const sleep = async (milliseconds: number) => {
      if (++waiting === 3) release.resolve(seam.sleep(milliseconds))
      await release.promise
    }
    const { github } = createGitHubClient(fake, tokens.readOnly, {
      seam: { now: () => seam.now(), date: () => seam.date(), random: () => 0, sleep },
      onLimit: wait => reported.push(wait),
    })
    fake.injectFaults(() => (seam.now() === 0 ? secondaryLimit(403, 90) : undefined))
    await Promise.all([7, 7, 7].map(number => github.readPullRequest(number)))
    expect(reported).toEqual([90_000])
    expect(waiting).toBe(3)
  })

  it.each([
    ['API rate limit exceeded for installation ID 1.'],
    ['You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'],
    ['You have triggered an abuse detection mechanism.'],
  ])('without headers is recognized by its message, and is not a missing permission: %s', async message => {
    const headers = { 'x-ratelimit-remaining': '', 'x-ratelimit-reset': '' }
    fake.injectFaults(() => ({ kind: 'answer', answer: refuse(403, message, headers) }))
    const failure = await createGitHubClient(fake, tokens.readOnly, { deadline: minute })
      .github.readPullRequest(7)
      .catch(error => error)
    expect(failure).toBeInstanceOf(GitHubRateLimitError)
    expect(failure).toMatchObject({ outlook: 'limit', next: expect.not.stringContaining('permissions') })
  })

  it('causes no requests before its end', async () => {
    const { github, seam } = createGitHubClient(fake, tokens.readOnly, { deadline: 80_000 })
    strikeInTurn(primaryLimit(start + 60_000))
    await expect(github.readPullRequest(7)).rejects.toThrow(GitHubRateLimitError)
    await seam.sleep(20_000, new AbortController().signal)
    await expect(github.readPullRequest(8)).rejects.toMatchObject({
      message: expect.stringMatching(/^reading pull request 8 failed: .*rate limit/),
      next: expect.stringContaining('40 s'),
    })
    expect(fake.requests).toHaveLength(1)
    await seam.sleep(40_000, new AbortController().signal)
    expect(await github.readPullRequest(7)).toMatchObject({ state: 'open' })
  })
})

describe('a cancelled job', () => {
  const cancelled = new CancelledError('SIGTERM')

  it('sends nothing', async () => {
    const { github } = createGitHubClient(fake, tokens.readOnly, { signal: AbortSignal.abort(cancelled) })
    await expect(github.readPullRequest(7)).rejects.toBe(cancelled)
    expect(fake.requests).toEqual([])
  })

  test.each([
    ['in the middle of a request', { kind: 'hang' }],
    ['while an answer is broken', { kind: 'cut' }],
    ['before a second try', serverError()],
    ['before a rate limit is over', secondaryLimit(403, 600)],
  ] as [string, GitHubFault][])('ends %s', async (_, fault) => {
    const job = new AbortController()
    const { github } = createGitHubClient(fake, tokens.readOnly, { signal: job.signal })
    fake.injectFaults(() => {
      job.abort(cancelled)
      return fault
    })
    await expect(github.readPullRequest(7)).rejects.toBe(cancelled)
    expect(fake.requests).toHaveLength(1)
  })
})

const asked = { what: 'asking', route: 'GET /user', permission: '' }

/** Calls as one run makes them, with GitHub's client loaded before the clock runs: a busy machine is no failure. */
async function callWith(options: Partial<GitHubCallOptions>) {
  const octokit = await openOctokit(tokens.personal, fake.environment.GITHUB_API_URL)
  return createCall({
    octokit: async () => octokit,
    send: createSend(),
    seam: new FakeSeam(),
    signal: new AbortController().signal,
    deadline: Number.POSITIVE_INFINITY,
    ...options,
  })
}

test.each([
  ['does not come', { kind: 'hang' }],
  ['stops in the middle', { kind: 'stall' }],
] as [string, GitHubFault][])('an answer that %s is abandoned', async (_, fault) => {
  fake.injectFaults(() => fault)
  const call = await callWith({ timeout: 400 })
  const failure = await call(asked).catch(error => error)
  expect(failure).toBeInstanceOf(GitHubUnreachableError)
  expect(failure.message).toBe('asking failed: no complete answer within 0.4 s')
  expect(fake.requests).toHaveLength(3)
})

describe('the deadline', () => {
  test.each<[string, Partial<GitHubRequest>, number, number, number]>([
    ['bounds one that is far', {}, 60_000, 10_000, 60_000],
    ['bounds one that may be cut', {}, 4000, 4000, 4000],
    ['leaves two seconds at least', {}, 10, 2000, 2000],
    ['bounds what must not be sent twice only until it is sent', { repeatable: false }, 4000, 10_000, 4000],
  ])('%s', async (_, parts, deadline, timeout, toSend) => {
    const seam = new FakeSeam([json(200, {})])
    const { signal } = new AbortController()
    const call = await callWith({ seam, deadline, signal, send: request => seam.send(request) })
    await call({ ...asked, ...parts })
    expect(seam.requests).toMatchObject([{ timeout, untilSent: { timeout: toSend } }])
    expect(seam.requests[0]?.signal).toBe(signal)
  })

  it('allows one wait for a missing answer', async () => {
    fake.injectFaults(() => ({ kind: 'hang' }))
    const call = await callWith({ deadline: 0, timeout: 400 })
    await expect(call(asked)).rejects.toThrow('asking failed: no complete answer')
    await expect(call({ ...asked, what: 'asking again' })).rejects.toThrow(
      'asking again failed: no complete answer within 0.4 s',
    )
    expect(fake.requests).toHaveLength(1)
  })

  test.each([
    ['trouble', serverError(), 700, 2],
    ['a rate limit', secondaryLimit(403, 5), 9999, 1],
  ] as [string, GitHubFault, number, number][])(
    'ends the attempts after %s',
    async (_, fault, deadline, tries) => {
      fake.injectFaults(() => fault)
      const { github, seam } = createGitHubClient(fake, tokens.readOnly, { deadline })
      await expect(github.readPullRequest(7)).rejects.toThrow()
      expect(fake.requests).toHaveLength(tries)
      expect(seam.now()).toBeLessThanOrEqual(deadline)
    },
  )
})

test('a GitHub without a server is unreachable', async () => {
  await fake.stop()
  const failure = await read().catch(error => error)
  expect(failure).toBeInstanceOf(GitHubUnreachableError)
  expect(failure.message).toContain('ECONNREFUSED')
})

test('a redirect is not followed, so the token stays with GitHub', async () => {
  const other = await startFakeGitHub()
  other.openPullRequest({ number: 7 })
  const location = `${other.environment.GITHUB_API_URL}/repos/octo-org/shop/pulls/7`
  fake.injectFaults(() => ({ kind: 'answer', answer: { status: 307, headers: { location }, body: {} } }))
  await expect(read()).rejects.toThrow('redirect')
  expect(other.requests).toEqual([])
  await other.stop()
})

test.each<[what: string, type: string | undefined, body: string, data: unknown]>([
  ['JSON', 'application/json; charset=utf-8', '{"id":1}', { id: 1 }],
  ['JSON, shouted', 'Application/JSON', '[]', []],
  ['a page', 'text/html', '{"id":1}', '{"id":1}'],
  ['something without a type', undefined, '{"id":1}', '{"id":1}'],
  ['half of a JSON text', 'application/json', '{"id":', '{"id":'],
])('an answer is parsed by its content type: %s', async (_, type, body, data) => {
  const answer = { ...json(200, {}), headers: { ...(type && { 'content-type': type }) }, body }
  const seam = new FakeSeam([answer])
  const call = await callWith({ seam, send: request => seam.send(request) })
  expect(await call(asked)).toMatchObject({ data })
})

test('a request names the action as its agent', async () => {
  await read()
  const { headers } = fake.requests[0] as GitHubRequestSeen
  expect(headers.authorization).toBe(`token ${tokens.readOnly}`)
  expect(headers['user-agent']).toMatch(/^managed-database-action /)
})
