/** Finds the database on which an operation works, and waits for it. */
import { protectingTag } from '#api/service-states'
import { ActionError, codeOf } from '#base/errors'
import { adviseOnLoopback, isRefusedByLoopback } from '#base/loopback'
import { messageOf, textOf } from '#base/unknown-values'
import type { Databases, GivenParameters, Waiting } from '#operations/base/context'
import { databaseOf, type Ids, type Outcome } from '#operations/base/outcome'
import {
  adviseOnLogin,
  explainConnection,
  UnreachableError,
  waitForConnection,
} from '#operations/wait/connect'
import { reasonOf } from '#operations/wait/targets'
import type { LoginConnection } from '#postgres/connection'
import type { UriConnection } from '#postgres/connection-uri'
import { LoginRefusedError, PasswordRefusedError } from '#postgres/login-refused'
import { type Session, StatementError } from '#postgres/session'
import type { Previews, PullRequests } from '#preview/base/context'
import { pullRequestOfRun } from '#preview/base/event-work'
import { getConnection } from '#preview/operations/get-connection'
import type { WithSettings } from './context.ts'

export interface Target {
  connection: LoginConnection
  /** The connection to use instead, to a tap in front of the database. */
  tapped?: LoginConnection
  ids: Ids
  pullRequest?: number | undefined
}

export type NoTarget = Pick<Outcome, 'ids' | 'pullRequest'> & { skipped: string }

/** Milliseconds until the deadline, at least 1 s. */
export const timeLeft = ({ deadline, seam }: Waiting) => Math.max(1000, deadline - seam.now())

/**
 * Runs `use` in a session with the database.
 * @param reads if `use` only reads: the object that it reads, and the instruction if the server refuses
 * @throws UnreachableError; ActionError if the server refuses to read; other errors of `use`
 */
export async function inDatabase<Result>(
  context: Databases,
  { connection, tapped = connection }: Target,
  options: Parameters<Databases['withSession']>[1],
  use: (session: Session) => Promise<Result>,
  reads?: { what: string; next: string },
): Promise<Result> {
  try {
    return await context.withSession(tapped, options, use)
  } catch (error) {
    context.signal.throwIfAborted()
    if (reads === undefined || !(error instanceof StatementError)) throw explainConnection(connection, error)
    const problem = `${reads.what} cannot be read: ${error.message} (SQLSTATE ${error.code})`
    throw new ActionError(problem, reads.next, { cause: error })
  }
}

/** Milliseconds. The database of a URL exists already: if it accepts no connection for so long, the URL is wrong. */
const urlTimeout = 120_000

/** No database with this name exists (PostgreSQL documentation, appendix A). */
const invalidCatalogName = '3D000'

/** Names the part of `database_url` to correct, by the reason of the failed connection. */
function adviceOnUrl(reason: unknown): string {
  if (reason instanceof PasswordRefusedError) return 'correct user and password in database_url'
  if (reason instanceof LoginRefusedError)
    return codeOf(reason.cause) === invalidCatalogName
      ? 'correct the name of the database in database_url'
      : adviseOnLogin(reason, 'check user, database and sslmode in database_url')
  if (isRefusedByLoopback(reason)) return adviseOnLoopback(' in database_url')
  return 'check host, port and sslmode in database_url, that the runner can reach it (VPC, firewall), and that the database was not deleted or reset since'
}

/**
 * Throws if the database of a sealed URL was deleted, since no wait helps then. It existed: a step seals a URL only
 * after it has connected.
 * @throws ActionError if the host does not exist, or the pull request is closed
 */
async function assertNotDeleted(context: PullRequests, { host, port }: UriConnection, cause: unknown) {
  const reason = reasonOf(cause, { address: { host, port } })
  const problem = `the database at ${host}:${port} accepts no connection: ${reason}`
  if (codeOf(cause) === 'ENOTFOUND')
    throw new ActionError(
      `${problem}; its preview was probably deleted or reset`,
      'run all jobs of the workflow again: the first one seals the new URL. If it was not deleted, check that this runner can resolve the host (VPC)',
    )
  const number = pullRequestOfRun(context)
  if (number === undefined || cause instanceof LoginRefusedError) return
  const found = await context.github.readPullRequest(number).catch((failure: unknown) => {
    context.signal.throwIfAborted()
    context.log.debug(`it is unknown whether pull request ${number} is open: ${messageOf(failure)}`)
  })
  if (found?.state === 'closed')
    throw new ActionError(
      `${problem}; pull request ${number} is closed, so its preview was deleted`,
      'reopen the pull request to get a new preview',
    )
}

async function waitForUrl(context: Databases & PullRequests, url: UriConnection): Promise<void> {
  const { settings, deadline, seam } = context
  const { host, port, isSealed, ...login } = url
  const until = Math.min(deadline, seam.now() + urlTimeout)
  const urlContext = { ...context, settings: { ...settings, login }, deadline: until }
  const record = { service_id: '', status: 'set in database_url', endpoint: { host, port } }
  const outcome: Outcome = { operation: '', ids: {}, resource: 'service', record, password: login.password }
  const onFirstFailure = isSealed ? (cause: unknown) => assertNotDeleted(context, url, cause) : undefined
  try {
    // No other job changes the password of this database now, so a refused password is wrong.
    await waitForConnection(urlContext, outcome, { refusalPatience: 0, onFirstFailure })
  } catch (failure) {
    if (!(failure instanceof UnreachableError)) throw failure
    throw new UnreachableError(failure.message, adviceOnUrl(failure.cause), { cause: failure.cause })
  }
}

async function findByUrl(
  context: Databases & PullRequests & WithSettings<'dryRun'>,
  connection: UriConnection,
): Promise<Target> {
  const { log, settings } = context
  if (connection.ignored.length > 0)
    log.warning(
      `database_url: the action ignores ${connection.ignored.join(', ')}: remove it from the URL`,
      'part of an input ignored',
    )
  if (settings.waitForConnection && !settings.dryRun) await waitForUrl(context, connection)
  return { connection, ids: {} }
}

/** The password of a preview is derived; that of another service comes from the input. @throws ActionError */
function passwordOf({ ids, password }: Outcome, given: GivenParameters, pullRequest: number | undefined) {
  const knownPassword = password ?? textOf(given.password)
  if (knownPassword !== undefined) return knownPassword
  throw new ActionError(
    `service ${ids.service_id} is no preview of this repository: its password is not known here`,
    pullRequest === undefined
      ? 'pass it as the input password, from a secret'
      : `leave service_id out to use the preview of pull request ${pullRequest}`,
  )
}

/** @throws ActionError for a service tagged PROD, or anything but DEV, unless the inputs allow it */
function refuseProduction({ settings }: WithSettings<'contents'>, found: Outcome): void {
  const record = databaseOf(found)
  const tag = record && protectingTag(record)
  if (tag === undefined || settings.contents.allowProduction) return
  throw new ActionError(
    `service ${found.ids.service_id} is tagged ${tag}: no SQL is run on it`,
    'set `allow_production: true` to run SQL on it',
  )
}

/**
 * Finds the database of the inputs: by a URL, by `service_id`, or as the preview of the pull request. Waits until it
 * accepts a connection, if the inputs ask for that.
 * @throws ActionError, UnreachableError, and the errors of `getConnection`
 */
export async function findTarget(
  given: GivenParameters,
  context: Previews & WithSettings<'contents'>,
): Promise<Target | NoTarget> {
  const { databaseUrl } = context.settings.contents
  if (databaseUrl !== undefined) return await findByUrl(context, databaseUrl)
  const found = await getConnection(given, context, { logsUnknownPassword: false })
  const { ids, pullRequest, skipped } = found
  if (skipped !== undefined) return { ids, pullRequest, skipped }
  refuseProduction(context, found)
  const password = passwordOf(found, given, pullRequestOfRun(context))
  const address = databaseOf(found)?.endpoint
  if (address === undefined)
    throw new ActionError(
      `service ${ids.service_id} has no address`,
      'wait until it is READY, and run the step again',
    )
  const { host, port } = address
  return { connection: { ...context.settings.login, host, port, password }, ids, pullRequest }
}
