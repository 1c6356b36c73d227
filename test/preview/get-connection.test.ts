/** Tests the password checks of get-connection. */
import { describe, expect, it, test } from 'vitest'
import { parseEvent } from '#github/event'
import type { Context } from '#operations/base/context'
import { UnreachableError } from '#operations/wait/connect'
import { LoginRefusedError, PasswordRefusedError } from '#postgres/login-refused'
import { hashRepository } from '#preview/base/name'
import { getConnection } from '#preview/operations/get-connection'
import { fakeContext } from '../support/fake-context.ts'
import { json } from '../support/fake-seam.ts'
import { finishedDatabase } from '../support/finished-database.ts'
import { eventOf } from './support/inputs.ts'

const event = parseEvent({ GITHUB_REPOSITORY_ID: '4711' }, undefined)
const endpoint = { host: 'db.example', port: 5432 }
const ready = {
  service_id: 's1',
  name: `preview-pr-7-${hashRepository('4711')}-x1y2z3`,
  status: 'READY',
  endpoint,
}
const given = { project_id: 'p1', service_id: 's1' }

/** A service with the given records in successive reads, and the answer of its database to each login. */
function world(
  records: object[],
  logins: (Error | undefined)[],
  settings: Partial<Context['settings']> = {},
  finished = 's1',
) {
  const probes: (string | undefined)[] = []
  const marks: (boolean | undefined)[] = []
  const fake = fakeContext(
    records.map(record => json(200, record)),
    {
      settings: {
        projectId: 'p1',
        wait: true,
        waitForConnection: true,
        ...settings,
      },
      event,
      derivePassword: serviceId => `derived-for-${serviceId}`,
      probe: async ({ password }, _, options) => {
        probes.push(password)
        marks.push(options?.leavesMarker)
        const failure = logins[Math.min(probes.length, logins.length) - 1]
        if (failure) throw failure
      },
      openContents: finishedDatabase(finished, () => {
        const failure = logins.at(-1)
        if (failure) throw failure
      }),
    },
  )
  return { ...fake, probes, marks, connect: () => getConnection(given, fake.context) }
}

const wrong = new PasswordRefusedError('password authentication failed for user "tsdbadmin"')

describe.each([true, false])('with wait_for_connection: %s', waitForConnection => {
  it('a password that opens the database is published', async () => {
    const { connect, probes, lines } = world([ready], [undefined], { waitForConnection })
    expect(await connect()).toMatchObject({ password: 'derived-for-s1', record: ready, pullRequest: 7 })
    expect(probes).toEqual(['derived-for-s1'])
    expect(lines.join()).not.toContain('not checked')
  })

  it('the login leaves a usage marker for prune', async () => {
    const { connect, marks } = world([ready], [undefined], { waitForConnection })
    await connect()
    expect(marks).toEqual([true])
  })

  it('a password that does not open it is an error at once', async () => {
    const { connect, probes, seam } = world([ready], [wrong], { waitForConnection })
    const failure = await connect().catch(error => error)
    expect(failure.message).toBe(
      'the password derived from the secret key, because password_secret is not set, does not open the database of service s1: it was set with another secret',
    )
    expect(failure.next).toMatch(/^set password_secret as in the step that creates the preview; /)
    expect([probes.length, seam.now()]).toEqual([1, 0])
  })

  it('the error names password_secret if it is set', async () => {
    const { connect } = world([ready], [wrong], { waitForConnection, hasPasswordSecret: true })
    await expect(connect()).rejects.toThrow(/^the password derived from password_secret does not open /)
  })

  it('a service that is no preview of this repository has no password to try', async () => {
    const { connect, probes } = world([{ ...ready, name: 'shop' }], [undefined], { waitForConnection })
    expect((await connect()).password).toBeUndefined()
    expect(probes).toEqual(waitForConnection ? [undefined] : [])
  })
})

describe('the service that is no preview', () => {
  const unknownPassword = 'service s1 is no preview of this repository: its password is not known here'
  const shop = () => world([{ ...ready, name: 'shop' }], [undefined])

  it('is reported', async () => {
    const { connect, lines } = shop()
    await connect()
    expect(lines).toContain(unknownPassword)
  })

  it('gets a warning if a pull request has a preview', async () => {
    const { context, warnings } = shop()
    await getConnection(given, { ...context, event: { ...event, ...eventOf('opened', 2) } })
    expect(warnings).toEqual([
      `${unknownPassword}; leave service_id out to get the preview of pull request 2`,
    ])
  })

  it('is not reported if the caller needs the password, which reports it itself', async () => {
    const { context, lines, warnings } = shop()
    await getConnection(given, context, { logsUnknownPassword: false })
    expect([...lines, ...warnings].join()).not.toContain(unknownPassword)
  })
})

test('a standby of a preview has the password of its primary', async () => {
  const forked_from = { project_id: 'p1', service_id: 's0', is_standby: true }
  const standby = { service_id: 's1', name: 'readers', status: 'READY', endpoint, forked_from }
  const { connect, probes, seam } = world([standby, { ...ready, service_id: 's0' }], [undefined], {}, 's0')
  expect(await connect()).toMatchObject({ password: 'derived-for-s0', record: standby, pullRequest: 7 })
  expect([probes.length, seam.requests.map(({ url }) => String(url).split('/').at(-1))]).toEqual([
    1,
    ['s1', 's0'],
  ])
})

test('a fork that is no standby has a password of its own', async () => {
  const forked_from = { project_id: 'p1', service_id: 'parent', is_standby: false }
  const { connect } = world([{ ...ready, forked_from }], [undefined])
  expect((await connect()).password).toBe('derived-for-s1')
})

describe('a wait for the connection', () => {
  const making = { ...ready, status: 'CONFIGURING', endpoint: undefined }

  it('tolerates a refusal while the preview is being created', async () => {
    const { connect, probes } = world([making, ready], [wrong, wrong, undefined])
    expect((await connect()).password).toBe('derived-for-s1')
    expect(probes).toHaveLength(3)
  })

  it('ends in the same error if the refusal persists', async () => {
    const { connect, seam } = world([making, ready], [wrong])
    await expect(connect()).rejects.toThrow('it was set with another secret')
    expect(seam.now()).toBeGreaterThanOrEqual(15_000)
    expect(seam.now()).toBeLessThan(17_000)
  })

  it('distinguishes a wrong password from a wrong database', async () => {
    const { connect } = world([ready], [new LoginRefusedError('database "shop" does not exist')])
    const failure = await connect().catch(error => error)
    expect(failure).toBeInstanceOf(UnreachableError)
    expect(failure.message).toBe(
      'the database of service s1 refuses the login: database "shop" does not exist',
    )
  })

  it('continues while the database is unreachable', async () => {
    const unreachable = new Error('connect ECONNREFUSED')
    const { connect, probes } = world([ready], [unreachable, unreachable, wrong])
    await expect(connect()).rejects.toThrow('it was set with another secret')
    expect(probes).toHaveLength(3)
  })
})

describe('without a wait', () => {
  test.each<[string, object[], Error | undefined, number, string]>([
    [
      'cannot be reached',
      [ready, ready],
      new Error('connect ETIMEDOUT'),
      1,
      'the database cannot be reached from here (connect ETIMEDOUT)',
    ],
    [
      'was not READY when it was found',
      [{ ...ready, status: 'RESUMING' }, ready],
      undefined,
      0,
      'the preview was not READY, so its password may be set only now',
    ],
  ])(
    'the log reports the unchecked password if the database %s',
    async (_, records, failure, count, reason) => {
      const { connect, probes, lines } = world(records, [failure], { waitForConnection: false })
      expect((await connect()).password).toBe('derived-for-s1')
      expect(probes).toHaveLength(count)
      expect(lines).toContain(`the password was not checked: ${reason}`)
    },
  )

  it('a missing database is an error, since its quarantine is unknown', async () => {
    const refusal = new LoginRefusedError('database "shop" does not exist')
    const { connect } = world([ready], [refusal], { waitForConnection: false })
    await expect(connect()).rejects.toThrow('the database of service s1 refuses the login')
  })

  it('the connection details of a service that is not READY are not published', async () => {
    const { connect, lines } = world([{ ...ready, status: 'CONFIGURING' }], [undefined], { wait: false })
    const outcome = await connect()
    expect([outcome.password, outcome.record]).toEqual([
      undefined,
      expect.not.objectContaining({ endpoint: expect.anything() }),
    ])
    expect(lines).toContain(
      'service s1 is CONFIGURING: its connection details are published once it is READY and finished',
    )
  })

  it('the log reports a database without an address', async () => {
    const placeless = { ...ready, endpoint: undefined }
    const { connect, probes, lines } = world([placeless, placeless], [], { wait: false })
    await connect()
    expect(probes).toEqual([])
    expect(lines).toContain('the password was not checked: the database has no address yet')
  })
})
