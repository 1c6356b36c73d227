/** Checks the address of the API, and finds its console. */
import { isLoopback } from '#base/loopback'
import type { Parsed } from '#operations/base/input-row'
import { hasInvisible } from '../secrets/plain-text.ts'

/**
 * The base address of the API, without a slash at its end, or a description of the expected one if keys must not be
 * sent there (docs/internals/guarantees.md, "Checked edges").
 */
export function parseBaseUrl(text: string): Parsed<string> {
  const reject = (expected: string) => ({ expected: `${expected}, like https://host/public/api/v1` })
  // The URL parser removes tabs and line breaks, and treats a backslash as a slash. So it finds the host a.example in
  // https://a.example\@b.example, where people and other programs find b.example.
  if (!URL.canParse(text) || /[\s\\]/.test(text) || hasInvisible(text)) return reject('an https address')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    return reject('an https address (http is only for this machine itself)')
  }
  // The pattern also finds an empty user, which the parsed URL does not show.
  if (url.username !== '' || url.password !== '' || /^[^:]*:\/*[^/?#]*@/.test(text))
    return reject('an address without user and password')
  if (/[?#]/.test(text)) return reject('an address without query and fragment')
  return { value: url.href.replace(/(?<!\/)\/+$/, '') }
}

/** The hosts that serve both the API and the console of Tiger Cloud. */
const consoles = ['console.cloud.tigerdata.com', 'console.cloud.timescale.com']

/** The prefix of services in the console, as in Tiger Cloud's own client. Undefined for another API. */
export function findConsole(baseUrl: string): string | undefined {
  const host = URL.parse(baseUrl)?.host ?? ''
  return consoles.includes(host) ? `https://${host}/dashboard/services` : undefined
}
