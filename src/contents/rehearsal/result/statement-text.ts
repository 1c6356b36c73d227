/** Shortens, hashes and classifies the text of statements. */
import { hash } from 'node:crypto'
import { readTokens } from '#contents/sql/token'
import type { MeasuredStatement } from './stored.ts'

/** The most characters of a shortened statement. */
const longest = 120

/** Matches the first word of statements about rows. In these, a number may be the value of a row. */
const rowStatement = /^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|COPY|CALL|DO|EXECUTE|WITH|VALUES)$/i

/** Equal for texts that differ only in whitespace, comments and a final semicolon. */
export function essenceOf(sql: string): string {
  const tokens = [...readTokens(sql)].filter(({ kind }) => kind !== 'blank').map(({ text }) => text)
  return tokens.slice(0, tokens.findLastIndex(text => text !== ';') + 1).join(' ')
}

/** The first words of a statement without values: no strings, and numbers only in statements about the schema. */
export function shorten(sql: string): string {
  const tokens = [...readTokens(sql)]
  const isAboutRows = rowStatement.test(tokens.find(({ kind }) => kind !== 'blank')?.text ?? '')
  const shown = tokens.map(({ kind, text }) => {
    if (kind === 'blank') return ' '
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

/** The hash of statements, equal for texts with the same tokens. */
export const hashOf = (statements: readonly string[]): string =>
  hash('sha256', statements.map(essenceOf).join(';\n'))

/** Identifies a statement in its file. The id stays the same when the statement runs again. */
export const idOf = (sql: string, { place }: Pick<MeasuredStatement, 'place'>): string =>
  hashOf([place?.file ?? '', sql]).slice(0, 16)

/** Matches statements that only read. Clients send empty ones to keep a connection open. */
const readPattern = /^(?:$|(?:SELECT|TABLE|VALUES)\b)/i

/** Matches statements that migration tools send in each run for their own tables. */
const ensurePattern = /^CREATE\b.*\bIF NOT EXISTS\b/i

/** True if a statement has an error, or took locks, rewrote a table or changed rows. */
const hasEffect = ({ locks, rewrites, rows, failure }: MeasuredStatement) =>
  failure !== undefined || locks.length + rewrites.length + rows.length > 0

/** True if a statement only read, and took no lock. */
export const isRead = (statement: MeasuredStatement): boolean =>
  readPattern.test(statement.text) && !hasEffect(statement)

/** True if a statement is certainly part of a migration. */
export const isChange = (statement: MeasuredStatement): boolean =>
  hasEffect(statement) || !(readPattern.test(statement.text) || ensurePattern.test(statement.text))
