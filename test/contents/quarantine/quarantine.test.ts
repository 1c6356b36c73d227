/** Tests the quarantine of a fork with jobs, logins, subscriptions and foreign servers. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type QuarantineReport, renderDetails, renderQuarantine } from '#contents/quarantine/report'
import {
  connectTo,
  createFork,
  createService,
  keepActiveRequest,
  type Outputs,
  quarantineDatabase,
  runSql,
} from '../../support/fork.ts'
import { useWorkbench } from '../../support/workbench.ts'

const bench = useWorkbench()
let parent: Outputs
beforeAll(async () => {
  parent = await createService(bench)
  await runSql(parent, 'CREATE DATABASE analytics')
  // The fork's foreign table reads a database of the parent.
  await runSql(parent, "CREATE ROLE warehouse LOGIN PASSWORD 'production-1'")
  await runSql(
    parent,
    `CREATE TABLE figures (n int); INSERT INTO figures VALUES (42); GRANT SELECT ON figures TO warehouse;
     CREATE EXTENSION postgres_fdw; CREATE EXTENSION dblink`,
    { database: 'analytics' },
  )
  await runSql(
    parent,
    `CREATE ROLE app LOGIN PASSWORD 'production-2'; CREATE ROLE "Back office" LOGIN; CREATE ROLE "100% ""x""; '\\" LOGIN; CREATE ROLE team;
     CREATE EXTENSION postgres_fdw; CREATE EXTENSION timescaledb;
     CREATE SERVER warehouse FOREIGN DATA WRAPPER postgres_fdw
       OPTIONS (host '${parent.host}', port '${parent.port}', dbname 'analytics', sslmode 'require');
     CREATE USER MAPPING FOR tsdbadmin SERVER warehouse OPTIONS (user 'warehouse', password 'production-1');
     CREATE USER MAPPING FOR PUBLIC SERVER warehouse OPTIONS (user 'warehouse', password 'production-1');
     CREATE FOREIGN TABLE figures (n int) SERVER warehouse;
     CREATE PROCEDURE send_mail(job int, config jsonb) LANGUAGE sql AS 'SELECT 1';
     SELECT add_job('send_mail', '1h');
     CREATE FUNCTION ring() RETURNS void LANGUAGE sql AS $$ SELECT 1 /* dblink_connect('') */ $$;
     CREATE FUNCTION http_get(text) RETURNS text LANGUAGE sql RETURN $1;
     CREATE FUNCTION knock() RETURNS text LANGUAGE sql RETURN http_get('https://example.com'); CREATE VIEW news AS SELECT http_get('https://example.com'); CREATE MATERIALIZED VIEW old_news AS SELECT http_get('https://example.com') WITH NO DATA;
     CREATE FUNCTION stay() RETURNS void LANGUAGE sql AS $$ SELECT 1 $$`,
  )
})

const namesOf = (items: { kind: string; name: string; database?: string }[]) =>
  items.map(({ kind, name, database }) => [kind, name, database].filter(Boolean).join(' '))

describe('a fork without exceptions', () => {
  let fork: Outputs
  let first: QuarantineReport
  beforeAll(async () => {
    fork = await createFork(bench, parent)
  })

  it("is quarantined in all its databases: refuses production's password, ends its session, reaches no server", async () => {
    const login = { user: 'app', password: 'production-2' }
    const open = await connectTo(fork, login)
    await open.query('SELECT 1')
    expect(await runSql(fork, 'SELECT n FROM figures')).toEqual([{ n: 42 }])
    first = await quarantineDatabase(fork)
    expect(namesOf(first.quarantined)).toEqual([
      'job send_mail tsdb',
      `login 100% "x"; '\\`,
      'login Back office',
      'login app',
      'login warehouse',
      'foreign-server warehouse for public tsdb',
      'foreign-server warehouse for tsdbadmin tsdb',
    ])
    expect(first).toMatchObject({ kept: [], undone: [], ran: [], remarks: [] })
    expect(renderQuarantine(first)).toBe('1 job, 4 logins, 2 user mappings')
    // Callers are only listed.
    expect(renderDetails(first).filter(line => line.startsWith('can'))).toEqual([
      'can call out from tsdb: extension postgres_fdw, function public.knock(), function public.ring(), view public.news, view public.old_news',
      'can call out from analytics: extension dblink, extension postgres_fdw',
    ])
    expect(await runSql(fork, 'SELECT scheduled FROM timescaledb_information.jobs')).toEqual([
      { scheduled: false },
    ])
    await expect(open.query('SELECT 1')).rejects.toThrow()
    await expect(connectTo(fork, login)).rejects.toThrow('role "app" is not permitted to log in')
    await expect(runSql(fork, 'SELECT n FROM figures')).rejects.toThrow('user mapping not found')
    // The parent is unchanged.
    expect(await runSql(parent, 'SELECT n FROM figures')).toEqual([{ n: 42 }])
    expect(await runSql(parent, 'SELECT 1 AS one', login)).toEqual([{ one: 1 }])
  })

  it('has no more objects to disable after a quarantine, and loses a session that outlived it', async () => {
    const { at, ...again } = await quarantineDatabase(fork, { earlier: JSON.parse(JSON.stringify(first)) })
    expect(again).toEqual({ ...first, at: undefined })
    expect(at).toBeGreaterThan(first.at)
    expect((await quarantineDatabase(fork)).quarantined).toEqual([])
    await runSql(fork, 'ALTER ROLE app LOGIN')
    const open = await connectTo(fork, { user: 'app', password: 'production-2' })
    await runSql(fork, 'ALTER ROLE app NOLOGIN')
    expect((await quarantineDatabase(fork, { earlier: first })).undone).toEqual([])
    await expect(open.query('SELECT 1')).rejects.toThrow()
  })

  it('deletes the texts of earlier statements, which may contain a password, but not those of the pull request', async () => {
    const texts = () =>
      runSql(
        fork,
        "SELECT FROM pg_stat_statements WHERE query LIKE '%production-3%' AND query NOT LIKE '%LIKE%'",
      )
    const setPassword = "ALTER ROLE team PASSWORD 'production-3'"
    await runSql(fork, 'CREATE EXTENSION pg_stat_statements')
    await runSql(fork, setPassword)
    expect(await texts()).toHaveLength(1)
    const report = await quarantineDatabase(fork)
    expect(await texts()).toEqual([])
    await runSql(fork, setPassword)
    await quarantineDatabase(fork, { earlier: report })
    expect(await texts()).toHaveLength(1)
  })
})

describe('a fork', () => {
  it('keeps objects active by kind or by name, and names those that do not exist or cannot run', async () => {
    const fork = await createFork(bench, parent)
    const report = await quarantineDatabase(
      fork,
      keepActiveRequest('jobs, login:app, login:ap, foreign-server:warehouse'),
    )
    expect(namesOf(report.kept)).toEqual([
      ...['job send_mail tsdb', 'login app', 'foreign-server warehouse for public tsdb'],
      ...['foreign-server warehouse for tsdbadmin tsdb'],
    ])
    expect(renderQuarantine(report)).toBe('3 logins')
    expect(report.remarks).toEqual(['keep_active: there is no login ap (did you mean app?)'])
    expect(await runSql(fork, 'SELECT n FROM figures')).toEqual([{ n: 42 }])
    await runSql(fork, "SELECT add_job('send_mail', '1h')", { user: 'app', password: 'production-2' })
    expect((await quarantineDatabase(fork, keepActiveRequest('job:1001'))).remarks).toEqual([
      'keep_active: job send_mail cannot run without its owner: add login:app',
    ])
    expect((await quarantineDatabase(fork, keepActiveRequest('job:1001, login:app'))).remarks).toEqual([])
  })

  it('is quarantined again without the objects that the pull request created', async () => {
    const fork = await createFork(bench, parent)
    const first = await quarantineDatabase(fork, keepActiveRequest('login:warehouse'))
    await runSql(
      fork,
      `SELECT alter_job(1000, scheduled => true); SELECT add_job('send_mail', '1h'); ALTER ROLE app LOGIN;
       DROP ROLE "Back office"; CREATE ROLE "Back office" LOGIN; CREATE ROLE made_by_migration LOGIN`,
    )
    const again = await quarantineDatabase(fork, { earlier: first })
    expect(new Set(namesOf(again.quarantined))).toEqual(
      new Set([...namesOf(first.quarantined), 'login warehouse']),
    )
    expect(await runSql(fork, 'SELECT scheduled FROM timescaledb_information.jobs ORDER BY job_id')).toEqual([
      { scheduled: false },
      { scheduled: true },
    ])
    expect(
      await runSql(fork, 'SELECT rolname FROM pg_roles WHERE rolcanlogin AND NOT rolsuper ORDER BY rolname'),
    ).toEqual([{ rolname: 'Back office' }, { rolname: 'made_by_migration' }, { rolname: 'tsdbadmin' }])
  })
})
