import { describeOtherHost, isAboutCertificate, withoutFlag } from '#base/certificate'
import { renderSeconds } from '#base/duration'
import { TransportError } from '#base/errors'
import type { Phase } from './http-connection.ts'

/** A failure to connect to several addresses (IPv4 and IPv6) is a bundle of errors, each with its own code. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  const bundled = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
  return [...own, ...bundled, ...codesOf(error.cause)]
}

/** What answered is not TLS at all: its first bytes have no version, or an absurd length. */
const isNotTls = (code: string) => /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code)

/** The reason alone of an error of OpenSSL: `…:error:0A00010B:SSL routines:…:wrong version number:../deps/…`. */
const reasonOf = (message: string) => /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message

function describeFailure(error: unknown, [code]: string[]): string {
  const message = withoutFlag(reasonOf(error instanceof Error ? error.message : String(error)))
  return (message || 'no connection') + (code && !message.includes(code) ? ` (${code})` : '')
}

/** What is set up wrongly on the way, so that each try would fail; undefined for what may pass. */
function findLasting(error: unknown, codes: string[], failure: string, isProxy: boolean) {
  const peer = isProxy ? 'proxy' : 'server'
  const otherHost = describeOtherHost(error)
  if (otherHost !== undefined)
    return {
      message: `the certificate of the ${peer} ${otherHost}`,
      next: `correct the host in ${isProxy ? 'HTTPS_PROXY' : 'base_url'}`,
    }
  if (codes.some(isAboutCertificate)) {
    const doubt = isProxy ? 'check HTTPS_PROXY' : 'check base_url'
    return {
      message: `the certificate of the ${peer} is not trusted: ${failure}`,
      next: `${doubt}; if the ${peer} is yours, set NODE_EXTRA_CA_CERTS to the file of its certificate authority`,
    }
  }
  if (!codes.some(isNotTls)) return undefined
  return {
    message: `the ${peer} does not speak TLS on this port: ${failure}`,
    next: isProxy
      ? 'name the proxy with http:// in HTTPS_PROXY, or with its port for TLS'
      : 'check the port of base_url; an address with http:// is only for this machine itself',
  }
}

/** The error of a failed request. `phase` is what the request still waited for; undefined once it was sent. */
export function transportFailure(error: unknown, phase: Phase | undefined): TransportError {
  if (error instanceof TransportError) return error
  const codes = codesOf(error)
  const failure = describeFailure(error, codes)
  // Before it is sent no server can have seen it, whatever the error.
  const neverSent = phase !== undefined
  const lasting = findLasting(error, codes, failure, phase?.isProxy ?? false)
  if (lasting)
    return new TransportError(lasting.message, {
      neverSent,
      isLasting: true,
      next: lasting.next,
      cause: error,
    })
  if (!phase?.isProxy) return new TransportError(failure, { neverSent, cause: error })
  return new TransportError(`no ${phase.missing}: ${failure}`, { neverSent, next: phase.next, cause: error })
}

/** The request could not be sent within `timeout` milliseconds, because it was still waiting for `phase`. */
export function unsentFailure({ missing, next }: Phase, timeout: number): TransportError {
  return new TransportError(`no ${missing} within ${renderSeconds(timeout)}`, { neverSent: true, next })
}
