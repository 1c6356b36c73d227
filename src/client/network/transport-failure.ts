/** Explains failed requests: names the cause, and whether a retry may succeed. */
import { describeHostMismatch, isAboutCertificate, removeFlagAdvice } from '#base/certificate'
import { renderSeconds } from '#base/duration'
import { TransportError } from '#base/errors'
import { adviseOnLoopback, isRefusedByLoopback } from '#base/loopback'
import type { Phase } from './http-connection.ts'

/** After failures at several addresses (IPv4 and IPv6), each error in the AggregateError has its own code. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  const bundled = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
  return [...own, ...bundled, ...codesOf(error.cause)]
}

/** The answer is not TLS at all: its first bytes have no version, or an impossible length. */
const isNotTls = (code: string) => /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code)

/** Only the reason in an OpenSSL error: `…:error:0A00010B:SSL routines:…:wrong version number:../deps/…`. */
const reasonOf = (message: string) => /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message

function describeFailure(error: unknown, [code]: string[]): string {
  const message = removeFlagAdvice(reasonOf(error instanceof Error ? error.message : String(error)))
  return (message || 'no connection') + (code && !message.includes(code) ? ` (${code})` : '')
}

/** Message and advice if the cause is a setting, so that every attempt would fail; undefined if a retry may succeed. */
function describeLastingFailure(error: unknown, codes: string[], failure: string, isProxy: boolean) {
  const [peer, setting] = isProxy ? ['proxy', 'HTTPS_PROXY'] : ['server', 'base_url']
  const otherHost = describeHostMismatch(error)
  if (otherHost !== undefined)
    return {
      message: `the certificate of the ${peer} ${otherHost}`,
      next: `correct the host in ${setting}`,
    }
  if (codes.some(isAboutCertificate))
    return {
      message: `the certificate of the ${peer} is not trusted: ${failure}`,
      next: `check ${setting}; if the ${peer} is yours, set NODE_EXTRA_CA_CERTS to the file of its certificate authority`,
    }
  if (!codes.some(isNotTls)) return undefined
  return {
    message: `the ${peer} does not speak TLS on this port: ${failure}`,
    next: isProxy
      ? 'use http:// for the proxy in HTTPS_PROXY, or its TLS port'
      : 'check the port of base_url; http:// is allowed only for this machine',
  }
}

/** The error of a failed request. `phase` is undefined once the request was sent. */
export function transportFailure(error: unknown, phase: Phase | undefined): TransportError {
  if (error instanceof TransportError) return error
  const codes = codesOf(error)
  const failure = describeFailure(error, codes)
  const options = { neverSent: phase !== undefined, cause: error }
  const lasting = describeLastingFailure(error, codes, failure, phase?.isProxy ?? false)
  if (lasting) return new TransportError(lasting.message, { ...options, isLasting: true, next: lasting.next })
  if (phase?.isProxy)
    return new TransportError(`no ${phase.missing}: ${failure}`, { ...options, next: phase.next })
  return isRefusedByLoopback(error)
    ? new TransportError(failure, { ...options, next: adviseOnLoopback(' in base_url') })
    : new TransportError(failure, options)
}

/** The request could not be sent within `timeout` milliseconds. */
export function unsentFailure({ missing, next }: Phase, timeout: number): TransportError {
  return new TransportError(`no ${missing} within ${renderSeconds(timeout)}`, { neverSent: true, next })
}
