import { type Statement, splitStatements } from '#contents/sql/split-statements'
import { SqlError } from '#contents/sql/sql-error'

/**
 * How a statement is looked at. `measured`: outside a transaction it is put into one of its own. `alone`: it may need to be
 * outside of one, or means something else there. `steers`: it takes no snapshot, and a census behind it would: then the
 * isolation of the transaction could not be set any more.
 */
export type Kind = 'measured' | 'alone' | 'steers'

/** What has to be known of a statement. */
export interface SqlStatement {
  sql: string
  kind: Kind
  /** What it does to the transaction: begins one, ends it, or moves within it. */
  control: 'begins' | 'ends' | 'within' | undefined
  /** The client sends or takes rows, so nothing may be sent behind it before they are through. */
  copies: boolean
  /** It forgets prepared statements, the census too. */
  forgets: boolean
}

/** A statement of a message that may have several. */
export interface Part extends SqlStatement {
  bytes: Buffer
  /** How many characters stand before it in the message. */
  before: number
}

/** Statements that work the same within a transaction, or say that they cannot run in one before they do anything. */
const measured =
  /^(?:ALTER|CLUSTER|COMMENT|COPY|CREATE|DELETE|DO|DROP|EXECUTE|EXPLAIN|GRANT|IMPORT|INSERT|MERGE|REASSIGN|REFRESH|REINDEX|REVOKE|SECURITY|SELECT|TABLE|TRUNCATE|UPDATE|VALUES|WITH)\b/

/** Statements without a snapshot (PostgreSQL, PlannedStmtRequiresSnapshot), and those that only read a cursor. */
const steering =
  /^(?:ABORT|BEGIN|CHECKPOINT|CLOSE|COMMIT|DEALLOCATE|DISCARD|END|FETCH|LISTEN|LOAD|MOVE|NOTIFY|PREPARE|RELEASE|RESET|ROLLBACK|SAVEPOINT|SET|SHOW|START|UNLISTEN)\b/

const within = /^(?:SAVEPOINT|RELEASE|ROLLBACK (?:(?:WORK|TRANSACTION) )?TO)\b/
const begins = /^(?:BEGIN|START)\b/
const ends = /^(?:COMMIT|END|ABORT|ROLLBACK|PREPARE TRANSACTION)\b/

/** A DO with one of these words may end transactions. */
const endsTransactions = /\b(?:commit|rollback|call)\b/i

function kindOf(words: string, text: string): Kind {
  if (steering.test(words)) return 'steers'
  if (words.startsWith('DO') && endsTransactions.test(text)) return 'alone'
  return measured.test(words) || text.startsWith('(') ? 'measured' : 'alone'
}

function controlOf(words: string): SqlStatement['control'] {
  if (within.test(words)) return 'within'
  if (begins.test(words)) return 'begins'
  if (!ends.test(words)) return undefined
  // A chain begins the next transaction at once.
  return /\bAND CHAIN\b/.test(words) ? 'within' : 'ends'
}

function describe({ words, text }: Statement, sql: string): SqlStatement {
  const beginning = words.join(' ')
  return {
    sql,
    kind: kindOf(beginning, text),
    control: controlOf(beginning),
    copies: words[0] === 'COPY',
    forgets: /^(?:DEALLOCATE|DISCARD)\b/.test(beginning),
  }
}

/** The most that is kept of a statement that nobody looks into. */
const excerpt = 1000

/** A statement that nobody looks into. */
export const opaque = (sql: Buffer): SqlStatement => ({
  ...{
    sql: sql.toString('utf8', 0, excerpt),
    kind: 'alone',
    control: undefined,
    copies: true,
    forgets: true,
  },
})

/** Whether something has to come back from the client, or be known, before anything can be sent behind it. */
export const mustWait = ({ copies, forgets, control }: SqlStatement) =>
  copies || forgets || control !== undefined

/** Characters of UTF-8. */
function countCharacters(bytes: Buffer): number {
  let count = 0
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) count++
  return count
}

/**
 * The statements of a message in UTF-8. Undefined where it has something that is no statement: the server says so.
 *
 * Read as Latin 1, each byte is a character, and those of one that is not ASCII are letters as it is.
 */
function split(bytes: Buffer): Statement[] | undefined {
  try {
    return splitStatements({ name: '', text: bytes.toString('latin1') }, { withClient: true })
  } catch (error) {
    if (error instanceof SqlError) return undefined
    throw error
  }
}

/** What a statement of the extended protocol is, which has one at most. */
export function readStatement(bytes: Buffer): SqlStatement {
  const [first, ...others] = split(bytes) ?? []
  const sql = bytes.toString('utf8')
  return first === undefined || others.length > 0 ? opaque(bytes) : describe(first, sql)
}

/** The statements of a simple message; undefined where it cannot be taken apart. */
export function readParts(bytes: Buffer): Part[] | undefined {
  const statements = split(bytes)
  if (statements === undefined || statements.length === 0) return undefined
  // A single one stays as it is, with the comments around it.
  if (statements.length === 1) {
    return statements.map(one => ({ ...describe(one, bytes.toString('utf8')), bytes, before: 0 }))
  }
  let before = 0
  let at = 0
  return statements.map(statement => {
    const { offset, text } = statement
    before += countCharacters(bytes.subarray(at, offset))
    at = offset
    const part = bytes.subarray(offset, offset + text.length)
    return { ...describe(statement, part.toString('utf8')), bytes: part, before }
  })
}

/** How the statements of a simple message are run. */
export interface Plan {
  /** One message each, one after the other, until one fails. */
  parts: Part[]
  /** In a transaction of the proxy's. */
  isWrapped: boolean
}

/** Whether each statement, run by itself, is in the same transaction as it would be within the message. */
function keepsMeaning(parts: Part[], status: string): boolean {
  let inBlock = status === 'T'
  for (const { control } of parts) {
    if (!inBlock && control !== 'begins') return false
    inBlock = control === 'begins' || (inBlock && control !== 'ends')
  }
  return true
}

/**
 * How to run a simple message where the session is idle (`I`), in a transaction (`T`) or in one that failed (`E`), so that
 * each statement can be measured. Undefined: as it is, since that alone keeps its meaning.
 */
export function planQuery(bytes: Buffer, status: string): Plan | undefined {
  const parts = status === 'E' ? undefined : readParts(bytes)
  const [first] = parts ?? []
  if (parts === undefined || first === undefined) return undefined
  if (parts.length === 1) return { parts, isWrapped: status === 'I' && first.kind === 'measured' }
  if (keepsMeaning(parts, status)) return { parts, isWrapped: false }
  const isOneTransaction = status === 'I' && parts.every(({ control }) => control === undefined)
  return isOneTransaction && parts.some(({ kind }) => kind !== 'steers')
    ? { parts, isWrapped: true }
    : undefined
}
