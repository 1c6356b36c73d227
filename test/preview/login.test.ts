/** Tests how a preview gets its derived password. */
import { describe, expect, it, test } from 'vitest'
import { LoginRefusedError, PasswordRefusedError } from '#postgres/login-refused'
import { setDerivedPassword } from '#preview/services/login'
import { type FakeParts, fakeContext } from '../support/fake-context.ts'
import { json } from '../support/fake-seam.ts'

const ids = { project_id: 'p1', service_id: 's1' }
const service = { service_id: 's1', status: 'READY', endpoint: { host: 'db.example', port: 5432 } }
const settings = { waitForConnection: true }

/** A database with the given reaction to a login, and an API that accepts one new password. */
function world(login: () => void, parts: FakeParts = {}) {
  const probes: unknown[] = []
  const fake = fakeContext([json(204)], {
    settings,
    derivePassword: serviceId => `derived-for-${serviceId}`,
    probe: async (connection, timeout) => {
      probes.push({ ...connection, timeout })
      login()
    },
    ...parts,
  })
  return { ...fake, probes }
}

function refuse(failure: Error) {
  return () => {
    throw failure
  }
}

describe('the derived password', () => {
  test.each([true, false])(
    'is not set again if it opens the database (wait_for_connection: %s)',
    async wait => {
      const { context, seam, probes, lines, warnings } = world(() => {}, {
        settings: { ...settings, waitForConnection: wait },
      })
      expect(await setDerivedPassword(context, ids, service, false)).toMatchObject({
        password: 'derived-for-s1',
      })
      expect(probes).toEqual([
        { ...context.settings.login, ...service.endpoint, password: 'derived-for-s1', timeout: 5000 },
      ])
      expect(seam.requests).toEqual([])
      expect([...lines, ...warnings]).toEqual([])
    },
  )

  it('is set without a login if this run created the database', async () => {
    const { context, seam, probes, lines, warnings } = world(refuse(new PasswordRefusedError('no')))
    await setDerivedPassword(context, ids, service, true)
    expect(probes).toEqual([])
    expect(seam.requests.map(({ url, body }) => [url, body])).toEqual([
      ['https://api.example/v1/projects/p1/services/s1/updatePassword', '{"password":"derived-for-s1"}'],
    ])
    expect([...lines, ...warnings]).toEqual([])
  })

  it('is set with a warning if the database has another one', async () => {
    const { context, seam, warnings } = world(refuse(new PasswordRefusedError('no')))
    await setDerivedPassword(context, ids, service, false)
    expect(seam.requests).toHaveLength(1)
    expect(warnings).toEqual([
      expect.stringMatching(
        /^service s1 had another password than the derived one, .*: either an earlier run was killed .*, or a workflow has another password_secret; if no run was killed, use the same one in all workflows$/,
      ),
    ])
  })

  test.each<[string, Error, string]>([
    [
      'cannot be reached',
      new Error('connect ECONNREFUSED'),
      'the database cannot be reached from here (connect ECONNREFUSED)',
    ],
    [
      'has several addresses that cannot be reached',
      Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
      'the database cannot be reached from here (ECONNREFUSED)',
    ],
    [
      'does not exist',
      new LoginRefusedError('database "shop" does not exist'),
      'the database refuses the login (database "shop" does not exist)',
    ],
  ])('is set unchecked if the database %s', async (_, failure, reason) => {
    const { context, seam, lines, warnings } = world(refuse(failure))
    await setDerivedPassword(context, ids, service, false)
    expect(seam.requests).toHaveLength(1)
    expect(lines).toEqual([`the password of service s1 was not checked: ${reason}; it is set again`])
    expect(warnings).toEqual([])
  })

  it('is not set any more once the step is cancelled', async () => {
    const { context, seam, lines, controller } = world(() => {
      controller.abort(new Error('cancelled'))
      throw new Error('connection closed')
    })
    await expect(setDerivedPassword(context, ids, service, false)).rejects.toThrow('cancelled')
    expect(seam.requests).toEqual([])
    expect(lines).toEqual([])
  })

  it('is tried no longer than the step may take', async () => {
    const { context, probes } = world(() => {}, { deadline: 3000 })
    await setDerivedPassword(context, ids, service, false)
    expect(probes).toEqual([expect.objectContaining({ timeout: 3000 })])
  })
})
