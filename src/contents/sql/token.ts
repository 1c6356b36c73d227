/**
 * One token of SQL, as the server's own scanner reads it with `standard_conforming_strings` on, its default
 * (PostgreSQL, src/backend/parser/scan.l). Of most tokens only the end matters here.
 */
export interface Token {
  kind: 'blank' | 'word' | 'sign' | 'other'
  /** Behind its last character. */
  end: number
}

/** All that is not ASCII counts as a letter, even what looks like a blank. */
const blank = /[ \t\n\r\f\v]+/y
const lineComment = /--[^\n\r]*/y
const word = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y
const number = /\d[\w$\u0080-\uffff]*/y
const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y
const commentMark = /\/\*|\*\//g
const quoteOrBackslash = /['\\]/g

/** Blanks with a line break among them, and a quote: a string goes on there, in the way in which it began. */
const continuation = /(?:[ \t\f\v]|--[^\n\r]*(?=[\n\r]))*[\n\r](?:[ \t\n\r\f\v]|--[^\n\r]*[\n\r])*'/y

/** Where a match that begins at `at` ends, or -1. */
function endOfMatch(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at
  return expression.test(text) ? expression.lastIndex : -1
}

/** Behind the first `mark` from `at` on, or the end of the text: the server then says what is not closed. */
function behind(mark: string, text: string, at: number): number {
  const found = text.indexOf(mark, at)
  return found < 0 ? text.length : found + mark.length
}

/** Of a string with `E` before it, where a backslash takes the next character's meaning away. */
function endOfEscaped(text: string, at: number): number {
  let next = at
  for (;;) {
    const found = endOfMatch(quoteOrBackslash, text, next)
    if (found < 0) return text.length
    next = found + 1
    if (text[found - 1] === '\\' || text[found] === "'") continue
    const continued = endOfMatch(continuation, text, found)
    if (continued < 0) return found
    next = continued
  }
}

/** Comments nest. One that is not closed is no blank: the server has to refuse it. */
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
  return { kind: 'other', end: end < 0 ? at + 1 : behind(text.slice(at, end), text, end) }
}

function readWord(text: string, at: number): Token | undefined {
  const end = endOfMatch(word, text, at)
  if (end < 0) return undefined
  const isEscaped = end === at + 1 && /[eE]/.test(text.charAt(at)) && text[end] === "'"
  return isEscaped ? { kind: 'other', end: endOfEscaped(text, end + 1) } : { kind: 'word', end }
}

/** The token that begins at `at`, which is within the text. A sign is one character, such as `;` or `(`. */
export function readToken(text: string, at: number): Token {
  const first = text.charAt(at)
  // A doubled quote within closes what it is in and opens the rest, which ends where the whole does.
  if (first === "'" || first === '"') return { kind: 'other', end: behind(first, text, at + 1) }
  if (first === '$') return readDollar(text, at)
  if (text.startsWith('/*', at)) return readComment(text, at)
  const blankEnd = Math.max(endOfMatch(blank, text, at), endOfMatch(lineComment, text, at))
  if (blankEnd >= 0) return { kind: 'blank', end: blankEnd }
  const numberEnd = endOfMatch(number, text, at)
  if (numberEnd >= 0) return { kind: 'other', end: numberEnd }
  return readWord(text, at) ?? { kind: 'sign', end: at + 1 }
}
