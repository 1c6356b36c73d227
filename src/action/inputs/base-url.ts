import { isLoopback } from '#base/loopback'
import type { Parsed } from '#operations/base/input-row'
import { hasInvisible } from '../secrets/plain-text.ts'

/**
 * The base address of the API, without a slash at its end. If keys must not be sent to it: what was expected instead
 * (docs/internals/guarantees.md, "Checked edges").
 */
export function parseBaseUrl(text: string): Parsed<string> {
  const expected = (what: string) => ({ expected: `${what}, like https://host/public/api/v1` })
  // The URL parser takes out tabs and line breaks, wherever they are, and takes a backslash for a slash: in
  // https://one\@other, other programs and readers see the host other.
  if (!URL.canParse(text) || /[\s\\]/.test(text) || hasInvisible(text)) return expected('an https address')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    return expected('an https address (http is only for this machine itself)')
  }
  // An empty user cannot be seen in the parsed address.
  if (url.username !== '' || url.password !== '' || /^[^:]*:\/*[^/?#]*@/.test(text))
    return expected('an address without user and password')
  if (/[?#]/.test(text)) return expected('an address without query and fragment')
  return { value: url.href.replace(/(?<!\/)\/+$/, '') }
}

/** Where the API and the console of Tiger Cloud are the same host. */
const consoles = ['console.cloud.tigerdata.com', 'console.cloud.timescale.com']

/**
 * What the addresses of services in the console begin with, as Tiger Cloud's own command line client links to them;
 * undefined for any other API, such as the emulator's.
 */
export function consoleOf(baseUrl: string): string | undefined {
  const host = URL.parse(baseUrl)?.host ?? ''
  return consoles.includes(host) ? `https://${host}/dashboard/services` : undefined
}
