import { createHash } from 'node:crypto'
import { readToken } from '#contents/sql/token'
import type { MeasuredStatement } from './stored.ts'

/** The most characters that are shown of a statement. */
const longest = 120

/** Statements about rows: a number in them may be the value of one. */
const aboutRows = /^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|COPY|CALL|DO|EXECUTE|WITH|VALUES)$/i

/** The tokens of a text, blanks and comments as one blank each. */
function* readTokens(sql: string): Generator<{ text: string; kind: string }> {
  for (let at = 0; at < sql.length; ) {
    const { kind, end } = readToken(sql, at)
    yield { kind, text: kind === 'blank' ? ' ' : sql.slice(at, end) }
    at = end
  }
}

/** The same for texts that differ in nothing but blanks, comments and a semicolon at the end. */
export function essenceOf(sql: string): string {
  const tokens = [...readTokens(sql)].filter(({ kind }) => kind !== 'blank').map(({ text }) => text)
  return tokens.slice(0, tokens.findLastIndex(text => text !== ';') + 1).join(' ')
}

/** The first words of a statement, with no value in it: strings never, numbers only where they are about the schema. */
export function shorten(sql: string): string {
  const tokens = [...readTokens(sql)]
  const isAboutRows = aboutRows.test(tokens.find(({ kind }) => kind !== 'blank')?.text ?? '')
  const shown = tokens.map(({ kind, text }) => {
    if (kind !== 'other' || text.startsWith('"')) return text
    return /^\d/.test(text) && !isAboutRows ? text : '…'
  })
  const text = shown
    .join('')
    .replace(/…(?:\.?…)+/g, '…')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ ?;$/, '')
  return text.length <= longest ? text : `${text.slice(0, longest - 1).trimEnd()}…`
}

/** Of what was run; the same for what does the same. */
export const hashOf = (statements: readonly string[]): string =>
  createHash('sha256').update(statements.map(essenceOf).join(';\n')).digest('hex')

/** Of a statement in its file; the same when it runs again. */
export const idOf = (sql: string, { place }: Pick<MeasuredStatement, 'place'>): string =>
  hashOf([place?.file ?? '', sql]).slice(0, 16)

/** Statements that only read, and the empty ones with which clients keep a connection alive. */
const reading = /^(?:$|(?:SELECT|TABLE|VALUES)\b)/i

/** Migration tools send these in each run, to have a table of their own. */
const ensuring = /^CREATE\b.*\bIF NOT EXISTS\b/i

const isNoticed = ({ locks, rewrites, rows, failure }: MeasuredStatement) =>
  failure !== undefined || locks.length + rewrites.length + rows.length > 0

/** Whether a statement only read. */
export const isRead = (statement: MeasuredStatement): boolean =>
  reading.test(statement.text) && !isNoticed(statement)

/** Whether a migration tool only read with a statement: it is in no file, and keeps nobody waiting. */
export const isReadByTool = ({ text, place, failure, rewrites, rows, locks }: MeasuredStatement): boolean =>
  reading.test(text) &&
  place === undefined &&
  failure === undefined &&
  rewrites.length + rows.length === 0 &&
  locks.every(({ blocks }) => blocks.length === 0)

/** Whether a statement surely was a part of a migration. */
export const isChange = (statement: MeasuredStatement): boolean =>
  isNoticed(statement) || !(reading.test(statement.text) || ensuring.test(statement.text))
