/** Tests forks that the quarantine cannot reach. */
import { expect, test } from 'vitest'
import { quarantineFork } from '#operations/quarantine'
import { UnreachableError } from '#operations/wait/connect'
import { LoginRefusedError } from '#postgres/login-refused'
import { fakeContext } from '../support/fake-context.ts'

const endpoint = { host: 'db.example', port: 5432 }

/** A new fork with an unreachable database, for the given reason. */
function closed(reason: Error, settings: object, record: object = {}) {
  const outcome = {
    ...{ operation: 'fork-service', ids: { service_id: 's1' }, resource: 'service' as const },
    record: { service_id: 's1', status: 'READY', endpoint, ...record },
    password: 'first',
  }
  const openContents = () => Promise.reject(reason)
  const fake = fakeContext([], { settings, openContents, deadline: 3_600_000 })
  return { ...fake, run: () => quarantineFork(fake.context, outcome) }
}

const unreachable = new Error('connect ETIMEDOUT')

test('an unreachable fork is published with a warning, after half a minute', async () => {
  const { run, warnings, seam } = closed(unreachable, { quarantine: true })
  expect(await run()).toBeUndefined()
  expect(warnings).toEqual([
    expect.stringMatching(/^service s1 is not quarantined: .*ETIMEDOUT; the jobs, logins/),
  ])
  expect(seam.now()).toBeLessThanOrEqual(30_000)
})

test('an unreachable fork in a VPC is published too, with wait_for_connection', async () => {
  const vpcEndpoint = { ...endpoint, vpc_id: 'v1' }
  const { run, warnings } = closed(
    unreachable,
    { quarantine: true, waitForConnection: true },
    { vpcEndpoint },
  )
  expect(await run()).toBeUndefined()
  expect(warnings).toHaveLength(1)
})

test('an unreachable fork is an error with strict', async () => {
  await expect(closed(unreachable, { quarantine: 'strict' }).run()).rejects.toThrow('is not quarantined')
})

test('a connection is tried until the deadline with wait_for_connection', async () => {
  const { run, seam } = closed(unreachable, { quarantine: true, waitForConnection: true })
  await expect(run()).rejects.toThrow(UnreachableError)
  expect(seam.now()).toBeGreaterThan(3_500_000)
})

test('a refused login is an error: another run may have set the password', async () => {
  const { run } = closed(new LoginRefusedError('no'), { quarantine: true })
  await expect(run()).rejects.toThrow('refuses the login')
})
