/** Derives the TLS settings of a connection from `sslmode` and `sslrootcert`, and explains certificate errors. */
import { readFileSync } from 'node:fs'
import { describeHostMismatch, isAboutCertificate, removeFlagAdvice } from '#base/certificate'
import { ActionError, codeOf } from '#base/errors'
import type { Connection } from './connection.ts'

/** Whether a connection is encrypted, and the checks of the server's certificate. */
export type Tls =
  | boolean
  | { rejectUnauthorized: boolean; checkServerIdentity?: () => undefined; ca?: string }

/** The certificate of the database cannot be verified, or is not trusted. A retry would fail too. */
export class CertificateError extends ActionError {}

/** Explains a failed connection if its certificate is the cause; returns any other error unchanged. */
export function explainCertificate({ host, port, rootCertificate }: Connection, error: unknown): unknown {
  const code = codeOf(error)
  if (!(error instanceof Error) || !isAboutCertificate(code)) return error
  const otherHost = describeHostMismatch(error)
  if (otherHost !== undefined)
    return new CertificateError(
      `the certificate of ${host}:${port} ${otherHost}`,
      'use a host that the certificate names',
      { cause: error },
    )
  const reason = removeFlagAdvice(error.message)
  return new CertificateError(
    `the certificate of ${host}:${port} is not trusted: ${reason} (${code})`,
    rootCertificate === undefined
      ? 'set NODE_EXTRA_CA_CERTS to the file of its certificate authority, or use sslmode=require, which does not check certificates'
      : 'set sslrootcert to a file with the authority of this certificate',
    { cause: error },
  )
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new CertificateError(
      `the file ${file} of sslrootcert is unreadable (${codeOf(cause)})`,
      'correct sslrootcert in database_url, or remove it and set NODE_EXTRA_CA_CERTS',
      { cause },
    )
  }
}

/**
 * The settings to try in order: `prefer` and `allow` also try without TLS. With a file of an authority,
 * `require` checks the certificate like `verify-ca` (PostgreSQL documentation, 34.19).
 * @throws CertificateError
 */
export function tlsOptions({ sslmode, rootCertificate }: Connection): Tls[] {
  if (sslmode === 'disable') return [false]
  const isChecked = /^verify-/.test(sslmode) || (sslmode === 'require' && rootCertificate !== undefined)
  if (!isChecked) {
    const encrypted = { rejectUnauthorized: false }
    return sslmode === 'require' ? [encrypted] : [encrypted, false]
  }
  const checked = {
    rejectUnauthorized: true,
    ...(rootCertificate !== undefined && { ca: readAuthority(rootCertificate) }),
  }
  return [sslmode === 'verify-full' ? checked : { ...checked, checkServerIdentity: () => undefined }]
}
