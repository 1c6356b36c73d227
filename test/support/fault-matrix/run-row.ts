/** Runs one row of the fault matrix and observes the result. */
import type { Fault, FaultRequest } from '../../../emulator/http/faults/faults.ts'
import type { StepResult } from '../../../tools/runner/run-step.ts'
import type { BenchOptions, Inputs, StepRunner } from '../workbench.ts'
import type { Interruption, MatrixFault } from './faults.ts'
import type { Subject } from './subjects.ts'
import { openWorld, type World } from './world.ts'

export type Row = { subject: Subject } & ({ fault: MatrixFault } | { interruption: Interruption })

/** The result of a row, seen from outside. */
export interface Observed {
  exitCode: number
  sent: number
  outputs: Record<string, string>
  /** The state that the step saved for its post step. */
  state: Record<string, string>
  errors: string[]
  warnings: string[]
  stderr: string
  doomed: string[]
  /** Ids of services that the step created or did not delete, after all requests are processed. */
  left: string[]
  /** Deleted services that do not belong to the step. */
  harmed: string[]
  /** Requests to the target of a redirect. */
  strayed: number
  /** The requests of the post step, with `cleanup: always`, after a failed step left a record. */
  post?: Pick<Observed, 'exitCode' | 'errors' | 'left'>
}

const linesOf = (command: string, { stdout }: StepResult) =>
  [...stdout.matchAll(new RegExp(`^::${command} title=[^:]*::(.*)$`, 'gm'))].map(([, line = '']) => line)

/** A closed port, since no test ever gets it. */
const deadBaseUrl = 'http://127.0.0.1:1/public/api/v1'

function inputsOf(row: Row, world: World, doomed: string[]): Inputs {
  const { subject } = row
  const fault = 'fault' in row ? row.fault : undefined
  // Until its deadline, the step searches for the result of a lost POST, and repeats the deletion of a preview.
  const isUnprocessed = fault?.when === 'before'
  const shortest = subject.does === 'create' ? '20s' : fault?.times === 'for ever' ? '9s' : '1m'
  return {
    operation: subject.operation,
    project_id: world.repository.bench.emulator.store.project.id,
    wait_timeout: isUnprocessed ? shortest : '1m',
    max_attempts: '3',
    ...(subject.does === 'create' && { wait_for_connection: 'false' }),
    // The faults concern the API, which has no database behind it.
    ...(subject.operation === 'create-preview' && { quarantine: 'false' }),
    // A preview belongs to its pull request: the end of a job does not delete it.
    ...(subject.operation.includes('preview')
      ? { comment: 'false' }
      : subject.does === 'create' && { cleanup: 'always' }),
    ...(fault?.isEndless && { request_timeout: '1s' }),
    ...(fault?.connection === 'refused' && { base_url: deadBaseUrl }),
    ...subject.inputs(world, doomed),
  }
}

/** Injects the fault into requests of the operation. If it deletes several services, only the first gets the fault. */
function faultHook({ subject, fault }: { subject: Subject; fault: MatrixFault }, world: World, victim = '') {
  let left = fault.times === 'once' ? 1 : Number.POSITIVE_INFINITY
  return ({ operation, path }: FaultRequest): Fault | undefined => {
    if (operation !== subject.target || !path.includes(victim)) return undefined
    return left-- > 0 ? fault.fault(world.elsewhere) : undefined
  }
}

/** Kills the process when the API receives the last request of the operation, or the first poll after that. */
function interruptingHook(
  { subject, interruption }: { subject: Subject; interruption: Interruption },
  requests: number,
  kill: (signal: NodeJS.Signals) => void,
) {
  let [asked, done] = [0, false]
  return ({ operation }: FaultRequest): Fault | undefined => {
    const isTarget = operation === subject.target
    if (isTarget) asked += 1
    // A preview's wait begins with the list. If the list shows READY already, no poll follows.
    const isPoll = operation === 'get-service' || operation === 'list-services'
    const isMoment = interruption.at === 'request' ? isTarget : isPoll
    if (done || !isMoment || asked !== requests) return isTarget ? interruption.fault : undefined
    done = true
    kill(interruption.signal)
    // Without a fault the wait could end before the signal arrives.
    return isTarget ? interruption.fault : { kind: 'hang', when: 'before' }
  }
}

/** Runs the step with its fault or signal, then the post step, as the runner does. */
export async function runRow(row: Row, as: StepRunner): Promise<Observed> {
  const { subject } = row
  const fault = 'fault' in row ? row.fault : undefined
  const world = await openWorld(fault?.connection === 'untrusted' ? 'https' : 'http')
  try {
    const doomed = subject.prepare(world)
    const bystanders = world.services().filter(id => !doomed.includes(id))
    const leftNow = () => world.services().filter(id => !bystanders.includes(id))
    world.begin()
    const { bench } = world.repository
    const inputs = inputsOf(row, world, doomed)
    const injectAtStart: BenchOptions = {
      as,
      onStart: kill => {
        const requests = Math.max(1, doomed.length)
        bench.injectFaults(
          'fault' in row ? faultHook(row, world, doomed[0]) : interruptingHook(row, requests, kill),
        )
      },
    }
    const result = await subject.run(world, inputs, injectAtStart)
    world.settle()
    const observed: Observed = {
      exitCode: result.exitCode,
      sent: bench.operationsSince(0).filter(operation => operation === subject.target).length,
      outputs: result.outputs,
      state: result.state,
      errors: linesOf('error', result),
      warnings: linesOf('warning', result),
      stderr: result.stderr,
      doomed,
      left: leftNow(),
      harmed: bystanders.filter(id => !world.services().includes(id)),
      strayed: world.strayed(),
    }
    const isLeak = inputs.cleanup !== undefined && result.exitCode !== 0 && observed.left.length > 0
    if (!isLeak) return observed
    const job = { ...inputs, job_status: 'failure' }
    const post = await subject.run(world, job, { as, entry: 'post', state: result.state })
    world.settle()
    return { ...observed, post: { exitCode: post.exitCode, errors: linesOf('error', post), left: leftNow() } }
  } finally {
    await world.stop()
  }
}
