/** Runs a workflow. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokens } from '../../support/github/tokens.ts'
import type { SecretWatch } from '../../support/secret-watch.ts'
import { holds, interpolate, interpolateAll } from './expressions.ts'
import { ownPathOf } from './reference-to-us.ts'
import { type JobOptions, type JobRecord, JobRun } from './run-job.ts'
import {
  fillDeclared,
  isTriggered,
  needsOf,
  orderJobs,
  readWorkflow,
  type StartingEvent,
  type Workflow,
  type WorkflowJob,
} from './workflow-file.ts'

/** The repository that the workflow runs in, and its GitHub. */
export interface Setting {
  variables: Record<string, string>
  secrets: Record<string, string>
  /** GITHUB_API_URL, GITHUB_REPOSITORY and so on. */
  environment: Record<string, string>
  watch: SecretWatch
}

interface Calling extends JobOptions {
  /** The most that the caller's token may do. */
  granted: Granted
}

type Access = 'none' | 'read' | 'write'
const accesses: Access[] = ['none', 'read', 'write']
const scopes = ['pull-requests', 'contents'] as const
type Granted = Record<(typeof scopes)[number], Access>

/** The permissions of a job's token; a job's own `permissions` replace the workflow's. */
function accessOf(workflow: Workflow, job: WorkflowJob, granted: Granted): Granted {
  const permissions = job.permissions ?? workflow.permissions
  if (permissions === undefined) return granted
  const asked = scopes.map(scope => [scope, (permissions[scope] ?? 'none') as Access] as const)
  for (const [scope, access] of asked) {
    if (accesses.indexOf(access) > accesses.indexOf(granted[scope]))
      throw new Error(
        `a called workflow asks for ${scope}: ${access}, and its caller grants ${granted[scope]}`,
      )
  }
  return Object.fromEntries(asked) as Granted
}

const tokenOf = { none: tokens.bare, read: tokens.readOnly, write: tokens.actions }

let runs = 1000

/**
 * Runs a workflow of the repository as it stands, if the event starts it: its jobs one after the other, called
 * workflows as well; gives the jobs by their names, those of called workflows as `<job> / <job>`.
 */
export async function runWorkflow(
  path: string,
  event: StartingEvent,
  { variables, secrets, environment, watch }: Setting,
): Promise<Record<string, JobRecord>> {
  const workflow = readWorkflow(path)
  if (!isTriggered(workflow, event)) return {}
  const folder = await mkdtemp(join(tmpdir(), 'workflow-'))
  try {
    const eventPath = join(folder, 'event.json')
    await writeFile(eventPath, JSON.stringify(event.payload))
    const runId = String(runs++)
    const github = {
      event: event.payload,
      event_name: event.name,
      repository: environment.GITHUB_REPOSITORY,
      run_id: runId,
      run_attempt: '1',
    }
    return await runJobs(workflow, {
      contexts: { github, vars: variables, secrets, inputs: event.payload.inputs ?? {} },
      secrets: Object.values(secrets),
      granted: { 'pull-requests': 'write', contents: 'write' },
      watch,
      environment: {
        ...environment,
        GITHUB_EVENT_NAME: event.name,
        GITHUB_EVENT_PATH: eventPath,
        GITHUB_RUN_ID: runId,
        GITHUB_RUN_ATTEMPT: '1',
      },
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runJobs(workflow: Workflow, calling: Calling): Promise<Record<string, JobRecord>> {
  const records: Record<string, JobRecord> = {}
  for (const [name, job] of orderJobs(workflow.jobs)) {
    const needed = needsOf(job).map(need => [need, records[need] as JobRecord] as const)
    const status = needed.every(([, { result }]) => result === 'success') ? 'success' : 'failure'
    const needs = Object.fromEntries(needed.map(([need, { result, outputs }]) => [need, { result, outputs }]))
    const contexts = { ...calling.contexts, needs }
    records[name] = { result: 'skipped', outputs: {}, steps: [], log: [] }
    if (!holds(job.if, contexts, status)) continue
    const granted = accessOf(workflow, job, calling.granted)
    Object.assign(records, await runJob(name, job, { ...calling, contexts, granted }))
  }
  return records
}

async function runJob(name: string, job: WorkflowJob, calling: Calling): Promise<Record<string, JobRecord>> {
  if (job.uses !== undefined) return await callWorkflow(name, job, calling)
  const { contexts, secrets, environment, watch, granted } = calling
  const github = { ...(contexts.github as object), token: tokenOf[granted['pull-requests']] }
  const run = new JobRun(job, { contexts: { ...contexts, github }, secrets, environment, watch })
  return { [name]: await run.run() }
}

async function callWorkflow(
  name: string,
  job: WorkflowJob,
  calling: Calling,
): Promise<Record<string, JobRecord>> {
  const path = ownPathOf(job.uses)
  if (!path?.startsWith('.github/workflows/'))
    throw new Error(`the examples are not expected to call ${job.uses}`)
  const called = readWorkflow(path)
  const declared = called.on.workflow_call
  if (declared === undefined) throw new Error(`${path} cannot be called`)
  const { github, vars } = calling.contexts
  const contexts = {
    github,
    vars,
    inputs: fillDeclared(declared.inputs, interpolateAll(job.with, calling.contexts)),
    secrets: fillDeclared(declared.secrets, interpolateAll(job.secrets, calling.contexts)),
  }
  const records = await runJobs(called, { ...calling, contexts })
  const jobs = Object.fromEntries(Object.entries(records).map(([inner, { outputs }]) => [inner, { outputs }]))
  const values = Object.entries(declared.outputs ?? {}).map(([output, { value }]) => [
    output,
    interpolate(value, { jobs }),
  ])
  const failed = Object.values(records).some(({ result }) => result === 'failure')
  return {
    [name]: {
      result: failed ? 'failure' : 'success',
      outputs: Object.fromEntries(values),
      steps: Object.values(records).flatMap(({ steps }) => steps),
      log: Object.values(records).flatMap(({ log }) => log),
    },
    ...Object.fromEntries(Object.entries(records).map(([inner, record]) => [`${name} / ${inner}`, record])),
  }
}
