/** Tests the client of GitHub in a new process. */
import { execFile } from 'node:child_process'
import { createServer, request as forward } from 'node:http'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { apiAddressOf, graphqlAddressOf } from '#github/ask/request'
import { type FakeGitHub, startFakeGitHub } from '../support/github/fake-github.ts'
import { createGitHubClient } from '../support/github/github-client.ts'
import { previewApp, tokens } from '../support/github/tokens.ts'
import { LocalServers } from '../support/local-servers.ts'
import { useWorkspace } from '../support/workspace.ts'
import { shown } from './support/preview-section.ts'

const program = resolve(import.meta.dirname, '../support/github/ask-main.ts')
const servers = new LocalServers()
let fake: FakeGitHub
const { path: folder, write } = useWorkspace()

beforeAll(async () => {
  fake = await startFakeGitHub({ apiPath: '/api/v3' })
  fake.openPullRequest({ number: 7 })
})
afterAll(() => Promise.all([fake.stop(), servers.close()]))

const noProxy = {
  ...{ http_proxy: '', https_proxy: '', no_proxy: '', HTTP_PROXY: '', HTTPS_PROXY: '', NO_PROXY: '' },
}

/** The output of a new process that sends a request in this environment. */
async function askIn(environment: NodeJS.ProcessEnv): Promise<unknown> {
  const ofFake = { ...noProxy, ...fake.environment, GITHUB_TOKEN: tokens.actions }
  const env = { ...process.env, ...ofFake, ...environment }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, '7'], { env })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

describe('the event file', () => {
  test.each(['malformed', 'missing'])(
    'does not prevent requests if it is %s, and prints nothing',
    async name => {
      write({ malformed: '{"pull_request":' })
      const answer = await askIn({ GITHUB_EVENT_PATH: join(folder, name) })
      expect(answer).toEqual({ state: 'open', event: null })
    },
  )
})

test('the log does not mention a route that GitHub will remove', async () => {
  const headers = { deprecation: 'Sat, 31 Jan 2026 12:00:00 GMT', sunset: 'Sun, 31 Jan 2027 12:00:00 GMT' }
  const body = { number: 7, state: 'open', labels: [], base: { repo: { id: 1296269 } } }
  fake.injectFaults(() => ({ kind: 'answer', answer: { status: 200, headers, body } }))
  expect(await askIn({})).toMatchObject({ state: 'open' })
  fake.injectFaults(() => undefined)
})

/** A proxy for which every host is the fake. It only forwards: without TLS, the client asks for no tunnel. */
function createProxy(asked: string[]) {
  const { port } = new URL(fake.environment.GITHUB_API_URL)
  return createServer(({ url, method, headers }, response) => {
    asked.push(new URL(url as string).host)
    const onward = forward({ port, host: '127.0.0.1', path: url, method, headers }, answer =>
      answer.pipe(response.writeHead(answer.statusCode as number, answer.headers)),
    )
    onward.end()
  })
}

test('requests to GitHub use the proxy of the environment', async () => {
  const asked: string[] = []
  const proxy = `http://127.0.0.1:${await servers.listen(createProxy(asked))}`
  // The name is one that no resolver knows: only the proxy can lead there.
  const environment = { GITHUB_API_URL: 'http://git.invalid/api/v3', http_proxy: proxy }
  expect(await askIn(environment)).toMatchObject({ state: 'open' })
  expect(asked).toEqual(['git.invalid'])
})

describe('the address of the API', () => {
  test.each([
    [undefined, 'https://api.github.com'],
    ['', 'https://api.github.com'],
    ['https://git.example/api/v3', 'https://git.example/api/v3'],
    ['https://git.example/api/v3/', 'https://git.example/api/v3'],
  ])('%j is %s', (GITHUB_API_URL, address) => {
    expect(apiAddressOf({ GITHUB_API_URL })).toBe(address)
  })

  it('of an Enterprise Server has its GraphQL beside it', async () => {
    const { github } = createGitHubClient(fake, tokens.app)
    await github.writeComment(7, shown({ state: 'ready', name: 'preview-pr-7-0a1b2c3d' }), {
      onlyUpdate: false,
    })
    await github.writeComment(7, shown({ state: 'deleted', name: 'preview-pr-7-0a1b2c3d' }), {
      onlyUpdate: false,
    })
    expect(fake.commentsOf(7)).toMatchObject([
      { author: previewApp, body: expect.stringContaining('deleted') },
    ])
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
