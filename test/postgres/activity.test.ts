import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readActivity } from '../../src/postgres/activity.ts'
import { LoginRefusedError } from '../../src/postgres/login-refused.ts'
import { openWorkbench, type Workbench } from '../support/workbench.ts'

let bench: Workbench
let outputs: Record<string, string | undefined>
beforeAll(async () => {
  bench = await openWorkbench()
  const created = await bench.done({ operation: 'create-service', wait_for_connection: 'true' })
  outputs = created.outputs
})
afterAll(() => bench.stop())

const ask = (password = outputs.password as string) =>
  readActivity(
    {
      ...{ host: outputs.host as string, port: Number(outputs.port), password },
      ...{ user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' },
    },
    5000,
    new AbortController().signal,
  )

describe('what a database says of its use', () => {
  it('counts the sessions of others, in all databases, and tells how long it is up', async () => {
    const url = new URL(outputs.database_url as string)
    url.pathname = 'postgres'
    const open = [outputs.database_url as string, url.href].map(
      connectionString => new pg.Client({ connectionString: `${connectionString}&uselibpqcompat=true` }),
    )
    await Promise.all(open.map(client => client.connect()))
    const during = await ask()
    await Promise.all(open.map(client => client.end()))
    expect(during.sessions).toBe(2)
    expect(during.upFor).toBeGreaterThan(0)
    // A server takes a moment to end a session.
    await expect.poll(async () => (await ask()).sessions, { interval: 100 }).toBe(0)
  })

  it('is not told to whom the login is refused', async () => {
    await expect(ask('wrong-password')).rejects.toBeInstanceOf(LoginRefusedError)
  })
})
