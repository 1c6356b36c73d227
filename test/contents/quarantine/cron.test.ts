/** Tests the quarantine of jobs of pg_cron. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { renderFailure } from '#contents/quarantine/report'
import { createRoot } from '../../support/database-folder.ts'
import {
  createService,
  keepActiveRequest,
  type Outputs,
  quarantineDatabase,
  runAsSuperuser,
  runSql,
} from '../../support/fork.ts'
import { useWorkbench } from '../../support/workbench.ts'

/** The tables, policies and grants of pg_cron 1.4, without its worker. */
const script = `
  CREATE SCHEMA cron;
  CREATE SEQUENCE cron.jobid_seq;
  CREATE TABLE cron.job (jobid bigint PRIMARY KEY DEFAULT nextval('cron.jobid_seq'), schedule text, command text,
    database text DEFAULT current_database(), username text DEFAULT current_user, active boolean DEFAULT true, jobname name);
  CREATE TABLE cron.job_run_details (jobid bigint, job_pid int, database text, username text, start_time timestamptz, end_time timestamptz);
  ALTER TABLE cron.job ENABLE ROW LEVEL SECURITY;
  CREATE POLICY cron_job_policy ON cron.job USING (username = current_user);
  GRANT SELECT ON cron.job, cron.job_run_details, cron.jobid_seq TO public;
  CREATE FUNCTION cron.unschedule(id bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
    DELETE FROM cron.job WHERE jobid = id AND username = CASE current_setting('role') WHEN 'none' THEN session_user ELSE current_setting('role') END;
    IF NOT FOUND THEN RAISE 'could not find valid entry for job'; END IF; END $$;`

const bench = useWorkbench()
let service: Outputs
let folder: string
beforeAll(async () => {
  folder = await createRoot()
  const controls = path.join(folder, 'extension')
  await mkdir(controls)
  await writeFile(
    path.join(controls, 'pg_cron.control'),
    `default_version = '1.0'\ndirectory = '${controls}'\nrelocatable = false\nschema = pg_catalog\n`,
  )
  await writeFile(path.join(controls, 'pg_cron--1.0.sql'), script)
  service = await createService(bench)
  await runAsSuperuser(
    service,
    `SET extension_control_path = '${folder}:$system'; CREATE EXTENSION pg_cron; GRANT USAGE ON SCHEMA cron TO tsdbadmin`,
  )
  await runSql(service, 'CREATE ROLE app LOGIN; CREATE ROLE batch LOGIN; CREATE ROLE idle LOGIN')
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

const asSuperuser = (sql: string) => runAsSuperuser(service, sql)
const keepActive = (text: string) => quarantineDatabase(service, keepActiveRequest(text))
const schedule = (role: string) =>
  asSuperuser(`INSERT INTO cron.job (username, jobname) VALUES ('${role}', 'mail of ${role}')`)

const jobs = async () =>
  (await asSuperuser('SELECT username FROM cron.job ORDER BY 1')).map(({ username }) => username)

beforeEach(async () => {
  await asSuperuser(`DELETE FROM cron.job; REVOKE ALL ON SCHEMA cron FROM tsdbadmin CASCADE; GRANT USAGE ON SCHEMA cron TO tsdbadmin;
     REVOKE ALL ON SCHEMA cron FROM app, batch, idle; ALTER ROLE app LOGIN; ALTER ROLE batch LOGIN; ALTER ROLE idle LOGIN`)
})

it('accepts a kept login if no job was ever scheduled', async () => {
  expect((await keepActive('logins')).undone).toEqual([])
})

it('deletes the jobs of all roles that may use pg_cron', async () => {
  await asSuperuser('GRANT USAGE ON SCHEMA cron TO app, batch')
  for (const role of ['tsdbadmin', 'app', 'batch']) await schedule(role)
  const { quarantined, undone } = await keepActive('login:app, login:batch')
  expect(undone).toEqual([])
  expect(quarantined.filter(({ kind }) => kind === 'job')).toHaveLength(3)
  expect(await jobs()).toEqual([])
})

it('deletes the job of a role that lost its rights on pg_cron if they can be granted', async () => {
  await asSuperuser('GRANT USAGE ON SCHEMA cron TO tsdbadmin WITH GRANT OPTION')
  await schedule('app')
  const { quarantined, undone } = await keepActive('login:app, login:idle')
  expect(undone).toEqual([])
  expect(quarantined).toMatchObject([{ name: 'mail of app' }, { name: 'batch' }])
  expect(await jobs()).toEqual([])
  const granted =
    "SELECT rolname FROM pg_roles WHERE rolname IN ('app', 'idle') AND has_schema_privilege(oid, 'cron', 'usage')"
  expect(await runSql(service, granted)).toEqual([])
})

it('names a role with a kept login whose jobs are unreadable', async () => {
  await schedule('app')
  expect((await keepActive('login:app')).undone.map(renderFailure)).toEqual([
    'not quarantined: the jobs of pg_cron that app may have: app may not use the schema cron, but its jobs run — grant app usage on schema cron in the parent, or remove login:app from keep_active',
  ])
  expect((await keepActive('jobs, login:app')).undone).toEqual([])
  // Jobs of a role without login do not start.
  expect((await keepActive('')).undone).toEqual([])
})

it('names a role whose rights cannot be granted', async () => {
  await asSuperuser(
    'CREATE ROLE stranger NOLOGIN; GRANT USAGE ON SCHEMA cron TO stranger; ALTER ROLE app NOLOGIN',
  )
  const { undone } = await keepActive('')
  expect(undone).toMatchObject([
    {
      what: 'the jobs of pg_cron that stranger may have',
      reason: 'permission denied to grant role "stranger"',
      next: 'log in as stranger and read cron.job',
    },
  ])
  await asSuperuser('REVOKE USAGE ON SCHEMA cron FROM stranger; DROP ROLE stranger')
})

it('distinguishes the role that logged in from the role in effect', async () => {
  await asSuperuser('ALTER ROLE tsdbadmin SET role = app; GRANT app TO tsdbadmin')
  const { quarantined } = await keepActive('')
  await asSuperuser('ALTER ROLE tsdbadmin RESET role')
  expect(quarantined.map(({ name }) => name)).toEqual(['app', 'batch', 'idle'])
})
