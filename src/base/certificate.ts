/** Recognizes and explains certificate errors of Node.js. */
import { cap } from './bytes.ts'

/** The code of a handshake error starts with `ERR_SSL_`; the code of a certificate error names the defect. */
export const isAboutCertificate = (code: string) =>
  !code.startsWith('ERR_SSL_') && /CERT|TLS|SIGNATURE/.test(code)

/** Removes the advice of Node.js to use a command-line flag, which a workflow cannot set. */
export const removeFlagAdvice = (message: string) => message.replace(/; if the root CA is .*/, '')

/** Upper limit for certificate names in a message. */
const mostNames = 3

/** Source: documentation of Node.js, `tls.checkServerIdentity`. */
interface HostMismatchError {
  host: string
  cert: { subject?: { CN?: string }; subjectaltname?: string }
}

const isHostMismatch = (error: Error): error is Error & HostMismatchError =>
  'code' in error && error.code === 'ERR_TLS_CERT_ALTNAME_INVALID' && 'host' in error && 'cert' in error

/** `is for localhost, not 127.0.0.1`, if a certificate belongs to another host. Undefined for all other errors. */
export function describeHostMismatch(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (!isHostMismatch(error)) return describeHostMismatch(error.cause)
  const { host, cert } = error
  const names = (cert.subjectaltname ?? '')
    .split(', ')
    .filter(name => /^(?:DNS|IP Address):/.test(name))
    .map(name => name.replace(/^[^:]*:/, ''))
  const certified = names.length > 0 ? names : [cert.subject?.CN ?? 'no host']
  return `is for ${cap(certified, mostNames).join(', ')}, not ${host}`
}
