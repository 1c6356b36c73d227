/** Makes texts safe in the log and in scripts. */
import type { Secrets } from './secrets.ts'

/** Upper limit for a line, in characters: a hostile server could fill the log. */
const longestLine = 4000

/**
 * Compiles a regular expression with Unicode properties on first use. Node.js needs a millisecond for each,
 * so texts in plain ASCII avoid them.
 */
function compileOnce(source: string, flags: string): () => RegExp {
  let expression: RegExp | undefined
  return () => {
    expression ??= new RegExp(source, flags)
    return expression
  }
}

/** Whether a text has only visible ASCII and spaces, like nearly all texts. */
const isPlain = (text: string) => /^[ -~]*$/.test(text)

const breaks = compileOnce('[\\p{Cc}\\p{Zl}\\p{Zp}]+', 'gu')
/** Bidirectional, private-use and other invisible characters disguise a text; some count as letters. */
const disguises = compileOnce('[\\p{Cf}\\p{Co}\\p{DI}]', 'gu')
const controlOrIgnorable = compileOnce('[\\p{Cc}\\p{DI}]', 'u')

/** Whether a text has control characters or characters without a glyph. */
export const hasInvisible = (text: string) => !isPlain(text) && controlOrIgnorable().test(text)

/**
 * Turns any text into one safe line, of any length. The runner reads commands from the output: `::` at the
 * start of a line, `##[` anywhere in it (actions/runner, ActionCommand.cs).
 */
function harmlessLine(text: string): string {
  const visible = isPlain(text) ? text : text.replace(breaks(), ' ').replace(disguises(), '')
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

/** Characters with a meaning in a shell, and invisible ones. `notInertAscii` is for plain texts only. */
const notInertAscii = /[^A-Za-z0-9 _.,:@/+=%-]/g
const notInert = compileOnce('[^[\\p{L}\\p{N} _.,:@\\/+=%\\-]--\\p{DI}]', 'gv')

/** Makes a server's text safe in a script: replaces every character with a meaning in a shell by `_`. */
export function shellInert(text: string): string {
  return text.replace(isPlain(text) ? notInertAscii : notInert(), '_')
}

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

/** Like `notInert`, for texts in single quotes. */
const notQuotedAscii = /['`$<>&!#]/g
const notQuoted = compileOnce("['`$<>&!#\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{DI}]", 'gu')

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * JSON that parses to the same value, but is safe in single quotes in a shell, has nothing invisible, and is
 * no command of the runner when printed.
 */
export function inertJson(value: unknown): string {
  const json = JSON.stringify(value) ?? ''
  return json.replace(isPlain(json) ? notQuotedAscii : notQuoted(), char =>
    char.split('').map(escapeUnit).join(''),
  )
}
