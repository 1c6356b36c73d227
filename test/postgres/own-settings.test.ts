/** Tests the session settings of the action. */
import { beforeAll, expect, it } from 'vitest'
import { openDatabase } from '#contents/open-database'
import { withSession } from '#postgres/session'
import { mask } from '../contents/masking/support/database.ts'
import { schemaOf } from '../contents/schema/support/databases.ts'
import { connectionOf, createService, type Outputs, quarantineDatabase, runSql } from '../support/fork.ts'
import { useWorkbench } from '../support/workbench.ts'

const never = new AbortController().signal

const bench = useWorkbench()
let service: Outputs
beforeAll(async () => {
  service = await createService(bench)
  await runSql(
    service,
    `CREATE ROLE team; GRANT team TO tsdbadmin; CREATE TABLE people (email text); INSERT INTO people VALUES ('canary@example.com');
     CREATE SCHEMA tricks; CREATE FUNCTION tricks.current_database() RETURNS name LANGUAGE sql AS $$ SELECT 'tricked'::name $$`,
  )
})

/** Settings of a role or a database in production, and the value that the action needs. */
const settings: [string, string, string][] = [
  ['statement_timeout', "'50s'", '0'],
  ['transaction_timeout', "'50s'", '0'],
  ['lock_timeout', "'50s'", '0'],
  ['idle_session_timeout', "'50s'", '0'],
  ['idle_in_transaction_session_timeout', "'50s'", '0'],
  ['default_transaction_read_only', 'on', 'off'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
  ['role', 'team', 'none'],
  ['search_path', 'tricks, pg_catalog', 'pg_catalog, pg_temp'],
]

/** The value of a setting in a session of the action, or of one for SQL of a user. */
const valueIn = (name: string, isForUser: boolean) =>
  withSession(connectionOf(service), { timeout: 20_000, signal: never, isForUser }, async session => {
    const { rows } = await session.query('select pg_catalog.current_setting($1) as value', [name])
    return rows[0]?.value
  })

/** Sets a role or database as in production, runs `use`, and resets it. */
async function prescribing(whole: string, prescribed: typeof settings, use: () => Promise<void>) {
  await runSql(service, prescribed.map(([name, value]) => `ALTER ${whole} SET ${name} = ${value}`).join(';'))
  try {
    for (const [name, value, own] of prescribed) {
      expect(await valueIn(name, false), name).toBe(own)
      expect(await valueIn(name, true), name).toBe(value.replaceAll("'", ''))
    }
    await use()
  } finally {
    await withSession(connectionOf(service), { timeout: 20_000, signal: never }, async session => {
      await session.query(`alter ${whole} reset all`)
    })
  }
}

it("settings of the database do not interfere with the action's session", async () => {
  // A database prescribes no role.
  const prescribed = settings.filter(([name]) => name !== 'role')
  await prescribing('DATABASE tsdb', prescribed, async () => {})
})

it('settings of the role interfere with no session of the action', async () => {
  const limits = { loginTimeout: 20_000, timeout: 60_000, signal: never }
  await prescribing('ROLE tsdbadmin', settings, async () => {
    expect((await quarantineDatabase(service)).undone).toEqual([])
    await mask(service, 'public.people: { email: email }')
    await openDatabase(connectionOf(service), limits, async database => {
      await database.writeNote('{"service_id": "one"}')
      expect((await database.readNote()).text).toBe('{"service_id": "one"}')
    })
    expect(await schemaOf(service)).toBeDefined()
  })
})
