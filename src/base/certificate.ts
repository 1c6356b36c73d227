/** Recognizes errors of Node.js about the certificate of a server. */

/** Node.js names errors of the handshake `ERR_SSL_…`, and those of a certificate after its defect. */
export const isAboutCertificate = (code: string) =>
  !code.startsWith('ERR_SSL_') && /CERT|TLS|SIGNATURE/.test(code)

/** The message of such an error. Node.js proposes a command-line flag, which a workflow cannot set. */
export const withoutFlag = (message: string) => message.replace(/; if the root CA is .*/, '')

/** The most names of a certificate that a message shows. */
const mostNames = 3

/** The error of Node.js about a certificate of another host holds both (its documentation, `tls.checkServerIdentity`). */
interface OtherHostError {
  host: string
  cert: { subject?: { CN?: string }; subjectaltname?: string }
}

const isAboutHost = (error: Error): error is Error & OtherHostError =>
  'code' in error && error.code === 'ERR_TLS_CERT_ALTNAME_INVALID' && 'host' in error && 'cert' in error

/** `is for localhost, not 127.0.0.1`, where a certificate is for other hosts; undefined for all other errors. */
export function describeOtherHost(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (!isAboutHost(error)) return describeOtherHost(error.cause)
  const { host, cert } = error
  const names = (cert.subjectaltname ?? '')
    .split(', ')
    .filter(name => /^(?:DNS|IP Address):/.test(name))
    .map(name => name.replace(/^[^:]*:/, ''))
  const known = names.length > 0 ? names : [cert.subject?.CN ?? 'no host']
  const more = known.length > mostNames ? ` and ${known.length - mostNames} more` : ''
  return `is for ${known.slice(0, mostNames).join(', ')}${more}, not ${host}`
}
