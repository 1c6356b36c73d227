/** Sets and tests the passwords of previews. */
import type { Service } from '#api/records'
import { ActionError } from '#base/errors'
import type { Calls, Context, Databases, WithSettings } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import { UnreachableError, waitForConnection } from '#operations/wait/connect'
import { reasonOf } from '#operations/wait/targets'
import { LoginRefusedError, PasswordRefusedError } from '#postgres/login-refused'
import type { ServiceIds } from '../base/guard.ts'

/** The database refuses the password derived from the secret of this step. */
function wrongSecretError(serviceId: string, hasPasswordSecret: boolean, cause: unknown): ActionError {
  const source = hasPasswordSecret ? 'password_secret' : 'the secret key, because password_secret is not set,'
  return new ActionError(
    `the password derived from ${source} does not open the database of service ${serviceId}: it was set with another secret`,
    'set password_secret as in the step that creates the preview; if database_user is set, check it; if a secret or key was rotated, run create-preview (or preview) to set the password again',
    { cause },
  )
}

/** Milliseconds for one login. */
const loginTimeout = 5000

type LoginResult =
  | { result: 'opens' }
  | { result: 'refused'; cause: unknown }
  | { result: 'unknown'; reason: string }

/** A context whose logins leave a usage marker, so prune sees that a job may be about to use the database. */
const withUsageMarker = <Needed extends Pick<Context, 'probe'>>(context: Needed): Needed => ({
  ...context,
  probe: (connection, timeout) => context.probe(connection, timeout, { leavesMarker: true }),
})

async function tryPassword(context: Databases, service: Service, password: string): Promise<LoginResult> {
  const { settings, seam, deadline, signal } = context
  if (service.endpoint === undefined) return { result: 'unknown', reason: 'the database has no address yet' }
  const { host, port } = service.endpoint
  const timeout = Math.min(loginTimeout, Math.max(1000, deadline - seam.now()))
  try {
    await context.probe({ ...settings.login, host, port, password }, timeout)
    return { result: 'opens' }
  } catch (failure) {
    signal.throwIfAborted()
    if (failure instanceof PasswordRefusedError) return { result: 'refused', cause: failure }
    const reason = reasonOf(failure, { address: service.endpoint, isWithheld: true })
    const what = failure instanceof LoginRefusedError ? 'refuses the login' : 'cannot be reached from here'
    return { result: 'unknown', reason: `the database ${what} (${reason})` }
  }
}

/** Whether the password certainly works. If not, logs why it is set again. */
async function isPasswordSet(context: Databases, service: Service, password: string): Promise<boolean> {
  const tried = await tryPassword(context, service, password)
  if (tried.result === 'refused')
    context.log.warning(
      `service ${service.service_id} had another password than the derived one, and the step replaces it: either an earlier run was killed before it set the password, or a workflow has another password_secret; if no run was killed, use the same one in all workflows`,
      'password replaced',
    )
  if (tried.result === 'unknown')
    context.log.info(
      `the password of service ${service.service_id} was not checked: ${tried.reason}; it is set again`,
    )
  return tried.result === 'opens'
}

/** Gives a preview its derived password. If the preview has it already, nothing is sent, so open sessions stay open. */
export async function setDerivedPassword(
  context: Calls & Databases,
  ids: ServiceIds,
  service: Service,
  isCreatedHere: boolean,
): Promise<{ password: string; isNew: boolean }> {
  const password = context.derivePassword(service.service_id)
  // The last login before publication leaves the usage marker: this one, unless `checkConnection` connects later.
  const loginContext = context.settings.waitForConnection ? context : withUsageMarker(context)
  if (!isCreatedHere && (await isPasswordSet(loginContext, service, password)))
    return { password, isNew: false }
  await context.client.call('update-password', { ...ids, password })
  return { password, isNew: true }
}

export async function checkConnection(context: Databases, outcome: Outcome): Promise<void> {
  if (context.settings.waitForConnection) await waitForConnection(withUsageMarker(context), outcome)
}

/**
 * Tests a derived password that may be wrong. `isNew`: the preview was not READY a moment ago, so its creating run may
 * still set the password.
 * @throws ActionError if the database refuses it; UnreachableError like `waitForConnection`
 */
export async function checkDerivedPassword(
  context: Databases & WithSettings<'hasPasswordSecret'>,
  outcome: Outcome & { password: string },
  service: Service,
  isNew: boolean,
): Promise<void> {
  const explain = (cause: unknown) =>
    wrongSecretError(service.service_id, context.settings.hasPasswordSecret, cause)
  const markingContext = withUsageMarker(context)
  if (context.settings.waitForConnection && service.endpoint) {
    const options = { refusalPatience: isNew ? undefined : 0, isWithheld: true }
    return await waitForConnection(markingContext, outcome, options).catch(failure => {
      const isRefused = failure instanceof UnreachableError && failure.cause instanceof PasswordRefusedError
      throw isRefused ? explain(failure) : failure
    })
  }
  const tried: LoginResult = isNew
    ? { result: 'unknown', reason: 'the preview was not READY, so its password may be set only now' }
    : await tryPassword(markingContext, service, outcome.password)
  if (tried.result === 'refused') throw explain(tried.cause)
  if (tried.result === 'unknown') context.log.info(`the password was not checked: ${tried.reason}`)
}
