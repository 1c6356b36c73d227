/** Tests the wait for a connection. */
import { describe, expect, it } from 'vitest'
import type { Outcome } from '#operations/base/outcome'
import { explainConnection, UnreachableError, waitForConnection } from '#operations/wait/connect'
import { reasonOf } from '#operations/wait/targets'
import { LoginRefusedError } from '#postgres/login-refused'
import { fakeContext } from '../support/fake-context.ts'

const database = { host: 'db.example', port: 5432 }
const pooler = { host: 'pooler.example', port: 6432 }
const inVpc = { host: '10.0.0.7', port: 5432 }
const connection = { ...database, user: 'app', database: 'd', sslmode: 'require' }
const second = 1000

/** A wait for a record's addresses; `answer` defines the answer of each host, at a moment in milliseconds. */
function world(
  record: object,
  answer: (host: string, at: number) => Error | undefined,
  resource = 'service',
) {
  const probed: string[] = []
  const fake = fakeContext([], {
    deadline: 60 * second,
    probe: async ({ host }) => {
      const failure = answer(host, fake.seam.now())
      if (failure) throw failure
      probed.push(host)
    },
  })
  const outcome = { operation: 'test', ids: {}, resource, record } as Outcome
  return { ...fake, probed, wait: () => waitForConnection(fake.context, outcome) }
}

const refused = new Error('ECONNREFUSED')
const ready = { status: 'READY', endpoint: database }

describe('waiting for a connection', () => {
  it('tries the database and its pooler', async () => {
    const { wait, probed, lines } = world(
      { ...ready, connection_pooler: { endpoint: pooler } },
      (host, at) => (host === pooler.host && at < 3 * second ? refused : undefined),
    )
    await wait()
    expect(probed).toEqual(['db.example', 'pooler.example'])
    expect(lines).toContain(
      '[0.0s] no connection to the pooler of the database at pooler.example:6432 yet: ECONNREFUSED',
    )
  })

  it('fails if the pooler never answers', async () => {
    const { wait } = world({ ...ready, connection_pooler: { endpoint: pooler } }, host =>
      host === pooler.host ? refused : undefined,
    )
    await expect(wait()).rejects.toThrow(
      'the pooler of the database at pooler.example:6432 is READY but accepts no connection: ECONNREFUSED',
    )
  })

  it('warns about an unreachable address in a VPC after a short time', async () => {
    // As it is once a service is attached: its address is the one in the VPC.
    for (const endpoint of [inVpc, database]) {
      const { wait, warnings, seam } = world({ ...ready, endpoint, vpcEndpoint: inVpc }, host =>
        host === inVpc.host ? refused : undefined,
      )
      await wait()
      expect(warnings).toEqual([
        expect.stringMatching(/^connection not checked, .+ at 10\.0\.0\.7:5432 is READY but .+ECONNREFUSED/),
      ])
      expect(seam.now()).toBeLessThan(11 * second)
    }
  })

  it('fails if a public address is unreachable', async () => {
    const { wait } = world({ ...ready, vpcEndpoint: inVpc }, () => refused)
    await expect(wait()).rejects.toBeInstanceOf(UnreachableError)
  })

  it.each([
    ['127.0.0.1', 'ECONNREFUSED', true],
    ['::1', 'ECONNREFUSED', true],
    ['10.1.2.3', 'ECONNREFUSED', false],
    ['127.0.0.1', 'ETIMEDOUT', false],
  ])('explains localhost after %s with %s: %s', async (address, code, isExplained) => {
    const { wait } = world(ready, () => Object.assign(new Error(code), { address, code }))
    const failure: unknown = await wait().catch(error => error)
    expect((failure as UnreachableError).next.includes('a service container has its own host name')).toBe(
      isExplained,
    )
  })

  it('does not blame localhost if no address was tried', async () => {
    const { wait } = world(ready, () => Object.assign(new AggregateError([]), { code: 'ETIMEDOUT' }))
    const failure: unknown = await wait().catch(error => error)
    expect((failure as UnreachableError).next).not.toContain('localhost')
  })

  it('fails if a reachable address in a VPC refuses the login', async () => {
    const { wait } = world(
      { ...ready, endpoint: inVpc, vpcEndpoint: inVpc },
      () => new LoginRefusedError('no'),
    )
    await expect(wait()).rejects.toThrow('refuses the login')
  })

  it('advises to keep a login that the quarantine disabled', async () => {
    const disabled = new LoginRefusedError('role "app" is not permitted to log in')
    const advice = expect.stringContaining('set `keep_active: login:app` and run reset-preview')
    await expect(world(ready, () => disabled).wait()).rejects.toMatchObject({ next: advice })
    expect(explainConnection(connection, disabled)).toMatchObject({ next: advice })
    expect(explainConnection(connection, new LoginRefusedError('no'))).toMatchObject({
      next: 'check user, password and name of the database',
    })
  })

  it('explains that a read replica set is a standby', async () => {
    const record = { status: 'active', endpoint: database, connection_pooler: { endpoint: pooler } }
    const { wait, probed, lines } = world(
      record,
      (_, at) => (at < 2 * second ? new Error('the database system is starting up') : undefined),
      'replica_set',
    )
    await wait()
    expect(probed).toEqual(['db.example', 'pooler.example'])
    expect(lines[0]).toMatch(/^waiting up to 1m 00s for a connection to \S+:\d+$/)
    expect(lines[1]).toBe(
      '[0.0s] no connection to the read replica set at db.example:5432 yet: the database system is starting up (a standby accepts them once it has caught up with its primary)',
    )
  })

  it('tries an address in a VPC if there is no other', async () => {
    const { wait, probed } = world({ status: 'READY', vpcEndpoint: inVpc }, () => undefined)
    await wait()
    expect(probed).toEqual(['10.0.0.7'])
  })

  it.each([{}, { vpcEndpoint: { link: 'x' } }])('warns about a missing address: %j', async record => {
    const { wait, probed, warnings } = world({ status: 'READY', ...record }, () => undefined)
    await wait()
    expect(probed).toEqual([])
    expect(warnings).toEqual(['the record has no address, so the connection was not checked'])
  })
})

describe('the reason why a connection to a fork failed', () => {
  const system = (message: string, code: string, syscall: string) =>
    Object.assign(new Error(message), { code, syscall })

  it.each([
    [system('connect ECONNREFUSED 10.1.2.3:5432', 'ECONNREFUSED', 'connect'), 'connect ECONNREFUSED'],
    [system('getaddrinfo ENOTFOUND db.example', 'ENOTFOUND', 'getaddrinfo'), 'getaddrinfo ENOTFOUND'],
    [Object.assign(new AggregateError([]), { code: 'ETIMEDOUT' }), 'ETIMEDOUT'],
    [new Error('no route to db.example:5432'), 'no route to ***'],
    [new Error("db.example. is not in the cert's altnames"), "***. is not in the cert's altnames"],
    [new LoginRefusedError('database "shop" does not exist'), 'database "shop" does not exist'],
  ])('does not contain its address: %s', (failure, reason) => {
    expect(reasonOf(failure, { address: database, isWithheld: true })).toBe(reason)
  })
})
