/** Explains why psql has no connection, by a login of its own and by the API. */
import type { Service } from '#api/records'
import { ActionError, isApiError } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import { probe } from '#postgres/connect'
import { isRefusedByServer, PasswordRefusedError } from '#postgres/login-refused'
import { CertificateError } from '#postgres/tls'
import { parsePreviewName } from '#preview/base/name'
import { parseMaskedName } from '#preview/masked/name'
import { connectionOf, type FoundDatabase } from './find-database.ts'

function explainRefusal(serviceId: string, name: string | undefined, cause: Error): ActionError {
  const isDerived = name === undefined || parsePreviewName(name) || parseMaskedName(name)
  const [failure, next] = isDerived
    ? [
        `the derived password does not open service ${serviceId}`,
        'check DATABASE_PASSWORD_SECRET: it must be the password_secret of the workflow',
      ]
    : [
        `service ${serviceId} (${name}) is no preview, and the derived password does not open it`,
        'connect by psql with the password of the service',
      ]
  return new ActionError(failure, next, { cause })
}

/**
 * @param readService reads the service from the API; undefined without keys
 * @throws ActionError with the reason; nothing if psql has printed it
 */
export async function explainFailure(
  { serviceId, connection }: FoundDatabase,
  readService: (() => Promise<Service>) | undefined,
): Promise<void> {
  const { host, port } = connection
  try {
    await probe(connection, 10_000, new AbortController().signal)
  } catch (failure) {
    const isPassword = failure instanceof PasswordRefusedError
    if (failure instanceof CertificateError || (isRefusedByServer(failure) && !isPassword)) return
    // Only if the API is available.
    const service = await readService?.().catch(error => {
      if (isApiError(error, 404)) throw error
      return undefined
    })
    if (isPassword) throw explainRefusal(serviceId, service?.name, failure)
    if (service) connectionOf(service)
    throw new ActionError(
      `service ${serviceId} accepts no connection: ${messageOf(failure)}`,
      `if the preview is paused or deleted, push to its pull request; otherwise check that this machine can reach ${host}:${port}`,
      { cause: failure },
    )
  }
}
