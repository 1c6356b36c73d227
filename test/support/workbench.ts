/** Starts emulators and runs steps for scenarios. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { openHost } from '#action/host/host'
import { derivePassword } from '#preview/base/password'
import { openClusters } from '../../emulator/clusters/open-clusters.ts'
import type { Fault, FaultRequest } from '../../emulator/http/faults/faults.ts'
import { type Emulator, type EmulatorOptions, startEmulator } from '../../emulator/http/server.ts'
import { runStep, type StepOptions, type StepResult } from '../../tools/runner/run-step.ts'
import { AnswerCheck } from './api-description.ts'
import { createRoot } from './database-folder.ts'
import { LeapingClock } from './leaping-clock.ts'
import { ownPorts } from './own-ports.ts'
import { playStep } from './play-step.ts'
import { SecretWatch } from './secret-watch.ts'

/** The inputs of a step; `operation` apart, base address and keys are filled in. */
export type Inputs = Record<string, string>

/** The runner of a step: a process of the committed bundle, or `src/` in the process of the test. */
export type StepWay = 'process' | 'played'

/** `as` is the workbench's own way if it is left out. */
export type BenchOptions = Partial<StepOptions> & { as?: StepWay }

export interface Workbench {
  emulator: Emulator
  /** The one that the emulator takes now. */
  readonly secretKey: string
  /** Knows the key and every password that the emulator was sent or gave out. */
  watch: SecretWatch
  /** Runs one step against the emulator; fails the test where it shows a secret, or an error that nothing documents. */
  step(inputs: Inputs, options?: BenchOptions): Promise<StepResult>
  /** As `step`, but fails the test unless the step succeeds. */
  done(inputs: Inputs, options?: BenchOptions): Promise<StepResult>
  /** Lets a fault befall requests, until the next call. */
  strike(faults: (request: FaultRequest) => Fault | undefined): void
  /** Takes the secret key back and gives out another one. */
  rotateKey(): void
  /** Milliseconds since 1970, by the clock of the emulator and of the steps that are no processes. */
  now(): number
  /** Lets time pass for the emulator and for steps that are no processes. Milliseconds. */
  pass(time: number): void
  /** The operations requested since `mark`, in order. */
  requested(mark: number): (string | undefined)[]
  stop(): Promise<void>
}

/** Without the emulator's usual pauses, most scenarios would never see a status change. */
const quick = { readyAfter: 700, changeAfter: 700, deleteAfter: 300, peeringAfter: 700, vpcBusyFor: 200 }

/** The operations that quarantine a preview by default. */
const makers = new Set(['preview', 'create-preview', 'reset-preview'])

const publicKey = 'public-test'

const randomSecret = () => randomBytes(24).toString('base64url')

const textOf = (body: unknown) => (typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))

/** A holder of a secret can derive the passwords, whether they were set or not. */
function knowPreviewPasswords(watch: SecretWatch, secrets: Iterable<string>, body: string): void {
  for (const [, serviceId = ''] of body.matchAll(/"service_id":"([^"]+)"/g))
    for (const secret of secrets) {
      const text = derivePassword(secret, serviceId)
      watch.know({ label: `the derived password of ${serviceId}`, text, user: 'tsdbadmin' })
    }
}

/**
 * An emulator for the scenarios of a file, by default with real databases and steps without processes. `programs` is
 * the folder of another PostgreSQL.
 */
export async function openWorkbench(
  options: EmulatorOptions & {
    databases?: 'real' | 'invented'
    steps?: StepWay
    programs?: string
  } = {},
): Promise<Workbench> {
  const {
    databases = 'real',
    steps = 'played',
    programs,
    secretKey: firstKey = randomSecret(),
    ...rest
  } = options
  // A snapshot costs as much as a service: only who needs one has it taken.
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
    onAnswer: check.look,
    ...rest,
    now,
  })

  /** Steps with real databases run in real time: databases cannot be made to skip it. */
  const play = (options: StepOptions) =>
    root === undefined ? clock.run(openHost().seam, seam => playStep(options, seam)) : playStep(options)

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
      ...(root === undefined && makers.has(inputs.operation ?? '') && { quarantine: 'false' }),
    }
    const options = { inputs: { ...usual, ...inputs }, ...stepOptions }
    const result = await watch.run(options, as === 'process' ? runStep : play)
    return result
  }

  async function done(inputs: Inputs, stepOptions: BenchOptions = {}): Promise<StepResult> {
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
    done,
    strike(next) {
      faults = next
    },
    rotateKey() {
      secretKey = randomSecret()
      secrets.add(secretKey)
      watch.know({ label: 'the secret key after a rotation', text: secretKey, user: publicKey })
      emulator.rotateKey(secretKey)
    },
    now,
    pass(time) {
      clock.ahead += time
    },
    requested: mark => emulator.requests.slice(mark).map(({ operation }) => operation),
    async stop() {
      await emulator.stop()
      if (root) await rm(root, { recursive: true, force: true })
      check.done()
    },
  }
}

/** Rows of a query, over the connection URL of a step's outputs. */
export async function query(url: string | undefined, sql: string): Promise<Record<string, unknown>[]> {
  // pg reads `sslmode=require` as libpq's verify-full; the emulator's certificate is its own.
  const client = new pg.Client({
    connectionString: `${url}&uselibpqcompat=true`,
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** The line that a failed step shows as its error. */
export function errorOf(result: StepResult): string {
  return /^::error title=[^:]*::(.*)$/m.exec(result.stdout)?.[1] ?? ''
}
