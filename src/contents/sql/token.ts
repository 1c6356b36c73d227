/** Reads the tokens of SQL. */

/** A token as the server reads it with `standard_conforming_strings`, the default (PostgreSQL, parser/scan.l). */
interface Token {
  /** `blank`: whitespace or a comment. `other`: a string, a quoted name or a number. */
  kind: 'blank' | 'word' | 'punctuation' | 'other'
  /** The offset after its last character. */
  end: number
}

/** Every character outside ASCII counts as a letter, even a space. */
const blank = /[ \t\n\r\f\v]+/y
const lineComment = /--[^\n\r]*/y
const word = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y
const number = /\d[\w$\u0080-\uffff]*/y
const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y
const commentMark = /\/\*|\*\//g
const quoteOrBackslash = /['\\]/g

/** Whitespace with a line break, then a quote: it continues the string before it, with the same syntax. */
const continuation = /(?:[ \t\f\v]|--[^\n\r]*(?=[\n\r]))*[\n\r](?:[ \t\n\r\f\v]|--[^\n\r]*[\n\r])*'/y

/** The end of a match that begins at `at`, or -1. */
function endOfMatch(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at
  return expression.test(text) ? expression.lastIndex : -1
}

/** The offset after the next `mark`. Without one, the end of the text: the server then reports the open string. */
function endAfter(mark: string, text: string, at: number): number {
  const found = text.indexOf(mark, at)
  return found < 0 ? text.length : found + mark.length
}

/** The end of a string with the prefix `E`, in which a backslash escapes the next character. */
function endOfEscaped(text: string, at: number): number {
  let next = at
  for (;;) {
    const end = endOfMatch(quoteOrBackslash, text, next)
    if (end < 0) return text.length
    const isBackslash = text[end - 1] === '\\'
    const isDoubledQuote = text[end] === "'"
    if (isBackslash || isDoubledQuote) {
      next = end + 1
      continue
    }
    const continued = endOfMatch(continuation, text, end)
    if (continued < 0) return end
    next = continued
  }
}

/** Reads a comment. Comments nest. An unclosed comment is no whitespace, because the server must refuse it. */
function readComment(text: string, at: number): Token {
  let depth = 1
  commentMark.lastIndex = at + 2
  while (depth > 0) {
    const mark = commentMark.exec(text)
    if (mark === null) return { kind: 'other', end: text.length }
    depth += mark[0] === '/*' ? 1 : -1
  }
  return { kind: 'blank', end: commentMark.lastIndex }
}

function readDollar(text: string, at: number): Token {
  const end = endOfMatch(dollarTag, text, at)
  return { kind: 'other', end: end < 0 ? at + 1 : endAfter(text.slice(at, end), text, end) }
}

function readWord(text: string, at: number): Token | undefined {
  const end = endOfMatch(word, text, at)
  if (end < 0) return undefined
  const isEscaped = end === at + 1 && /[eE]/.test(text.charAt(at)) && text[end] === "'"
  return isEscaped ? { kind: 'other', end: endOfEscaped(text, end + 1) } : { kind: 'word', end }
}

/** Reads the token at `at`, which must be within the text. Punctuation is one character, such as `;` or `(`. */
function readToken(text: string, at: number): Token {
  const first = text.charAt(at)
  // A doubled quote closes the string and opens the next one, so both end where the whole string does.
  if (first === "'" || first === '"') return { kind: 'other', end: endAfter(first, text, at + 1) }
  if (first === '$') return readDollar(text, at)
  if (text.startsWith('/*', at)) return readComment(text, at)
  const read = readWord(text, at)
  if (read) return read
  const blankEnd = Math.max(endOfMatch(blank, text, at), endOfMatch(lineComment, text, at))
  if (blankEnd >= 0) return { kind: 'blank', end: blankEnd }
  const numberEnd = endOfMatch(number, text, at)
  return numberEnd >= 0 ? { kind: 'other', end: numberEnd } : { kind: 'punctuation', end: at + 1 }
}

/** A token with its start and its text. */
export interface ReadToken extends Token {
  at: number
  text: string
}

/** All tokens of a text in order. */
export function* readTokens(sql: string): Generator<ReadToken> {
  for (let at = 0; at < sql.length; ) {
    const token = readToken(sql, at)
    yield { ...token, at, text: sql.slice(at, token.end) }
    at = token.end
  }
}
