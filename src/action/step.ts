import { abortable } from '../client/abortable.ts'
import { createClient } from '../client/client.ts'
import { renderDuration } from '../client/duration.ts'
import { ActionError, CancelledError } from '../client/errors.ts'
import { createRealSeam } from '../client/real-seam.ts'
import { createGitHub } from '../github/github.ts'
import type { Context } from '../operations/context.ts'
import type { Outcome } from '../operations/outcome.ts'
import { probe } from '../postgres/probe.ts'
import type { WorkflowEvent } from '../preview/github.ts'
import { derivePassword } from '../preview/password.ts'
import { exitCodeOf, leaveSoon, watchCancellation } from './cancellation.ts'
import { readSecrets, type StepInputs } from './inputs.ts'
import { createJournal } from './journal.ts'
import { type ActionLog, createLog } from './log.ts'
import type { OutputSource } from './output-table.ts'
import { writeOutputs } from './outputs.ts'
import { Secrets } from './secrets.ts'
import { renderDetails, renderDone, renderFailure, renderSuccess, writeSummary } from './summary.ts'
import { watchPasswords } from './watch-passwords.ts'

/** What main and post both stand on: the log and the secrets it hides. */
export interface Edge {
  log: ActionLog
  secrets: Secrets
  /** The names of the outputs that are set already. */
  announced: Set<string>
}

export function openEdge(): Edge {
  const secrets = new Secrets()
  return { secrets, log: createLog(secrets), announced: new Set() }
}

/** Hides what is secret in the inputs: before they are checked, because what is wrong with one is told. */
export function maskInputs({ log }: Edge, environment: NodeJS.ProcessEnv): void {
  for (const secret of readSecrets(environment)) log.mask(secret)
}

/** Joins the checked inputs with the world: the client, the clock, the journal. `patience` in milliseconds, for all of it. */
export function createContext(
  edge: Edge,
  inputs: StepInputs,
  event: WorkflowEvent,
  patience: number,
): Context {
  const { log, secrets } = edge
  const { secretKey } = inputs.credentials
  const seam = watchPasswords(createRealSeam(), {
    onGiven: password => log.mask(password),
    // The runner needs no mask for what only a server could write.
    onService: serviceId => secrets.add(derivePassword(secretKey, serviceId)),
  })
  const deadline = seam.now() + patience
  const { signal, creatingSignal } = watchCancellation()
  const client = createClient({
    seam,
    baseUrl: inputs.baseUrl,
    credentials: inputs.credentials,
    maxAttempts: inputs.maxAttempts,
    requestTimeout: inputs.requestTimeout,
    deadline,
    signal,
    creatingSignal,
    onRetry: (failure, delay) =>
      log.info(`${(failure as Error).message}; trying again in ${renderDuration(delay)}`),
  })
  const journal = createJournal(outcome => announce(outcome, inputs, edge), secrets)
  const github = createGitHub({
    token: inputs.githubToken,
    event,
    environment: process.env,
    signal,
    seam,
    redact: text => secrets.redact(text),
  })
  return {
    client,
    seam,
    log,
    signal,
    journal,
    settings: inputs.settings,
    deadline,
    github,
    derivePassword: serviceId => derivePassword(secretKey, serviceId),
    mask: secret => log.mask(secret),
    probe: (connection, timeout) => abortable(probe(connection, timeout), signal),
  }
}

/** As soon as something is created: its password is masked, its id in the log and outputs, before any wait. */
function announce(outcome: Outcome, { settings }: StepInputs, edge: Edge): void {
  const { log } = edge
  for (const secret of [outcome.initialPassword, outcome.password]) if (secret !== undefined) log.mask(secret)
  writeOutputs({ outcome, login: settings.login }, edge)
  const { replica_set_id, peering_id, vpc_id, service_id } = outcome.ids
  log.info(`${outcome.operation} created ${replica_set_id ?? peering_id ?? vpc_id ?? service_id}`)
}

/** Sets the outputs, writes the summary, and says in the log what there is now. */
export function reportOutcome(edge: Edge, source: OutputSource): void {
  const { log, secrets } = edge
  writeOutputs(source, edge)
  writeSummary(renderSuccess(source, secrets))
  log.info(renderDone(source.outcome))
}

/** Fails the step: one line with what to do next, details below it and in the summary. */
export function reportFailure({ log, secrets }: Edge, operation: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const next =
    error instanceof ActionError
      ? ` — ${error.next}`
      : ' — this is a defect of the action: please report it with the log'
  log.failure(message + next)
  const details = renderDetails(error, secrets)
  if (details !== undefined) log.info(`details: ${details}`)
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  if (stack !== '') for (const line of secrets.redact(stack).split('\n')) log.debug(line)
  writeSummary(renderFailure(operation, error, secrets))
  process.exitCode = exitCodeOf(error)
  if (error instanceof CancelledError) leaveSoon()
}
