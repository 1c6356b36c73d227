/** Warns of variables that change which certificates Node.js takes. */
import { readFileSync } from 'node:fs'
import type { Edge } from './host/edge.ts'

/** The reason why Node.js takes no certificate from a file; undefined if there is none. */
function findUnreadable(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1').includes('-----BEGIN ') ? undefined : 'no certificate in it'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

/**
 * With one variable Node.js takes any certificate, and of another one it ignores a file that it cannot read (its
 * documentation, "Command-line API").
 */
export function warnOfCertificates({ log }: Edge, environment: NodeJS.ProcessEnv): void {
  const { NODE_EXTRA_CA_CERTS: authorities = '' } = environment
  const unreadable = authorities === '' ? undefined : findUnreadable(authorities)
  if (unreadable !== undefined)
    log.warning(
      `NODE_EXTRA_CA_CERTS names ${authorities}, which cannot be read (${unreadable}): correct the path`,
      'certificate authority ignored',
    )
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    log.warning(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: no certificate is checked, so the keys may go to another server — remove it, and set NODE_EXTRA_CA_CERTS to the file of your certificate authority',
      'certificates not checked',
    )
}
