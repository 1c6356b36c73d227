/** Tests the usage marker in a database. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readActivity } from '#postgres/activity'
import { probe } from '#postgres/connect'
import { createDatabase } from '../contents/schema/support/databases.ts'
import { connectionOf, connectTo, type Outputs, runAsSuperuser } from '../support/fork.ts'
import { shareServer } from '../support/shared-server.ts'

const never = new AbortController().signal
const failures: string[] = []
const onUnmarked = (error: Error) => void failures.push(error.message)

let database: Outputs
let client: pg.Client
let connection: Parameters<typeof readActivity>[0]
beforeAll(async () => {
  database = await createDatabase(await shareServer())
  connection = connectionOf(database)
  client = await connectTo(database)
})
afterAll(async () => {
  await client.end()
  await runAsSuperuser(database, 'drop owned by other; drop role other')
})

const age = async () => (await readActivity(connection, 5000, never)).publishedFor
const writeMarker = (login = {}) => probe({ ...connection, ...login }, 5000, never, onUnmarked)
const rows = async (sql: string) => (await client.query(sql)).rows

/** All that makes up a schema, as migration tools see it. */
const schema = () =>
  rows(`select
    (select array_agg(oid order by oid) from pg_namespace where nspname !~ '^pg_toast') as schemas,
    (select array_agg(oid order by oid) from pg_class) as relations,
    (select array_agg(oid order by oid) from pg_proc) as functions,
    (select array_agg(oid order by oid) from pg_type) as types,
    (select array_agg(oid order by oid) from pg_extension) as extensions,
    (select array_agg(setconfig) from pg_db_role_setting) as settings`)

describe('the usage marker', () => {
  it('does not exist before the first login that writes one', async () => {
    await probe(connection, 5000, never)
    const { password: _, ...unknown } = connection
    await probe(unknown, 5000, never, onUnmarked)
    expect(await age()).toBeUndefined()
  })

  it('can be written by many logins at once, and is one object outside of every schema', async () => {
    const before = await schema()
    await Promise.all(Array.from({ length: 12 }, () => writeMarker()))
    expect(failures).toEqual([])
    expect(await schema()).toEqual(before)
    expect(await rows('select obj_description(oid) as comment from pg_largeobject_metadata')).toEqual([
      { comment: 'managed-database-action: handed_out_at' },
    ])
  })

  it("is as old as the last write, by the database's own clock", async () => {
    await writeMarker()
    const [{ id }] = (await rows('select oid as id from pg_largeobject_metadata')) as [{ id: number }]
    const hourAgo = "lpad(extract(epoch from clock_timestamp() - interval '1 hour')::text, 20, '0')"
    await client.query(`select lo_put(${id}, 0, convert_to(${hourAgo}, 'UTF8'))`)
    expect(Math.round(((await age()) ?? 0) / 60_000)).toBe(60)
    await writeMarker()
    expect(await age()).toBeLessThan(60_000)
  })

  it('is written with any session defaults of the role', async () => {
    const settings = ['default_transaction_read_only = on', 'statement_timeout = 1', "search_path = ''"]
    for (const one of settings) await client.query(`alter role current_user set ${one}`)
    await writeMarker()
    await client.query('alter role current_user reset all')
    expect(failures.splice(0)).toEqual([])
    expect(await age()).toBeLessThan(60_000)
  })

  it('can be written although another role has written one', async () => {
    await client.query("create role other login password 'of-the-other'")
    const other = { user: 'other', password: 'of-the-other' }
    const asOther = () => readActivity({ ...connection, ...other }, 5000, never)
    expect((await asOther()).publishedFor).toBeUndefined()
    await writeMarker(other)
    expect(failures).toEqual([])
    expect((await asOther()).publishedFor).toBeLessThan(60_000)
  })
})
