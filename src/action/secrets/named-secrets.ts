/** Finds secrets by the name before them, or by their place in a URL. */
import { mentionsSecret } from '#base/secret-names'

/** A secret that the text before it identifies: `"password": "…"`, `token=…`, `user:…@host`. */
export interface NamedSecret {
  start: number
  end: number
  value: string
  name: string
}

/** A quick first check, which excludes nearly all texts without a secret. */
const quickCheck = /pass|pwd|secret|token|credential|key|connection|:\\*\//i

/**
 * A name, quoted or not, and the sign before its value: `=`, `=>`, `:` or, as in SQL, a blank. The quotes of
 * JSON within JSON have backslashes before them.
 */
const lead = /(?<![\w-])([\w-]{1,64})(?![\w-])(\\*["'])?(?:\s*(=>?|:)\s*|\s+(?=[Ee]?'))/g
const quote = /(\\*)(["'])/y
const endOfBare = /[\s"]|$/g
const digits = /-?\d[\d.]*/y

/** With only a blank between name and value, as in SQL, the name must be a word for a password. */
const isWordOfSql = (name: string) => /^(?:password|passwd|passphrase|pwd)$/i.test(name)

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(text)
}

/** Unescapes JSON, once more for each level of JSON within JSON. Other text stays unchanged. */
function undoEscapes(raw: string, depth: number): string {
  try {
    let text = raw
    for (let level = 0; level <= depth; level++) text = String(JSON.parse(`"${text}"`))
    return text
  } catch {
    return raw
  }
}

function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The end of a quoted text. In JSON within JSON, the closing quote has `escapes` backslashes before it, and each
 * backslash of the text itself is written as 2 × `escapes` + 2 of them. So the remainder of a run of backslashes shows
 * whether the quote after it is the closing one. A text without a closing quote was cut off, and ends with the whole.
 */
function endOfQuoted(text: string, from: number, mark: string, escapes: number): number {
  const unit = 2 * (escapes + 1)
  for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1)) {
    let start = at
    while (start > from && text[start - 1] === '\\') start--
    const run = at - start
    if (run % unit === escapes || run < escapes) return at - Math.min(run, escapes)
  }
  return text.length
}

/** In SQL a quote inside a text is doubled, and a backslash has no special meaning. */
function endOfSql(text: string, from: number): number {
  let at = text.indexOf("'", from)
  while (at >= 0 && text[at + 1] === "'") at = text.indexOf("'", at + 2)
  return at < 0 ? text.length : at
}

type SecretValue = Omit<NamedSecret, 'name'>

function readQuoted(
  text: string,
  [opening, backslashes = '', mark]: RegExpExecArray,
  from: number,
): SecretValue {
  const start = from + opening.length
  if (mark === "'") {
    const end = endOfSql(text, start)
    return { start, end, value: text.slice(start, end).replaceAll("''", "'") }
  }
  const end = endOfQuoted(text, start, '"', backslashes.length)
  return { start, end, value: undoEscapes(text.slice(start, end), Math.log2(backslashes.length + 1)) }
}

/** Characters that end a value in a query, a connection string or a page. */
const separator = /[&;<]/
/** Punctuation after a value. The lookbehind prevents repeated searches in a long run of it. */
const punctuation = /(?<![),.:\]}'])[),.:\]}']+$/

/** A value without quotes. Everything up to the next blank is hidden, since more may belong to the secret. */
function readBare(text: string, start: number): SecretValue {
  let end = matchAt(endOfBare, text, start)?.index ?? text.length
  // A backslash before a quote escapes it, so it does not belong to the value.
  while (end > start && text[end] === '"' && text[end - 1] === '\\') end--
  const [value = ''] = text.slice(start, end).split(separator, 1)
  return { start, end, value: decodePercents(value.replace(punctuation, '')) }
}

function readValue(text: string, from: number, match: RegExpExecArray): SecretValue | undefined {
  const [, name = '', closing, sign] = match
  if (sign === undefined && !isWordOfSql(name)) return undefined
  const at = sign === undefined && /e/i.test(text[from] ?? '') ? from + 1 : from
  const opening = matchAt(quote, text, at)
  if (opening) return readQuoted(text, opening, at)
  if (sign === '=' || sign === '=>') return readBare(text, from)
  // Bare text after a colon is no value: `password: too short` is a sentence. A number after a quoted name is JSON.
  const number = closing && matchAt(digits, text, from)
  return number ? { start: from, end: from + number[0].length, value: number[0] } : undefined
}

function findAfterNames(text: string): NamedSecret[] {
  const found: NamedSecret[] = []
  let next = 0
  for (;;) {
    const match = matchAt(lead, text, next)
    if (!match) return found
    const [whole, name = ''] = match
    next = match.index + whole.length
    if (!mentionsSecret(name)) continue
    const value = readValue(text, next, match)
    if (value === undefined || value.end === value.start) continue
    found.push({ ...value, name })
    next = value.end
  }
}

const scheme = /:(?:\\*\/){2}/g
const endOfUrl = /[\s"<>`]/
const pathOrQuery = /[/?#]/

/** The length of the text before `@` and the host, or -1. A password may contain characters that should be encoded. */
function lengthOfUserInfo(url: string): number {
  const path = url.search(pathOrQuery)
  const authority = path < 0 ? url : url.slice(0, path)
  const inAuthority = authority.lastIndexOf('@')
  const isHost = inAuthority < 0 && /^[^:]*(?::\d*)?$/.test(authority)
  return isHost ? -1 : Math.max(inAuthority, inAuthority < 0 ? url.lastIndexOf('@') : -1)
}

function findInUrls(text: string): NamedSecret[] {
  const starts = [...text.matchAll(scheme)]
  return starts.flatMap(({ index, 0: { length } }, number) => {
    const start = index + length
    const [url = ''] = text.slice(start, starts[number + 1]?.index).split(endOfUrl, 1)
    const userInfo = url.slice(0, Math.max(0, lengthOfUserInfo(url)))
    const colon = userInfo.indexOf(':')
    if (colon < 0 || colon === userInfo.length - 1) return []
    const value = decodePercents(userInfo.slice(colon + 1))
    return [{ start: start + colon + 1, end: start + userInfo.length, value, name: 'password' }]
  })
}

/** The secrets in a text that a name or their place in a URL identifies, in order. */
export function findNamedSecrets(text: string): NamedSecret[] {
  if (!quickCheck.test(text)) return []
  return [...findAfterNames(text), ...findInUrls(text)].sort((one, other) => one.start - other.start)
}

/** Replaces each secret that a name or its place in a URL identifies with `***`. */
export function hideNamedSecrets(text: string): string {
  let shown = ''
  let next = 0
  for (const { start, end } of findNamedSecrets(text)) {
    // An earlier value contains this secret, and is already hidden.
    if (start < next) continue
    shown += `${text.slice(next, start)}***`
    next = end
  }
  return shown + text.slice(next)
}
