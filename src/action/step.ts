/** Prepares an operation, and reports its result. */
import { randomBytes } from 'node:crypto'
import { ActionError, CancelledError, renderAdvised } from '#base/errors'
import { renderLogTable } from '#base/render-log'
import { createClient } from '#client/client'
import type { DatabaseContext } from '#database/context'
import { createGitHub } from '#github/create-github'
import { TimelineRecorder } from '#operations/base/timeline'
import { reportPauses } from '#operations/wait/wait-log'
import { readActivity } from '#postgres/activity'
import { probe } from '#postgres/connect'
import { withSession } from '#postgres/session'
import type { WorkflowEvent } from '#preview/base/github'
import { derivePassword } from '#preview/base/password'
import { exitCodeOf, watchCancellation } from './host/cancellation.ts'
import type { Edge } from './host/edge.ts'
import { describeUnwritten, RunnerFileError } from './host/runner-files.ts'
import { findConsole } from './inputs/base-url.ts'
import { readSecrets } from './inputs/input-secrets.ts'
import type { StepInputs } from './inputs/read-inputs.ts'
import { createJournal } from './journal.ts'
import { linkDocuments } from './outputs/documents.ts'
import type { OutputSource } from './outputs/output-source.ts'
import {
  renderDetails,
  renderDone,
  renderFailure,
  renderSuccess,
  writeSummary,
} from './outputs/step-summary.ts'
import { exportConnection, writeOutputs } from './outputs/write-outputs.ts'
import { watchPasswords } from './secrets/watch-passwords.ts'

/** Writes the summary. A failure is only a warning, since outputs and log contain the same information. */
function summarize({ host, log }: Edge, markdown: string): void {
  const unwritten = writeSummary(markdown, host.process.env)
  if (unwritten.length > 0)
    log.warning(`${describeUnwritten(unwritten)}: the step has no summary`, 'no summary')
}

/** The end of the line about an error that is not an ActionError. */
const renderDefect = (error: unknown) =>
  error instanceof ActionError ? '' : ' — this is a defect of the action: please report it with the log'

const titleOf = (error: unknown) => (error instanceof CancelledError ? 'cancelled' : 'failed')

/** Ends the process if some work does not end after a signal or defect: the runner would soon kill the process. */
function cutOff(edge: Edge, operation: string, reason: Error): void {
  const message = `${reason.message}; the step did not end within 5 s and was cut off`
  const advice = reason instanceof ActionError ? ` — ${reason.next}` : renderDefect(reason)
  edge.log.failure(message + advice, titleOf(reason))
  summarize(edge, renderFailure(operation, reason, edge.secrets))
  edge.host.process.exit(exitCodeOf(reason))
}

/** Masks the secrets in the inputs before the inputs are checked, since an error may quote them. */
export function maskInputs({ log }: Edge, environment: NodeJS.ProcessEnv): void {
  for (const secret of readSecrets(environment)) log.mask(secret)
}

/** Bytes of answers about the contents of a database, which may have thousands of roles and jobs. */
const largestContents = 16 * 1024 * 1024

/** Creates the context of the operation from the checked inputs. `timeLimit`: milliseconds for the whole operation. */
export function createContext(
  edge: Edge,
  inputs: StepInputs,
  event: WorkflowEvent,
  timeLimit: number,
): DatabaseContext {
  const { host, log, secrets } = edge
  const workspace = host.process.env.GITHUB_WORKSPACE ?? '.'
  // Without a password secret, only operations reach this point that derive no password for later runs.
  const passwordSecret = inputs.passwordSecret ?? randomBytes(32).toString('hex')
  const { seam } = host
  const deadline = seam.now() + timeLimit
  const timeline = new TimelineRecorder(seam)
  const redact = (text: string) => secrets.redact(text)
  const { signal, creatingSignal } = watchCancellation(
    reason => cutOff(edge, inputs.operation.name, reason),
    host.process,
  )
  const client = createClient({
    seam,
    baseUrl: inputs.baseUrl,
    credentials: inputs.credentials,
    maxAttempts: inputs.maxAttempts,
    requestTimeout: inputs.requestTimeout,
    deadline,
    signal,
    creatingSignal,
    redact,
    onAnswer: watchPasswords({
      onPassword: (password, isMasked) => (isMasked ? log.mask(password) : secrets.add(password)),
      // The runner need not mask it: only the server knows this password, and the action redacts its answers.
      onService: serviceId => secrets.add(derivePassword(passwordSecret, serviceId)),
    }),
    ...reportPauses({ log, timeline }),
  })
  const onUnmarked = (error: Error) => log.debug(`the usage marker was not written: ${error.message}`)
  const openGitHub = (until: AbortSignal) =>
    createGitHub(
      {
        event,
        deadline,
        seam,
        redact,
        token: inputs.githubToken,
        signal: until,
        environment: host.process.env,
        ...reportPauses({ log, timeline }),
      },
      (name, run) => timeline.time(name, run),
    )
  return {
    client,
    seam,
    log,
    signal,
    journal: createJournal(edge, inputs.settings.login),
    settings: inputs.settings,
    deadline,
    timeline,
    event,
    github: openGitHub(signal),
    final: { signal: creatingSignal, github: openGitHub(creatingSignal) },
    consoleUrl: findConsole(inputs.baseUrl),
    derivePassword(serviceId) {
      const password = derivePassword(passwordSecret, serviceId)
      log.mask(password)
      return password
    },
    mask: secret => log.mask(secret),
    probe: (connection, timeout, options) =>
      probe(connection, timeout, signal, options?.leavesMarker ? onUnmarked : undefined),
    withSession: (connection, options, use) => withSession(connection, { ...options, signal }, use),
    readActivity: (connection, timeout) => readActivity(connection, timeout, signal),
    workspace,
    // The modules of the following methods are loaded on demand, since few steps need them.
    async runCommand(text, variables, { signal: until, onLine }) {
      const { runCommand } = await import('./host/run-command.ts')
      return await runCommand(text, {
        folder: workspace,
        variables,
        environment: host.process.env,
        isSecret: value => secrets.hasAnyIn(value),
        onLine(line) {
          log.info(line)
          onLine?.(line)
        },
        signal: AbortSignal.any([signal, until]),
      })
    },
    async readSeeds() {
      const { seedFile } = inputs.settings.preview
      if (seedFile === undefined) return []
      const { readSeeds } = await import('#contents/sql/seeds')
      return await readSeeds(workspace, seedFile, { deadline, seam, signal })
    },
    async readMaskFile() {
      const { maskFile } = inputs.settings.preview
      if (maskFile === undefined) return undefined
      const { readMaskFile } = await import('#contents/masking/read-mask-file')
      return await readMaskFile(workspace, maskFile)
    },
    async openContents(connection, timeout, use) {
      const { openDatabase } = await import('#contents/open-database')
      const limits = {
        loginTimeout: timeout,
        timeout: Math.max(timeout, deadline - seam.now()),
        signal,
        mostBytes: largestContents,
      }
      return await openDatabase(connection, limits, use)
    },
  }
}

/**
 * Sets the outputs and, with `exportEnv`, the variables for later steps. Writes the summary, and logs the result.
 * @throws the outcome's own problem, or RunnerFileError if later steps cannot get the results
 */
export function reportOutcome(edge: Edge, source: OutputSource, exportEnv: boolean): void {
  const { log, secrets } = edge
  const { outcome } = source
  const unwritten = [
    ...writeOutputs(source, edge),
    ...(exportEnv && outcome.skipped === undefined ? exportConnection(source, edge) : []),
  ]
  summarize(edge, renderSuccess(source, secrets))
  for (const line of outcome.rows ? renderLogTable(outcome.rows) : []) log.info(line)
  const done = renderDone(outcome)
  log.info(done)
  const next = 'the work itself is done; the log contains the results'
  const problems = [
    ...(outcome.problem ? [outcome.problem] : []),
    ...(unwritten.length > 0 ? [new RunnerFileError(done, unwritten, next)] : []),
  ]
  // A step fails with one error, so a second problem is a warning.
  for (const problem of problems.slice(1))
    log.warning(renderAdvised(problem), 'some results could not be written')
  if (problems[0]) throw problems[0]
}

/** The stack of an error. The log already has the message of an ActionError, and the name of its class is minified. */
function stackOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  if (!(error instanceof ActionError)) return stack
  return stack
    .split('\n')
    .filter(line => /^ +at /.test(line))
    .join('\n')
}

/** Fails the step: one line with the failure and an instruction, details below it and in the summary. */
export function reportFailure(edge: Edge, operation: string, error: unknown): void {
  const { host, log, secrets } = edge
  const place = error instanceof ActionError ? error.place : undefined
  const advised = linkDocuments(renderAdvised(error) + renderDefect(error), host.process.env)
  log.failure(advised, titleOf(error), place)
  const details = renderDetails(error, secrets)
  if (details !== undefined) log.info(`details: ${details}`)
  const stack = secrets.redact(stackOf(error))
  if (stack !== '') for (const line of stack.split('\n')) log.debug(line)
  const markdown = linkDocuments(renderFailure(operation, error, secrets), host.process.env)
  summarize(edge, markdown)
  host.process.exitCode = exitCodeOf(error)
}
