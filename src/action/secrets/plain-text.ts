/** Makes texts safe in the log and in scripts. */
import type { Secrets } from './secrets.ts'

/** Upper limit for a line, in characters: a hostile server could fill the log. */
const longestLine = 4000

/**
 * Whether a text has only visible ASCII and spaces, like nearly all texts. For these, Node.js compiles no regular
 * expression with Unicode properties, which takes up to a millisecond.
 */
const isPlain = (text: string) => /^[ -~]*$/.test(text)

/** Whether a text has control characters or characters without a glyph. */
export const hasInvisible = (text: string) => !isPlain(text) && /[\p{Cc}\p{DI}]/u.test(text)

const withoutBreaks = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

/** Removes bidirectional, private-use and other invisible characters, which disguise a text; some count as letters. */
const withoutDisguises = (text: string) => text.replace(/[\p{Cf}\p{Co}\p{DI}]/gu, '')

/**
 * Turns any text into one safe line, of any length. The runner reads commands from the output: `::` at the
 * start of a line, `##[` anywhere in it (actions/runner, ActionCommand.cs).
 */
function harmlessLine(text: string): string {
  const visible = isPlain(text) ? text : withoutDisguises(withoutBreaks(text))
  return visible.replaceAll('##[', '## [').replace(/^\s*::/, ': :')
}

const cutLine = (line: string) => (line.length > longestLine ? `${line.slice(0, longestLine)}… (cut)` : line)

/** Turns any text into one safe line of limited length. */
export function plainLine(text: string): string {
  return cutLine(harmlessLine(text))
}

/**
 * Like `plainLine`, without secrets. They are removed twice, since removing invisible characters may join two halves
 * of a secret. Both times precede the cut, which could leave half of one.
 */
export function plainLineWithout(secrets: Secrets, text: string): string {
  const redacted = secrets.redact(text)
  const line = harmlessLine(redacted)
  return cutLine(line === redacted ? line : secrets.redact(line))
}

/** Makes a server's text safe in a script: replaces every character with a meaning in a shell by `_`. */
export const shellInert = (text: string) =>
  isPlain(text)
    ? text.replace(/[^A-Za-z0-9 _.,:@/+=%-]/g, '_')
    : text.replace(/[^[\p{L}\p{N} _.,:@\/+=%\-]--\p{DI}]/gv, '_')

/** Characters with a meaning in a shell, also on Windows, in quotes or without. */
const shellCharacters = /["$&'();<>\\`|!]/g

/** Distance from such a character to its fullwidth form (Unicode, "Halfwidth and Fullwidth Forms"). */
const toFullWidth = 0xfee0

/** One line of a server's text for readers, safe in a script. */
export function inertLine(text: string): string {
  return plainLine(text).replace(shellCharacters, char =>
    String.fromCharCode(char.charCodeAt(0) + toFullWidth),
  )
}

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
const escapeUnits = (char: string) => char.split('').map(escapeUnit).join('')

/** JSON of the same value that is safe in single quotes in a shell, fully visible, and no command of the runner. */
export function inertJson(value: unknown): string {
  const json = JSON.stringify(value) ?? ''
  return isPlain(json)
    ? json.replace(/['`$<>&!]|#(?=#)/g, escapeUnits)
    : json.replace(/['`$<>&!\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]|#(?=#)/gu, escapeUnits)
}
