/** Tests the quarantine of objects that belong to other roles. */
import { beforeAll, describe, expect, it } from 'vitest'
import { renderFailure } from '#contents/quarantine/report'
import {
  connectTo,
  createFork,
  createService,
  type Outputs,
  quarantineDatabase,
  runAsSuperuser,
  runSql,
} from '../../support/fork.ts'
import { useWorkbench } from '../../support/workbench.ts'

const bench = useWorkbench()
/** Each test but the first, which leaves objects active, disables all objects of the service. */
let service: Outputs
beforeAll(async () => {
  service = await createService(bench)
  await runSql(service, 'CREATE EXTENSION postgres_fdw')
})

const server = (name: string) => `CREATE SERVER ${name} FOREIGN DATA WRAPPER postgres_fdw;
  CREATE USER MAPPING FOR PUBLIC SERVER ${name} OPTIONS (user 'x', password 'secret-of-production')`

/** The memberships of the owner, with their grantors and options. */
const memberships = (outputs: Outputs) =>
  runSql(
    outputs,
    `SELECT roleid::regrole::text AS role, grantor::regrole::text, admin_option, inherit_option, set_option
     FROM pg_auth_members WHERE member = current_user::regrole ORDER BY 1, 2`,
  )

const mappings = (outputs: Outputs) => runSql(outputs, 'SELECT srvname FROM pg_user_mappings')

describe('an object of another role', () => {
  it('is named if its rights cannot be granted, and all others are disabled except a replication login of the service', async () => {
    const fork = await createFork(bench, service)
    await runAsSuperuser(
      fork,
      `${server('theirs')}; CREATE ROLE stranger LOGIN;
       CREATE ROLE of_users LOGIN REPLICATION; GRANT of_users TO tsdbadmin WITH ADMIN OPTION; CREATE ROLE of_service LOGIN REPLICATION`,
    )
    await runSql(fork, `CREATE ROLE app LOGIN; ${server('ours')}`)
    const before = await memberships(fork)
    const { quarantined, undone } = await quarantineDatabase(fork)
    expect(quarantined.map(({ name }) => name)).toEqual(['app', 'of_users', 'ours for public'])
    expect(undone.map(renderFailure)).toEqual([
      'not quarantined: login stranger: permission denied to alter role — have stranger granted to tsdbadmin with ADMIN OPTION in the parent, or accept it by keep_active: login:stranger',
      'not quarantined: user mapping theirs for public in tsdb: permission denied to grant role "postgres" — have postgres granted to tsdbadmin with ADMIN OPTION in the parent, or accept it by keep_active: foreign-server:theirs',
    ])
    expect(await mappings(fork)).toEqual([{ srvname: 'theirs' }])
    expect(await memberships(fork)).toEqual(before)
  })

  it('is disabled with temporary rights, and a membership without inheritance stays unchanged', async () => {
    await runSql(
      service,
      `CREATE ROLE app; GRANT app TO tsdbadmin; GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO app; SET ROLE app;
       ${server('far')}; RESET ROLE; REVOKE app FROM tsdbadmin;
       CREATE ROLE web; GRANT web TO tsdbadmin WITH INHERIT FALSE; GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO web;
       SET ROLE web; ${server('near')}`,
    )
    const before = await memberships(service)
    expect((await quarantineDatabase(service)).undone).toEqual([])
    expect(await mappings(service)).toEqual([])
    expect(await memberships(service)).toEqual(before)
  })
})

describe('a refusal', () => {
  it('of one object is reported, and all others are disabled', async () => {
    await runSql(service, `${server('held')}; ${server('free')}`)
    const holder = await connectTo(service)
    await holder.query("BEGIN; ALTER USER MAPPING FOR PUBLIC SERVER held OPTIONS (SET user 'y')")
    const { quarantined, undone } = await quarantineDatabase(service)
    await holder.end()
    expect(quarantined.map(({ name }) => name)).toEqual(['free for public'])
    expect(undone).toMatchObject([{ what: 'user mapping held for public in tsdb' }])
    // The next run disables the remaining objects.
    const again = await quarantineDatabase(service, {
      earlier: { at: 0, quarantined, undone, kept: [], ran: [], callers: [], remarks: [] },
    })
    expect(again.undone).toEqual([])
    expect(await mappings(service)).toEqual([])
  })

  it('of a whole database is reported, and so is a database that only another role may use', async () => {
    await runSql(service, 'CREATE ROLE keeper; GRANT keeper TO tsdbadmin')
    await runSql(service, 'CREATE DATABASE hidden OWNER keeper')
    await runSql(service, 'REVOKE CONNECT ON DATABASE hidden FROM public; REVOKE keeper FROM tsdbadmin')
    await runSql(service, 'CREATE DATABASE shut CONNECTION LIMIT 0')
    const { undone } = await quarantineDatabase(service)
    expect(undone).toMatchObject([
      { what: 'the database hidden', reason: 'permission denied for database "hidden"' },
      { what: 'the database shut', reason: 'too many connections for database "shut"' },
    ])
  })

  it('is an exception if the connection is lost', async () => {
    const lost = quarantineDatabase(service, {}, { password: 'wrong-password' })
    await expect(lost).rejects.toThrow('password authentication failed')
  })
})
