/** Tests how an operation finds its database. */
import { expect, test } from 'vitest'
import { findTarget } from '#database/target'
import { fakeContext } from '../support/fake-context.ts'

const login = { host: 'db.example', port: 5432, user: 'u', database: 'd', sslmode: 'require', password: 'p' }
const missing = Object.assign(new Error('getaddrinfo ENOTFOUND db.example'), { code: 'ENOTFOUND' })

/** The error of a search for the database of a URL whose host does not exist, and the duration in milliseconds. */
async function failureOf(isSealed: boolean): Promise<{ message: string; after: number }> {
  const probe = () => Promise.reject(missing)
  const { context, seam } = fakeContext([], { probe, settings: { waitForConnection: true } })
  context.settings.contents = {
    ...context.settings.contents,
    databaseUrl: { ...login, ignored: [], isSealed },
  }
  const failure: unknown = await findTarget({}, context).catch(error => error)
  return { message: (failure as Error).message, after: seam.now() }
}

test('a sealed URL whose host does not exist fails at once: a step connected to it before', async () => {
  const { message, after } = await failureOf(true)
  expect(message).toBe(
    'the database at db.example:5432 accepts no connection: getaddrinfo ENOTFOUND db.example; its preview was probably deleted or reset',
  )
  expect(after).toBe(0)
})

test('waits if the host of another URL does not exist yet', async () => {
  const { message, after } = await failureOf(false)
  expect(message).toContain('is set in database_url but accepts no connection')
  expect(after).toBeGreaterThan(100_000)
})
