/** The step with a preview. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsePreviewName } from '#preview/base/name'
import { pullRequest, type StandIn, startStandIn, token, withoutProxy } from '../../runner/github.ts'
import { runStep, type StepResult } from '../../runner/run-step.ts'
import { open } from './login.ts'
import type { Main, Tour } from './tour.ts'

const seed = 'create table live_check_seed (n int); insert into live_check_seed values (1)'
const migration = 'create index concurrently live_check_note on live_check_orders (note)'
const inParent = `create table live_check_orders (n int primary key); insert into live_check_orders values (1), (2);
  create role live_check_app login`
const jobInParent = `create extension if not exists timescaledb;
  create procedure live_check_job(job_id int, config jsonb) language sql as 'select 1'; select add_job('live_check_job', '1h')`

/** The lines of a step's log that the runner shows as errors or warnings. */
const complaintsOf = ({ stdout, exitCode }: StepResult) => [
  ...[...stdout.matchAll(/^::(?:error|warning)[^:]*::(.*)$/gm)].map(([, line = '']) => line),
  ...(exitCode === 0 ? [] : [`exit code ${exitCode}`]),
]

type RunStep = (
  event: 'opened' | 'closed' | 'schedule',
  inputs: Record<string, string>,
) => Promise<StepResult>

/** Runs steps of a workflow with the committed bundle, like GitHub's runner. */
function createWorkflow(tour: Tour, folder: string, github: StandIn): RunStep {
  const { baseUrl: base_url, listLag: list_lag, signal, findings } = tour
  const { publicKey: public_key, secretKey: secret_key } = tour.credentials
  const usual = {
    ...{ base_url, public_key, secret_key, list_lag, name_prefix: tour.run },
    ...{ password_secret: randomBytes(24).toString('hex'), comment: 'false' },
    github_token: token,
  }
  return async (event, inputs) => {
    const pull_request = github.put({ ...pullRequest, state: event === 'closed' ? event : 'open' })
    const name = event === 'schedule' ? event : 'pull_request'
    const payload = event === 'schedule' ? {} : { action: event, pull_request }
    const result = await runStep({
      inputs: { ...usual, ...inputs },
      environment: { ...github.event(folder, name, payload), ...withoutProxy },
      onStart: kill => signal.addEventListener('abort', () => kill('SIGINT'), { once: true }),
    })
    signal.throwIfAborted()
    for (const line of complaintsOf(result))
      findings.differ(`the step ${inputs.operation} logs: ${findings.clean(line)}`)
    return result
  }
}

/** Conditions that the database of the preview must fulfill, each with its query. */
const promises: Record<string, string> = {
  'the data of the parent is not in it': 'select count(*) = 2 as is_so from live_check_orders',
  'a login of the parent is open in it':
    "select not rolcanlogin as is_so from pg_roles where rolname = 'live_check_app'",
  'the seed is not in it': 'select count(*) = 1 as is_so from live_check_seed',
}
const ofJobs = {
  'a job of the parent stays active in it': `select bool_and(not scheduled) as is_so from timescaledb_information.jobs
    where proc_name = 'live_check_job'`,
}

async function play(tour: Tour, run: RunStep, service_id: string, promised: typeof promises): Promise<void> {
  const { client, project_id, findings, seam, deadline } = tour
  const opened = await run('opened', {
    ...{ operation: 'preview', service_id, fork_strategy: 'NOW', seed_file: 'seed.sql' },
    wait_timeout: `${Math.max(1, Math.min(12, Math.round((deadline - seam.now()) / 60_000)))}m`,
  })
  const { outputs } = opened
  if (opened.exitCode !== 0) return
  const login = {
    address: { host: outputs.host ?? '', port: Number(outputs.port) },
    password: outputs.password ?? '',
  }
  await open(tour, login, async session => {
    for (const [what, sql] of Object.entries(promised)) {
      const answer = await session.attempt(sql)
      if (answer instanceof Error || answer.rows[0]?.is_so !== true) findings.differ(`a preview: ${what}`)
    }
    await session.query('alter table live_check_orders add note text')
  })
  const { outputs: judged } = await run('opened', {
    ...{ operation: 'rehearse-migration', database_url: outputs.database_url ?? '' },
    ...{ sql_file: 'migration.sql', transaction: 'false', password_secret: '' },
  })
  if (judged.verdict !== 'passed')
    findings.differ(`a preview: a rehearsal is ${findings.clean(judged.verdict ?? 'missing')}`)
  const { outputs: told } = await run('opened', { operation: 'schema-diff' })
  if (!told.diff?.includes('live_check_orders.note'))
    findings.differ('a preview: schema-diff does not report the added column')
  const pruned = await run('schedule', {
    ...{ operation: 'prune-previews', service_id, dry_run: 'true', min_age: '1ms' },
  })
  if (pruned.outputs.count !== '1') findings.differ('a preview: prune does not see it')
  await run('closed', { operation: 'preview', service_id })
  const left = (await client.call('list-services', { project_id })).filter(
    ({ name = '', status = '' }) => parsePreviewName(name)?.prefix === tour.run && !/^delet/i.test(status),
  )
  if (left.length > 0) findings.differ('a preview: is still there after its pull request was closed')
}

/** The preview of a workflow: opened, checked by prune, closed. */
export async function walkPreview(tour: Tour, { ids: { service_id }, login: parent }: Main): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'live-check-'))
  const github = await startStandIn()
  try {
    await writeFile(join(folder, 'seed.sql'), seed)
    await writeFile(join(folder, 'migration.sql'), migration)
    const promised = await open(tour, parent, async session => {
      await session.query(inParent)
      const hasJob = !((await session.attempt(jobInParent)) instanceof Error)
      return hasJob ? { ...promises, ...ofJobs } : promises
    })
    await play(tour, createWorkflow(tour, folder, github), service_id, promised)
  } finally {
    await github.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
