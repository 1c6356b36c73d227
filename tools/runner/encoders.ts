/**
 * The encoded forms of a secret that the runner also masks: the eleven encoders that actions/runner registers in
 * src/Runner.Common/HostContext.cs, with bodies in src/Sdk/DTLogging/Logging/ValueEncoders.cs. An empty result means
 * that there is no such form.
 */
type ValueEncoder = (value: string) => string

/** Convert.ToBase64String of the bytes from `shift` on, padding included; a value too short for it is not shifted. */
function base64From(value: string, shift: number): string {
  const bytes = Buffer.from(value)
  return (bytes.length > shift ? bytes.subarray(shift) : bytes).toString('base64')
}

/** One character as JsonConvert.ToString of Newtonsoft.Json writes it: from U+007F on it escapes only three. */
function jsonEscape(char: string): string {
  if (char < '\u007f') return JSON.stringify(char).slice(1, -1)
  return '\u0085\u2028\u2029'.includes(char) ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char
}

/** Uri.EscapeDataString: all but the unreserved characters of RFC 3986 section 2.3, as UTF-8. */
function uriDataEscape(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

const xmlEntities: Record<string, string> = {
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '&': '&amp;',
}

function trimDoubleQuotes(value: string): string {
  return value.length > 8 && /^".*"$/s.test(value) ? value.slice(1, -1) : ''
}

/** PowerShell prints a secret with an ampersand in pieces; shorter ones than this are not masked. */
const shortestPiece = 6
const longPiece = (piece: string) => (piece.length >= shortestPiece ? piece : '')

function powerShellPreAmpersandEscape(value: string): string {
  const colored = value.indexOf('&+')
  return longPiece(value.slice(0, colored >= 0 ? colored + 2 : value.lastIndexOf('&') + 1))
}

function powerShellPostAmpersandEscape(value: string): string {
  if (!value.includes('&')) return ''
  const colored = value.indexOf('&+')
  // String.Substring throws if it would start after the end, and the command fails: nothing is masked then.
  if (colored >= 0 && colored + 2 === value.length) throw new RangeError('startIndex')
  // One letter more is skipped: PowerShell colors it.
  return longPiece(value.slice(colored >= 0 ? colored + 3 : value.lastIndexOf('&') + 1))
}

export const valueEncoders: Record<string, ValueEncoder> = {
  Base64StringEscape: value => base64From(value, 0),
  Base64StringEscapeShift1: value => base64From(value, 1),
  Base64StringEscapeShift2: value => base64From(value, 2),
  CommandLineArgumentEscape: value => value.replaceAll('"', '\\"'),
  ExpressionStringEscape: value => value.replaceAll("'", "''"),
  JsonStringEscape: value => value.replace(/[\p{Cc}"\\\u2028\u2029]/gu, jsonEscape),
  UriDataEscape: uriDataEscape,
  XmlDataEscape: value => value.replace(/[<>"'&]/g, char => xmlEntities[char] ?? char),
  TrimDoubleQuotes: trimDoubleQuotes,
  PowerShellPreAmpersandEscape: powerShellPreAmpersandEscape,
  PowerShellPostAmpersandEscape: powerShellPostAmpersandEscape,
}
