/** Runs steps with derived passwords. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { derivePassword } from '#preview/base/password'
import { useRepository } from '../support/pull-request.ts'
import { errorOf, type Inputs, openWorkbench, query } from '../support/workbench.ts'

const repository = useRepository()

const create: Inputs = { operation: 'create-preview', empty: 'true', comment: 'false' }
const connect: Inputs = { operation: 'get-connection' }

/** Runs a step of the pull request to its end; returns its log, its outputs and its requests. */
async function run(number: number, inputs: Inputs) {
  const { bench } = repository
  const mark = bench.emulator.requests.length
  const result = await repository.on('synchronize', number, inputs)
  return { ...result, requested: bench.operationsSince(mark) }
}

async function done(number: number, inputs: Inputs) {
  const result = await run(number, inputs)
  expect(result.exitCode, result.stdout).toBe(0)
  return result
}

const opens = async (url: string | undefined) => (await query(url, 'select 1 as one')).length === 1

describe('after the secret key was rotated, without a password_secret', { concurrent: false }, () => {
  let number: number
  let oldKey: string
  let before: Record<string, string>
  beforeAll(async () => {
    number = repository.github.openPullRequest()
    oldKey = repository.bench.secretKey
    before = (await done(number, create)).outputs
    expect(await opens(before.database_url)).toBe(true)
    repository.bench.rotateKey()
  })

  it('get-connection reports that the password does not fit', async () => {
    const result = await run(number, connect)
    expect(result.exitCode).toBe(1)
    expect(errorOf(result)).toContain(
      `does not open the database of service ${before.service_id}: it was set with another secret`,
    )
    expect(errorOf(result)).toContain('if a secret or key was rotated, run create-preview')
    expect(result.outputs).toEqual({})
  })

  it('the old key as password_secret still gives the password', async () => {
    const { outputs } = await done(number, { ...connect, password_secret: oldKey })
    expect(outputs.password).toBe(before.password)
    expect(await opens(outputs.database_url)).toBe(true)
  })

  it('the next create-preview sets the new password, with a warning', async () => {
    const { outputs, stdout, requested } = await done(number, create)
    expect(requested).toContain('update-password')
    expect(stdout).toMatch(
      /^::warning title=[^:]*::service \w+ had another password .*a workflow has another password_secret/m,
    )
    expect(outputs.service_id).toBe(before.service_id)
    expect(outputs.password).not.toBe(before.password)
    expect(await opens(outputs.database_url)).toBe(true)
    await expect(query(before.database_url, 'select 1')).rejects.toThrow('password authentication failed')
    expect((await done(number, connect)).outputs.password).toBe(outputs.password)
  })
})

describe('with a password_secret', { concurrent: false }, () => {
  const password_secret = randomBytes(24).toString('base64url')

  it("two keys keep each other's password and sessions", async () => {
    const number = repository.github.openPullRequest()
    const { outputs } = await done(number, { ...create, password_secret })
    const session = new pg.Client({ connectionString: `${outputs.database_url}&uselibpqcompat=true` })
    await session.connect()
    try {
      repository.bench.rotateKey()
      const pushed = await done(number, { ...create, password_secret })
      expect(pushed.requested).not.toContain('update-password')
      expect(pushed.stdout).not.toContain('had another password')
      const connected = await done(number, { ...connect, password_secret })
      for (const name of ['service_id', 'password', 'database_url']) {
        expect(pushed.outputs[name]).toBe(outputs[name])
        expect(connected.outputs[name]).toBe(outputs[name])
      }
      expect((await session.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    } finally {
      await session.end()
    }
  })
})

describe('a secret key that is too short to derive from', () => {
  const secretKey = 'short-key'
  let bench: Awaited<ReturnType<typeof openWorkbench>>
  beforeAll(async () => {
    bench = await openWorkbench({ databases: 'invented', secretKey })
  })
  afterAll(() => bench.stop())
  beforeEach(() => bench.injectFaults(() => undefined))

  it('is refused before any request', async () => {
    const mark = bench.emulator.requests.length
    const result = await bench.step(connect)
    expect(errorOf(result)).toContain(
      'secret_key: expected at least 16 characters, because without password_secret the action derives passwords from this key',
    )
    expect(bench.operationsSince(mark)).toEqual([])
  })

  it('gives an adopted service a password that cannot be derived', async () => {
    let answers = 0
    bench.injectFaults(({ operation }) =>
      operation === 'create-service' && answers++ === 0 ? { kind: 'truncate' } : undefined,
    )
    const { outputs } = await bench.runSuccessfully({ operation: 'create-service', name: 'short-*' })
    expect(outputs.password).toMatch(/^[A-Za-z0-9]{32}$/)
    expect(outputs.password).not.toBe(derivePassword(secretKey, outputs.service_id as string))
  })

  it('derives the password from password_secret if it is set', async () => {
    const password_secret = 'sixteen-letters!'
    let answers = 0
    bench.injectFaults(({ operation }) =>
      operation === 'create-service' && answers++ === 0 ? { kind: 'truncate' } : undefined,
    )
    const { outputs } = await bench.runSuccessfully({
      operation: 'create-service',
      name: 'long-*',
      password_secret,
    })
    expect(outputs.password).toBe(derivePassword(password_secret, outputs.service_id as string))
  })
})
