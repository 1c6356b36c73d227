/** Tests that credentials reach exactly one origin. */
import { beforeAll, describe, expect, it } from 'vitest'
import { encodings } from '#action/secrets/secrets'
import { tokens } from '../support/github/tokens.ts'
import { useServers } from '../support/local-servers.ts'
import { useRepository } from '../support/pull-request.ts'
import { type RecordingRelay, startRelay } from '../support/recording-relay.ts'

const servers = useServers()
const repository = useRepository({ databases: 'invented' })
let api: RecordingRelay
let github: RecordingRelay
let number: number
beforeAll(async () => {
  api = await startRelay(servers, repository.bench.emulator.port)
  github = await startRelay(servers, Number(new URL(repository.github.environment.GITHUB_API_URL).port))
  number = repository.github.openPullRequest()
})

function run(action: 'opened' | 'closed', inputs: Record<string, string> = {}) {
  return repository.on(
    action,
    number,
    {
      operation: 'preview',
      empty: 'true',
      wait_for_connection: 'false',
      base_url: `http://127.0.0.1:${api.port}/public/api/v1`,
      ...inputs,
    },
    { environment: { GITHUB_API_URL: `http://127.0.0.1:${github.port}` } },
  )
}

/** Whether any of the ways to write a secret stands in a text. */
const holds = (text: string, secret: string) => encodings(secret).some(encoded => text.includes(encoded))

describe('credentials reach exactly one origin', () => {
  it('in the whole life of a preview', async () => {
    for (const action of ['opened', 'closed'] as const) {
      const result = await run(action)
      expect(result.exitCode, result.stdout).toBe(0)
    }
    const { secretKey } = repository.bench
    expect(api.sent()).toContain(Buffer.from(`public-test:${secretKey}`).toString('base64'))
    expect(holds(api.sent(), tokens.actions)).toBe(false)
    expect(github.sent()).toContain(tokens.actions)
    expect(holds(github.sent(), secretKey)).toBe(false)
    expect(holds(github.sent(), `public-test:${secretKey}`)).toBe(false)
    expect(github.sent()).not.toContain('public-test')
  })

  it('no password of a database reaches GitHub', async () => {
    repository.github.reopenPullRequest(number)
    const { outputs, exitCode } = await run('opened')
    const passwords = [outputs.password, outputs.initial_password].filter(password => password)
    expect([exitCode, passwords.length > 0]).toEqual([0, true])
    for (const password of passwords) expect(holds(github.sent(), password as string)).toBe(false)
  })

  it('no redirect of GitHub gets its token', async () => {
    const before = api.sent().length
    const location = `http://127.0.0.1:${api.port}/public/api/v1/auth/info`
    const redirect = { status: 302, headers: { location }, body: '' }
    repository.github.injectFaults(() => ({ kind: 'answer', answer: redirect }))
    await run('closed')
    repository.github.injectFaults(() => undefined)
    expect(holds(api.sent().slice(before), tokens.actions)).toBe(false)
  })
})
