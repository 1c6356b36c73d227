import { isLoopback } from '../../base/loopback.ts'
import type { Parsed } from '../../operations/base/input-row.ts'
import { hasInvisible } from '../secrets/plain-text.ts'

/**
 * The base address of the API, without a slash at its end. If keys must not be sent to it: what was expected instead
 * (docs/design.md, "The edges").
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
