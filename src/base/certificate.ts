/** Recognizes and explains certificate errors of Node.js. */

/** Node.js names handshake errors `ERR_SSL_…`; a certificate error has the name of the defect. */
export const isAboutCertificate = (code: string) =>
  !code.startsWith('ERR_SSL_') && /CERT|TLS|SIGNATURE/.test(code)

/** The message without the command-line flag that Node.js suggests: a workflow cannot set it. */
export const withoutFlag = (message: string) => message.replace(/; if the root CA is .*/, '')

/** Upper limit for certificate names in a message. */
const mostNames = 3

/** Source: documentation of Node.js, `tls.checkServerIdentity`. */
interface OtherHostError {
  host: string
  cert: { subject?: { CN?: string }; subjectaltname?: string }
}

const isAboutHost = (error: Error): error is Error & OtherHostError =>
  'code' in error && error.code === 'ERR_TLS_CERT_ALTNAME_INVALID' && 'host' in error && 'cert' in error

/** `is for localhost, not 127.0.0.1`, if a certificate belongs to another host. Undefined for all other errors. */
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
