/** Recognizes errors of Node.js about the certificate of a server. */

/** Node.js names errors of the handshake `ERR_SSL_…`, and those of a certificate after its defect. */
export const isAboutCertificate = (code: string) =>
  !code.startsWith('ERR_SSL_') && /CERT|TLS|SIGNATURE/.test(code)

/** The message of such an error. Node.js proposes a command-line flag, which a workflow cannot set. */
export const withoutFlag = (message: string) => message.replace(/; if the root CA is .*/, '')
