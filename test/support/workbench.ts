/** Starts emulators and runs steps for scenarios. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { expect } from 'vitest'
import { openHost } from '#action/host/host'
import { derivePassword } from '#preview/base/password'
import { openClusters } from '../../emulator/clusters/open-clusters.ts'
import type { Fault, FaultRequest } from '../../emulator/http/faults/faults.ts'
import { type Emulator, type EmulatorOptions, startEmulator } from '../../emulator/http/server.ts'
import { outputsOf, outputsOfAll } from '../../tools/reference/operation-outputs.ts'
import { runStep, type StepOptions, type StepResult } from '../../tools/runner/run-step.ts'
import { AnswerCheck } from './api-description.ts'
import { createRoot } from './database-folder.ts'
import { LeapingClock } from './leaping-clock.ts'
import { ownPorts } from './own-ports.ts'
import { runStatements } from './run-statements.ts'
import { runStepInProcess } from './run-step-in-process.ts'
import { SecretWatch } from './secret-watch.ts'
import { useOpened } from './use-opened.ts'

/** The inputs of a step. The workbench adds the base address and the keys. */
export type Inputs = Record<string, string>

/** The runner of a step: a process of the committed bundle, or `src/` in the process of the test. */
export type StepRunner = 'process' | 'in-process'

/** Without `as`, the runner of the workbench runs the step. */
export type BenchOptions = Partial<StepOptions> & { as?: StepRunner }

export interface Workbench {
  emulator: Emulator
  /** The key that the emulator accepts now. */
  readonly secretKey: string
  /** Searches steps for the key and for every password that the emulator received or returned. */
  watch: SecretWatch
  /** Runs one step against the emulator. Fails the test if the step prints a secret. */
  step(inputs: Inputs, options?: BenchOptions): Promise<StepResult>
  /** As `step`, but fails the test unless the step succeeds. */
  runSuccessfully(inputs: Inputs, options?: BenchOptions): Promise<StepResult>
  /** Injects faults into requests, until the next call. */
  injectFaults(faults: (request: FaultRequest) => Fault | undefined): void
  /** Revokes the secret key and issues another one. */
  rotateKey(): void
  /** Milliseconds since 1970, by the clock of the emulator and of steps in the process of the test. */
  now(): number
  /** Advances that clock by milliseconds. */
  advanceTime(time: number): void
  /** The operations requested since `mark`, in order. */
  operationsSince(mark: number): (string | undefined)[]
  stop(): Promise<void>
}

/** Without the emulator's usual pauses, most scenarios would never see a status change. */
const quick = { readyAfter: 700, changeAfter: 700, deleteAfter: 300, peeringAfter: 700, vpcBusyFor: 200 }

/** The operations that quarantine a preview by default. */
const quarantiningOperations = new Set(['preview', 'create-preview', 'reset-preview'])

const publicKey = 'public-test'

const randomSecret = () => randomBytes(24).toString('base64url')

const textOf = (body: unknown) => (typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))

/** Anyone with the secret can derive the passwords, even passwords that no step has set. */
function knowPreviewPasswords(watch: SecretWatch, secrets: Iterable<string>, body: string): void {
  for (const [, serviceId = ''] of body.matchAll(/"service_id":"([^"]+)"/g))
    for (const secret of secrets) {
      const text = derivePassword(secret, serviceId)
      watch.know({ label: `the derived password of ${serviceId}`, text, user: 'tsdbadmin' })
    }
}

export type WorkbenchOptions = EmulatorOptions & {
  databases?: 'real' | 'invented'
  steps?: StepRunner
  programs?: string
}

/**
 * Starts an emulator for the scenarios of a file. By default it has real databases, and steps run in the process of the
 * test. `programs` is the folder of another PostgreSQL.
 */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const {
    databases = 'real',
    steps = 'in-process',
    programs,
    secretKey: firstKey = randomSecret(),
    ...rest
  } = options
  // A snapshot costs as much as a service, so only tests of snapshots take one.
  const { snapshotAfter = 3_600_000 } = options
  let secretKey = firstKey
  let faults: (request: FaultRequest) => Fault | undefined = () => undefined
  const watch = new SecretWatch()
  /** The requests of the action and the answers of the emulator match the description of the API. */
  const check = new AnswerCheck({ requests: true })
  /** The secrets from which passwords were derived so far. */
  const secrets = new Set([secretKey])
  watch.know({ label: 'the secret key', text: secretKey, user: publicKey })
  const clock = new LeapingClock()
  const now = () => (rest.now ?? Date.now)() + clock.ahead
  const root = databases === 'real' ? await createRoot() : undefined
  const emulator = await startEmulator({
    ...quick,
    publicKey,
    secretKey,
    faults: request => {
      const fault = faults(request)
      if (fault?.kind === 'answer') watch.knowPasswordsOf(textOf(fault.body))
      return fault
    },
    onBody: body => {
      watch.knowPasswordsOf(body)
      knowPreviewPasswords(watch, secrets, body)
    },
    ...(root && {
      dataPlane: await openClusters({
        root,
        ports: ownPorts,
        snapshotAfter,
        ...(programs !== undefined && { programs }),
      }),
    }),
    onAnswer: check.checkAnswer,
    ...rest,
    now,
  })

  /** Steps with real databases run in real time, since a database cannot skip time. */
  const runInProcess = (options: StepOptions) =>
    root === undefined
      ? clock.run(openHost().seam, seam => runStepInProcess(options, seam))
      : runStepInProcess(options)

  async function step(
    inputs: Inputs,
    { as = steps, ...stepOptions }: BenchOptions = {},
  ): Promise<StepResult> {
    if (inputs.password_secret) secrets.add(inputs.password_secret)
    const usual = {
      base_url: emulator.baseUrl,
      api_key: `${publicKey}:${secretKey}`,
      // The emulator's lists do not lag, unless a test lets them.
      list_lag: '50ms',
      // Invented databases are looked for at names that a resolver may take seconds to refuse.
      ...(root === undefined &&
        quarantiningOperations.has(inputs.operation ?? '') && { quarantine: 'false' }),
    }
    const options = { inputs: { ...usual, ...inputs }, ...stepOptions }
    const result = await watch.run(options, as === 'process' ? runStep : runInProcess)
    return result
  }

  async function runSuccessfully(inputs: Inputs, stepOptions: BenchOptions = {}): Promise<StepResult> {
    const result = await step(inputs, stepOptions)
    if (result.exitCode === 0) return result
    throw new Error(`${inputs.operation} exited with ${result.exitCode}:\n${result.stdout}${result.stderr}`)
  }

  return {
    emulator,
    get secretKey() {
      return secretKey
    },
    watch,
    step,
    runSuccessfully,
    injectFaults(next) {
      faults = next
    },
    rotateKey() {
      secretKey = randomSecret()
      secrets.add(secretKey)
      watch.know({ label: 'the secret key after a rotation', text: secretKey, user: publicKey })
      emulator.rotateKey(secretKey)
    },
    now,
    advanceTime(time) {
      clock.ahead += time
    },
    operationsSince: mark => emulator.requests.slice(mark).map(({ operation }) => operation),
    async stop() {
      await emulator.stop()
      if (root) await rm(root, { recursive: true, force: true })
      check.throwProblems()
    },
  }
}

/** A workbench for the tests of a file or group. */
export const useWorkbench = (options?: WorkbenchOptions) => useOpened(() => openWorkbench(options))

/** Rows of a query, over the connection URL of a step's outputs. */
export const query = (url: string | undefined, sql: string): Promise<Record<string, unknown>[]> =>
  // pg reads `sslmode=require` as libpq's verify-full; the emulator's certificate is its own.
  runStatements({ connectionString: `${url}&uselibpqcompat=true`, connectionTimeoutMillis: 10_000 }, sql)

/** The error line of a failed step. */
export function errorOf(result: StepResult): string {
  return /^::error title=[^:]*::(.*)$/m.exec(result.stdout)?.[1] ?? ''
}

/** Checks that a step has set exactly the outputs that the reference promises, apart from some. */
export function expectOutputsOfReference(
  operation: string,
  outputs: StepResult['outputs'],
  ...missing: string[]
): void {
  const set = Object.keys(outputs).filter(name => outputs[name] !== '' && !outputsOfAll.includes(name))
  expect(set.sort()).toEqual(
    outputsOf(operation)
      .filter(name => !missing.includes(name))
      .sort(),
  )
}

/** Options of a step that is killed at the first line of its log with a text. */
export function killAt(text: string): BenchOptions {
  let kill = (_: NodeJS.Signals) => {}
  return {
    onStart: own => {
      kill = own
    },
    onLine: line => line.includes(text) && kill('SIGKILL'),
  }
}
