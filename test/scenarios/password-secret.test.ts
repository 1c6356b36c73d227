/** Runs steps with derived passwords. */
import { beforeAll, describe, expect, it } from 'vitest'
import { useRepository } from '../support/pull-request.ts'
import { errorOf, type Inputs, query } from '../support/workbench.ts'

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
