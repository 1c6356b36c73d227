/** Splits SQL into statements in the same way as the server's parser. */
import { type Place, SqlError, type SqlFile } from './sql-error.ts'
import { type ReadToken, readTokens } from './token.ts'

export interface Statement extends Place {
  /** From its first token to its last, without surrounding comments and without the semicolon. */
  text: string
  /** Its start in the text, in UTF-16 units. */
  offset: number
  /** Its first unquoted words, in capitals: `CREATE`, `UNIQUE`, `INDEX`. */
  words: string[]
}

/** The place at `offset`, counted from an earlier place. */
function placeFrom(text: string, from: Place & { offset: number }, offset: number): Place {
  const between = text.slice(from.offset, offset)
  const lines = between.split('\n')
  const charactersInLine = [...(lines.at(-1) ?? '')].length
  return lines.length === 1
    ? { line: from.line, column: from.column + charactersInLine }
    : { line: from.line + lines.length - 1, column: charactersInLine + 1 }
}

export const placeOf = (text: string, offset: number): Place =>
  placeFrom(text, { line: 1, column: 1, offset: 0 }, offset)

/** True for a statement that ends its transaction. ROLLBACK TO a savepoint does not. */
export const endsTransaction = (sql: string): boolean =>
  /^\s*(?:COMMIT|END|ABORT|PREPARE\s+TRANSACTION|ROLLBACK(?!\s+(?:(?:WORK|TRANSACTION)\s+)?TO\b))\b/i.test(
    sql,
  )

/** True for a statement without a lock that blocks reads or writes. Its locks can be read later. */
export const isNonBlocking = (sql: string) =>
  /^\s*(?:ABORT|BEGIN|CLOSE|COMMIT|COPY|DEALLOCATE|DECLARE|DELETE|DISCARD|END|EXPLAIN|FETCH|INSERT|LISTEN|MERGE|MOVE|NOTIFY|PREPARE|RELEASE|RESET|SAVEPOINT|SELECT|SET|SHOW|START|UNLISTEN|UPDATE|VALUES|WITH)\b/i.test(
    sql,
  )

/** True if a statement only controls transactions or the settings of the session. */
export const isSessionControl = (sql: string) =>
  /^\s*(?:ABORT|BEGIN|COMMIT|DEALLOCATE|DISCARD|END|RELEASE|RESET|ROLLBACK|SAVEPOINT|SET|SHOW|START)\b/i.test(
    sql,
  )

/** The most words of a statement that are stored. Enough to distinguish statements: `CREATE OR REPLACE FUNCTION`. */
const mostWords = 4

const createsRoutine = (words: string[]) =>
  /^CREATE (?:OR REPLACE )?(?:FUNCTION|PROCEDURE)\b/.test(words.join(' '))

/** A statement while its tokens are read. */
class StatementReader {
  readonly offset: number
  readonly words: string[] = []
  end = 0
  /** True for COPY from or to the client. */
  isClientCopy = false
  /** The first words of the innermost statement, such as one in the body of a function. */
  #innerWords: string[] = this.words
  #isBeginning = true
  #previous = ''
  #parentheses = 0
  /** Open bodies of SQL functions, `BEGIN ATOMIC … END`. */
  #bodies = 0

  constructor(offset: number) {
    this.offset = offset
  }

  /** Adds a token. True for the semicolon at the end of the statement. */
  take({ kind, text, end }: ReadToken): boolean {
    if (text === ';' && this.#parentheses === 0) {
      if (this.#bodies === 0) return true
      this.#begin()
    } else if (kind === 'word') this.#takeWord(text.toUpperCase())
    else this.#takeOther(text)
    this.end = end
    return false
  }

  #begin(): void {
    this.#innerWords = []
    this.#isBeginning = true
    this.#previous = ''
  }

  #takeOther(token: string): void {
    if (token === '(') this.#parentheses++
    if (token === ')') this.#parentheses = Math.max(0, this.#parentheses - 1)
    this.#isBeginning = false
    this.#previous = ''
  }

  #takeWord(word: string): void {
    const previous = this.#previous
    this.#previous = word
    // Each statement of a body ends with a semicolon, so an END after one closes the body, and not a CASE.
    if (this.#bodies > 0 && this.#isBeginning && this.#innerWords.length === 0 && word === 'END')
      this.#bodies--
    if (this.#isBeginning && this.#innerWords.length < mostWords) this.#innerWords.push(word)
    if (this.#parentheses > 0) return
    if (previous === 'BEGIN' && word === 'ATOMIC' && createsRoutine(this.#innerWords)) {
      this.#bodies++
      this.#begin()
    }
    // The server accepts either word in either direction.
    const isCopy = this.words[0] === 'COPY' && /^(?:FROM|TO)$/.test(previous)
    if (isCopy && /^STD(?:IN|OUT)$/.test(word)) this.isClientCopy = true
  }
}

/** Tokens between two pauses: less than 0.1 s. */
const tokensAtOnce = 50_000

/** As `splitStatements`, but yields undefined after each `tokensAtOnce` tokens, so that the caller can pause. */
export function* readStatements(
  file: SqlFile,
  { withClient = false } = {},
): Generator<Statement | undefined> {
  const { text } = file
  let tokens = 0
  /** The start of the last statement, from which the place of the next one is counted. */
  let from = { line: 1, column: 1, offset: 0 }
  let reader: StatementReader | undefined
  const finish = ({ offset, end, words, isClientCopy }: StatementReader): Statement => {
    from = { ...placeFrom(text, from, offset), offset }
    if (isClientCopy && !withClient)
      throw new SqlError(
        file,
        from,
        'COPY FROM STDIN and COPY TO STDOUT cannot be run: they need a client that sends or takes the rows',
        'write INSERT in its place (pg_dump does with --inserts), or run this file with psql',
      )
    return { text: text.slice(offset, end), words, ...from }
  }
  for (const token of readTokens(text)) {
    if (token.text === '\\') {
      const [command] = /^\\\w{0,20}/.exec(text.slice(token.at, token.at + 21)) ?? []
      throw new SqlError(
        file,
        placeFrom(text, from, token.at),
        `${command} is a command of psql, not SQL`,
        'remove it, or run this file with psql',
      )
    }
    // A semicolon alone is no statement.
    if (token.kind !== 'blank' && (reader !== undefined || token.text !== ';')) {
      reader ??= new StatementReader(token.at)
      if (reader.take(token)) {
        yield finish(reader)
        reader = undefined
      }
    }
    tokens++
    if (tokens % tokensAtOnce === 0) yield undefined
  }
  if (reader !== undefined) yield finish(reader)
}

/**
 * Splits a text into statements as the server's parser does. An unclosed string or comment belongs to the last
 * statement, which the server then refuses.
 * @throws SqlError for commands of psql and for COPY from or to the client (unless `withClient`)
 */
export const splitStatements = (file: SqlFile, options: { withClient?: boolean } = {}): Statement[] =>
  [...readStatements(file, options)].filter(statement => statement !== undefined)

/** As `splitStatements`; undefined for a text that it refuses. */
export function trySplit(...given: Parameters<typeof splitStatements>): Statement[] | undefined {
  try {
    return splitStatements(...given)
  } catch (error) {
    if (error instanceof SqlError) return undefined
    throw error
  }
}
