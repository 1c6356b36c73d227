import type { Secrets } from './secrets.ts'

/** The length at which a line is cut: a hostile server could fill the log. */
const longestLine = 4000

/**
 * An expression that asks what Unicode says of a character. Node.js takes a millisecond to make one, even to read past
 * it, so each is made only when a text that is not plain comes.
 */
function made(source: string, flags: string): () => RegExp {
  let expression: RegExp | undefined
  return () => {
    expression ??= new RegExp(source, flags)
    return expression
  }
}

/** Nothing but visible ASCII and spaces, which is all of nearly all texts. */
const isPlain = (text: string) => /^[ -~]*$/.test(text)

const breaks = made('[\\p{Cc}\\p{Zl}\\p{Zp}]+', 'gu')
/** Bidirectional, private-use and other invisible characters disguise what a text says; some count as letters. */
const disguises = made('[\\p{Cf}\\p{Co}\\p{DI}]', 'gu')
const controlOrIgnorable = made('[\\p{Cc}\\p{DI}]', 'u')

/** Control characters, and those that no font shows. */
export const hasInvisible = (text: string) => !isPlain(text) && controlOrIgnorable().test(text)

/**
 * Makes a text from anywhere one harmless line, of any length. The runner reads commands from what is printed:
 * `::` at the start of a line, `##[` anywhere in it (actions/runner, ActionCommand.cs).
 */
function harmlessLine(text: string): string {
  const visible = isPlain(text) ? text : text.replace(breaks(), ' ').replace(disguises(), '')
  return visible.replaceAll('##[', '## [').replace(/^\s*::/, ': :')
}

const cutLine = (line: string) => (line.length > longestLine ? `${line.slice(0, longestLine)}… (cut)` : line)

/** Any text as one line that does no harm in the log. */
export function plainLine(text: string): string {
  return cutLine(harmlessLine(text))
}

/**
 * Like `plainLine`, without secrets. They are removed twice: removing invisible characters may join two halves of a
 * secret, and cutting must not leave half of one.
 */
export function plainLineWithout(secrets: Secrets, text: string): string {
  const redacted = secrets.redact(text)
  const line = harmlessLine(redacted)
  return cutLine(line === redacted ? line : secrets.redact(line))
}

/** Characters that a shell may act on, and invisible ones. The first expression is for plain texts only. */
const notInertAscii = /[^A-Za-z0-9 _.,:@/+=%-]/g
const notInert = made('[^[\\p{L}\\p{N} _.,:@\\/+=%\\-]--\\p{DI}]', 'gv')

/** A server's text as an output that may be pasted into a script: all that a shell could act on becomes `_`. */
export function shellInert(text: string): string {
  return text.replace(isPlain(text) ? notInertAscii : notInert(), '_')
}

/** What a shell, of Windows too, may act on where a text stands in quotes or alone, beside the ends of lines. */
const active = /["$&'();<>\\`|!]/g

/** From such a character to its look-alike of full width (Unicode, "Halfwidth and Fullwidth Forms"). */
const toFullWidth = 0xfee0

/** One line of a server's text that people read, as a part of an output that may be pasted into a script. */
export function inertLine(text: string): string {
  return plainLine(text).replace(active, char => String.fromCharCode(char.charCodeAt(0) + toFullWidth))
}

/** Like `notInert`, for texts that stand within single quotes. */
const notQuotedAscii = /['`$<>&!#]/g
const notQuoted = made("['`$<>&!#\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{DI}]", 'gu')

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * JSON that parses to the same value, but whose strings hold nothing that a shell acts on within single quotes, nothing
 * invisible, and nothing that the runner takes for a command when it is printed.
 */
export function inertJson(value: unknown): string {
  const json = JSON.stringify(value) ?? ''
  return json.replace(isPlain(json) ? notQuotedAscii : notQuoted(), char =>
    char.split('').map(escapeUnit).join(''),
  )
}
