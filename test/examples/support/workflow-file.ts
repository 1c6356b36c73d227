/** Reads workflow files. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'

/** The folder of the repository. */
export const repository = resolve(import.meta.dirname, '../../..')

export interface WorkflowStep {
  id?: string
  name?: string
  if?: string
  uses?: string
  with?: Record<string, unknown>
  run?: string
  env?: Record<string, unknown>
  'continue-on-error'?: boolean | string
}

export interface WorkflowJob {
  name?: string
  needs?: string | string[]
  if?: string
  permissions?: Record<string, string>
  outputs?: Record<string, string>
  steps?: WorkflowStep[]
  environment?: { name: string; deployment: boolean }
  /** Of a job that calls a reusable workflow. */
  uses?: string
  with?: Record<string, unknown>
  secrets?: Record<string, string>
}

interface Declared {
  type?: string
  required?: boolean
  default?: unknown
}

export interface Workflow {
  on: {
    pull_request?: { types?: string[] }
    schedule?: { cron: string }[]
    workflow_dispatch?: { inputs?: Record<string, Declared> } | null
    workflow_call?: {
      inputs?: Record<string, Declared>
      secrets?: Record<string, Declared>
      outputs?: Record<string, { value: string }>
    }
    push?: object | null
    merge_group?: { types?: string[] } | null
  }
  permissions?: Record<string, string>
  concurrency?: { group: string; 'cancel-in-progress': boolean; queue?: 'single' | 'max' }
  jobs: Record<string, WorkflowJob & { concurrency?: Workflow['concurrency'] }>
}

/** A workflow as it stands in the repository; `path` from its folder. */
export function readWorkflow(path: string): Workflow {
  return parse(readFileSync(resolve(repository, path), 'utf8')) as Workflow
}

/** The event that may start a workflow. */
export interface StartingEvent {
  name: 'pull_request' | 'merge_group' | 'schedule' | 'workflow_dispatch' | 'push'
  payload: { action?: string; inputs?: Record<string, unknown>; merge_group?: object }
}

/** Types of pull_request without a list of them: GitHub's documentation, Events that trigger workflows. */
const usualTypes = ['opened', 'synchronize', 'reopened']

/** Whether the event starts the workflow. */
export function isTriggered({ on }: Workflow, { name, payload }: StartingEvent): boolean {
  if (!(name in on)) return false
  if (name !== 'pull_request') return true
  return (on.pull_request?.types ?? usualTypes).includes(payload.action ?? '')
}

/** The values of declared inputs: given ones, else their defaults. Unknown or missing ones are an error, as on GitHub. */
export function fillDeclared<Value>(
  declared: Record<string, Declared> | undefined,
  given: Record<string, Value>,
): Record<string, Value | unknown> {
  const known = declared ?? {}
  for (const name of Object.keys(given)) {
    if (!(name in known)) throw new Error(`${name} is not declared by the called workflow`)
  }
  return Object.fromEntries(
    Object.entries(known).map(([name, { required, default: usual }]) => {
      if (required && given[name] === undefined) throw new Error(`${name} is required by the called workflow`)
      return [name, given[name] ?? usual ?? '']
    }),
  )
}

/** Jobs in an order in which each comes after those that it needs. */
export function orderJobs(jobs: Workflow['jobs']): [string, WorkflowJob][] {
  const ordered = new Map<string, WorkflowJob>()
  function add(name: string): void {
    const job = jobs[name]
    if (job === undefined) throw new Error(`there is no job ${name}`)
    for (const needed of needsOf(job)) add(needed)
    ordered.set(name, job)
  }
  for (const name of Object.keys(jobs)) add(name)
  return [...ordered]
}

export const needsOf = ({ needs = [] }: WorkflowJob): string[] => [needs].flat()
