/** Warns about variables that change the certificates that Node.js trusts. */
import { readFileSync } from 'node:fs'
import { codeOf } from '#base/errors'
import type { Edge } from './host/edge.ts'

/** The reason why Node.js finds no certificate in a file; undefined if it finds one. */
function describeUnreadable(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1').includes('-----BEGIN ') ? undefined : 'no certificate in it'
  } catch (error) {
    return codeOf(error) || String(error)
  }
}

/**
 * Warns in two cases. With NODE_TLS_REJECT_UNAUTHORIZED=0, Node.js trusts any certificate. If the file in
 * NODE_EXTRA_CA_CERTS is unreadable, Node.js ignores it (Node.js documentation, "Command-line API").
 */
export function warnOfCertificates({ log }: Edge, environment: NodeJS.ProcessEnv): void {
  const { NODE_EXTRA_CA_CERTS: authorities = '' } = environment
  const unreadable = authorities === '' ? undefined : describeUnreadable(authorities)
  if (unreadable !== undefined)
    log.warning(
      `the file ${authorities} in NODE_EXTRA_CA_CERTS is unreadable (${unreadable}): correct the path`,
      'certificate authority ignored',
    )
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    log.warning(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 disables all checks of certificates, so the keys may go to another server — remove it, and set NODE_EXTRA_CA_CERTS to the file of your certificate authority',
      'certificates not checked',
    )
}
