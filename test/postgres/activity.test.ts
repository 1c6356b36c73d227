/** Tests reading of the activity of a database. */
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { readActivity } from '#postgres/activity'
import { LoginRefusedError } from '#postgres/login-refused'
import { connectionOf } from '../support/fork.ts'
import { useWorkbench } from '../support/workbench.ts'

const bench = useWorkbench()
let outputs: Record<string, string | undefined>
beforeAll(async () => {
  const created = await bench.runSuccessfully({ operation: 'create-service', wait_for_connection: 'true' })
  outputs = created.outputs
})

const ask = (login: { user?: string; password?: string } = {}) =>
  readActivity(connectionOf(outputs, login), 5000, new AbortController().signal)

const clientOf = (url: string) => new pg.Client({ connectionString: `${url}&uselibpqcompat=true` })

describe('the activity of a database', () => {
  it('counts the sessions of others in all databases, and has the uptime', async () => {
    const url = new URL(outputs.database_url as string)
    url.pathname = 'postgres'
    const open = [outputs.database_url as string, url.href].map(clientOf)
    await Promise.all(open.map(client => client.connect()))
    const during = await ask()
    await Promise.all(open.map(client => client.end()))
    expect(during.sessions).toBe(2)
    expect(during.upFor).toBeGreaterThan(0)
    // A server takes a moment to end a session.
    await expect.poll(async () => (await ask()).sessions, { interval: 100 }).toBe(0)
  })

  it('counts a session even if the role may not see its type', async () => {
    const owner = clientOf(outputs.database_url as string)
    await owner.connect()
    await owner.query("CREATE ROLE watcher LOGIN PASSWORD 'watching-only'")
    const { sessions } = await ask({ user: 'watcher', password: 'watching-only' })
    await owner.end()
    expect(sessions).toBe(1)
  })

  it('counts a replication session', async () => {
    const { service_id } = outputs
    await bench.runSuccessfully({ operation: 'set-ha', service_id: service_id as string, replica_count: '1' })
    // A standby connects a moment after it has started.
    await expect.poll(async () => (await ask()).sessions, { interval: 100 }).toBe(1)
  })

  it('is hidden from a role whose login is refused', async () => {
    await expect(ask({ password: 'wrong-password' })).rejects.toBeInstanceOf(LoginRefusedError)
  })
})
