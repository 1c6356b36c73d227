/** Follows the messages between a client and its session: the statements, their times and their results. */
import type { Seam } from '#base/seam'
import { endsTransaction, isNonBlocking, trySplit } from '#contents/sql/split-statements'
import type { Frame } from '#postgres/frames'
import { cancelRequest, readFields, readText } from './messages.ts'
import type { ObservedStatement, TransactionStatus, Watch } from './watch.ts'

/** The types of messages (PostgreSQL documentation, 54.7). Client and server use the same letters for different types. */
const client = {
  query: 'Q',
  parse: 'P',
  bind: 'B',
  execute: 'E',
  describe: 'D',
  functionCall: 'F',
  close: 'C',
  sync: 'S',
  copyDone: 'c',
  copyFail: 'f',
}

const server = {
  commandComplete: 'C',
  emptyQuery: 'I',
  portalSuspended: 's',
  functionCallResponse: 'V',
  error: 'E',
  copyIn: 'G',
  backendKey: 'K',
  readyForQuery: 'Z',
}

/** The messages that end a statement without a command tag. */
const endsWithoutTag = new Set([server.emptyQuery, server.portalSuspended, server.functionCallResponse])

/** The first byte of the body of Close, if it closes a prepared statement and not a portal. */
const closesStatement = 'S'.charCodeAt(0)

/** The most characters that are stored of a text that is not parsed. */
const excerptLength = 1000

/** The statements in a message. If parsing fails, the start of the message. */
function splitMessage(sql: string): string[] {
  // Reading tokens would delay each statement. Without a semicolon, comment or backslash there is at most one.
  if (!/[;\\/-]/.test(sql)) return [sql.trim()].filter(Boolean)
  const statements = trySplit({ name: '', text: sql }, { withClient: true })
  return statements?.map(({ text }) => text) ?? [sql.slice(0, excerptLength)]
}

/** A message that the server owes: the result of a statement, ReadyForQuery, or the end of a COPY from the client. */
type OwedAnswer =
  | { kind: 'statement'; sql: string; sentAt: number }
  | { kind: 'ready'; isAfterSync: boolean }
  | { kind: 'copied' }

/** Messages of a client that start work on the server. */
const startsWork = new Set([
  client.query,
  client.parse,
  client.bind,
  client.execute,
  client.describe,
  client.functionCall,
])

/** The state of one session, as its messages show it. */
export class Exchange {
  /** The process id of the session; undefined before the login is complete. */
  backend: number | undefined
  /** The request that cancels the running statement. */
  cancel: Buffer | undefined
  status: TransactionStatus = 'I'
  /** True after the first statement. */
  hasRun = false
  /** True after a message that could not be read. The tap only relays the rest. */
  isUnreadable = false
  readonly #seam: Pick<Seam, 'now'>
  readonly #watch: Pick<Watch, 'onSend'>
  readonly #prepared = new Map<string, string>()
  readonly #portals = new Map<string, string>()
  #owed: OwedAnswer[] = []
  readonly #ran: ObservedStatement[] = []
  /** The last parsed statement. An error can come before its execution. */
  #parsed = ''
  #isCopying = false
  #answeredAt = 0

  constructor(seam: Pick<Seam, 'now'>, watch: Pick<Watch, 'onSend'>) {
    this.#seam = seam
    this.#watch = watch
  }

  get isBusy(): boolean {
    return !this.isUnreadable && this.#owed.some(({ kind }) => kind === 'statement')
  }

  /** True if a message must wait because the locks of earlier statements are not yet read. */
  mustWait({ letter }: Frame): boolean {
    if (!startsWork.has(letter)) return false
    const owesReady = this.#owed.some(({ kind }) => kind === 'ready')
    const owesBlocking = this.#owed.some(owed => owed.kind === 'statement' && !isNonBlocking(owed.sql))
    return owesReady && owesBlocking
  }

  /** Returns and forgets the statements since the last ReadyForQuery. */
  takeRest(): ObservedStatement[] {
    return this.#ran.splice(0)
  }

  /** Records a message of the client. Returns true if it ends a transaction while no earlier statement runs. */
  fromClient({ letter, bytes, kind }: Frame): boolean {
    if (kind === 'piece') return false
    const isIdleInTransaction = this.#owed.length === 0 && this.status !== 'I'
    if (letter === client.query) {
      const isCut = kind === 'start'
      const statements = isCut
        ? [bytes.toString('utf8', 5, excerptLength)]
        : splitMessage(readText(bytes, 5).value)
      const isEnding = this.#expectStatements(statements)
      this.#owed.push({ kind: 'ready', isAfterSync: false })
      return isEnding && isIdleInTransaction
    }
    if (letter === client.execute) {
      const statement = this.#portals.get(readText(bytes, 5).value) ?? ''
      const isEnding = this.#expectStatements([statement])
      return isEnding && isIdleInTransaction
    }
    if (letter === client.parse) {
      const name = readText(bytes, 5)
      const sql = readText(bytes, name.end).value
      this.#parsed = kind === 'start' ? sql.slice(0, excerptLength) : sql
      this.#prepared.set(name.value, this.#parsed)
    } else if (letter === client.bind) {
      const portal = readText(bytes, 5)
      this.#portals.set(portal.value, this.#prepared.get(readText(bytes, portal.end).value) ?? '')
    } else if (letter === client.close) {
      const name = readText(bytes, 6).value
      if (bytes[5] === closesStatement) this.#prepared.delete(name)
      else this.#portals.delete(name)
    } else if (letter === client.functionCall) {
      this.#expectStatements(['function call'])
      this.#owed.push({ kind: 'ready', isAfterSync: false })
    } else if (letter === client.sync) {
      // The server ignores Sync during COPY from the client (PostgreSQL documentation, 54.2.6).
      if (!this.#isCopying) this.#owed.push({ kind: 'ready', isAfterSync: true })
    } else if (letter === client.copyDone || letter === client.copyFail) {
      if (this.#isCopying) this.#isCopying = false
      else if (this.#owed.some(({ kind }) => kind === 'statement')) this.#owed.push({ kind: 'copied' })
    }
    return false
  }

  /** Expects the results of the statements of a message. Returns true if the first one ends a transaction. */
  #expectStatements(statements: string[]): boolean {
    if (this.status === 'I') this.#watch.onSend(statements)
    const sentAt = this.#seam.now()
    for (const sql of statements) this.#owed.push({ kind: 'statement', sql, sentAt })
    return endsTransaction(statements[0] ?? '')
  }

  /** Records a message of the server. For ReadyForQuery, returns the statements since the last one. */
  fromServer({ letter, bytes, kind }: Frame): ObservedStatement[] | undefined {
    if (kind === 'piece') return undefined
    if (letter === server.readyForQuery) return this.#becomeReady(bytes)
    if (letter === server.commandComplete) this.#completeStatement({ tag: readText(bytes, 5).value })
    else if (letter === server.error) this.#fail(readFields(bytes))
    else if (letter === server.copyIn) this.#beginCopy()
    else if (letter === server.backendKey) {
      this.backend = bytes.readInt32BE(5)
      this.cancel = cancelRequest(bytes.subarray(5))
    } else if (endsWithoutTag.has(letter)) this.#completeStatement({})
    return undefined
  }

  #completeStatement(result: Pick<ObservedStatement, 'tag' | 'failure'>): void {
    const first = this.#owed.findIndex(({ kind }) => kind !== 'copied')
    const owed = this.#owed[first]
    if (owed?.kind !== 'statement') return
    this.#owed.splice(0, first + 1)
    this.#recordStatement(owed, result)
  }

  #recordStatement(
    { sql, sentAt }: { sql: string; sentAt: number },
    result: Pick<ObservedStatement, 'tag' | 'failure'>,
  ): void {
    const endedAt = this.#seam.now()
    if (sql.trim() !== '') {
      this.hasRun = true
      this.#ran.push({ sql, sentAt, startedAt: Math.max(sentAt, this.#answeredAt), endedAt, ...result })
    }
    this.#answeredAt = endedAt
  }

  /** After a failure, the server ignores everything up to the next ReadyForQuery. */
  #fail(fields: Map<string, string>): void {
    if (this.backend === undefined) return
    const failure = { code: fields.get('C') ?? '', message: fields.get('M') ?? '' }
    const first = this.#owed.find(({ kind }) => kind !== 'copied')
    if (first?.kind === 'statement') this.#recordStatement(first, { failure })
    else if (first !== undefined)
      this.#recordStatement({ sql: this.#parsed, sentAt: this.#answeredAt }, { failure })
    const end = this.#owed.findIndex(({ kind }) => kind === 'ready')
    this.#owed = end < 0 ? [] : this.#owed.slice(end)
    this.#isCopying = false
  }

  /** Expects no ReadyForQuery for a Sync that the client sent during COPY, because the server ignores it. */
  #beginCopy(): void {
    const end = this.#owed.findIndex(({ kind }) => kind === 'copied')
    const copyEnd = end < 0 ? this.#owed.length : end
    const isIgnoredSync = (owed: OwedAnswer, index: number) =>
      index < copyEnd && owed.kind === 'ready' && owed.isAfterSync
    this.#owed = this.#owed.filter((owed, index) => !isIgnoredSync(owed, index))
    this.#isCopying = end < 0
  }

  #becomeReady(bytes: Buffer): ObservedStatement[] {
    const end = this.#owed.findIndex(({ kind }) => kind === 'ready')
    this.#owed = end < 0 ? [] : this.#owed.slice(end + 1)
    const status = bytes.toString('latin1', 5, 6)
    this.status = status === 'T' || status === 'E' ? status : 'I'
    return this.takeRest()
  }
}
