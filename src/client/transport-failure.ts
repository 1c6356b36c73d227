import { renderSeconds } from './duration.ts'
import { TransportError } from './errors.ts'
import type { Phase } from './http-connection.ts'

/** A failure to connect to several addresses (IPv4 and IPv6) is a bundle of errors, each with its own code. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  const bundled = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
  return [...own, ...bundled, ...codesOf(error.cause)]
}

const isAboutCertificate = (code: string) => /CERT|TLS|SIGNATURE/.test(code)

function describeFailure(error: unknown, [code]: string[]): string {
  // Node advises a command-line flag, which nobody can give to the Node of an action.
  const message = (error instanceof Error ? error.message : String(error)).replace(
    /; if the root CA is .*/,
    '',
  )
  return (message || 'no connection') + (code && !message.includes(code) ? ` (${code})` : '')
}

/** The error of a failed request. `phase` is what the request still waited for; undefined once it was sent. */
export function transportFailure(error: unknown, phase: Phase | undefined): TransportError {
  const codes = codesOf(error)
  const failure = describeFailure(error, codes)
  // Before it is sent no server can have seen it, whatever the error.
  const neverSent = phase !== undefined
  if (codes.some(isAboutCertificate))
    return new TransportError(`the certificate of the server is not trusted: ${failure}`, {
      neverSent,
      next: 'check base_url; if the server is yours, set NODE_EXTRA_CA_CERTS to the file of its certificate authority',
      cause: error,
    })
  if (!phase?.isProxy) return new TransportError(failure, { neverSent, cause: error })
  return new TransportError(`no ${phase.missing}: ${failure}`, { neverSent, next: phase.next, cause: error })
}

/** The request could not be sent within `timeout` milliseconds, because it was still waiting for `phase`. */
export function unsentFailure({ missing, next }: Phase, timeout: number): TransportError {
  return new TransportError(`no ${missing} within ${renderSeconds(timeout)}`, { neverSent: true, next })
}
