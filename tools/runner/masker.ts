/** Masks secrets like GitHub's runner. */

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

/**
 * The encoded forms of a secret that the runner also masks: the eleven encoders that actions/runner registers in
 * src/Runner.Common/HostContext.cs, with bodies in src/Sdk/DTLogging/Logging/ValueEncoders.cs. An empty result means
 * that there is no such form.
 */
export const valueEncoders: Record<string, (value: string) => string> = {
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

/** A range of characters to hide. */
interface Position {
  start: number
  end: number
}

/** All occurrences in a text, including overlapping ones (actions/runner, ValueSecret.cs). */
function* positionsOf(value: string, input: string): Generator<Position> {
  for (let start = input.indexOf(value); start >= 0; start = input.indexOf(value, start + 1))
    yield { start, end: start + value.length }
}

/** Joins positions that overlap or touch: together they become one mask. */
function mergePositions(positions: Position[]): Position[] {
  const merged: Position[] = []
  for (const { start, end } of positions.toSorted((one, other) => one.start - other.start)) {
    const current = merged.at(-1)
    if (current && start <= current.end) current.end = Math.max(current.end, end)
    else merged.push({ start, end })
  }
  return merged
}

/**
 * The texts that GitHub's runner hides in logs, annotations and summaries, as of its version 2.337: a port of
 * src/Sdk/DTLogging/Logging/SecretMasker.cs with ValueSecret.cs and ReplacementPosition.cs of actions/runner, with the
 * encoders that HostContext.cs registers. No text is too short: one letter is masked too. Regular expressions, which
 * only GitHub itself can add, are omitted.
 */
export class RunnerMasker {
  /** The added texts, and all their forms. */
  readonly #originals = new Set<string>()
  readonly #values = new Set<string>()

  /**
   * Hides a text and its encoded forms from now on.
   * @throws RangeError like the runner for a text whose first `&+` is its end; nothing is hidden then
   */
  addValue(value: string): void {
    if (value === '' || this.#originals.has(value)) return
    const forms = Object.values(valueEncoders).map(encode => encode(value))
    this.#originals.add(value)
    for (const form of [value, ...forms]) if (form !== '') this.#values.add(form)
  }

  /**
   * The command `add-mask`, by its data: the text and each line of it, trimmed; nothing for blank data
   * (ActionCommandManager.cs, AddMaskCommandExtension).
   * @returns whether the runner accepted it: a text that makes it fail also fails the step
   */
  addMask(data: string): boolean {
    if (data.trim() === '') return true
    try {
      this.addValue(data)
      for (const line of data.split(/[\r\n]/)) this.addValue(line.trim())
      return true
    } catch {
      return false
    }
  }

  /** The text with every hidden part replaced by `***`. */
  mask(input: string): string {
    const positions = [...this.#values].flatMap(value => [...positionsOf(value, input)])
    let masked = ''
    let from = 0
    for (const { start, end } of mergePositions(positions)) {
      masked += `${input.slice(from, start)}***`
      from = end
    }
    return masked + input.slice(from)
  }
}
