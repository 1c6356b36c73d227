/** Whether a connection is encrypted, and what must be true of the server's certificate. */
export type Tls = boolean | { rejectUnauthorized: boolean; checkServerIdentity?: () => undefined }

/** The ways to try, one after the other: `prefer` and `allow` also do without TLS (PostgreSQL documentation, 34.19). */
export function tlsOptions(sslmode: string): Tls[] {
  if (sslmode === 'disable') return [false]
  if (sslmode === 'verify-full') return [{ rejectUnauthorized: true }]
  if (sslmode === 'verify-ca') return [{ rejectUnauthorized: true, checkServerIdentity: () => undefined }]
  const encrypted = { rejectUnauthorized: false }
  return sslmode === 'require' ? [encrypted] : [encrypted, false]
}
