/** Follows the messages between a client and its session: the statements, their times and their results. */
import type { Seam } from '#base/seam'
import { endsTransaction } from '#contents/sql/split-statements'
import type { Frame } from '#postgres/frames'
import { cancelRequest, readFields, readText } from './messages.ts'
import { excerpt, isPlain, readStatements } from './statements.ts'
import type { Ran, TransactionStatus, Watch } from './watch.ts'

/** An answer that the server owes: the result of a statement, ReadyForQuery, or the end of a COPY from the client. */
type Owed =
  | { kind: 'statement'; sql: string; sentAt: number }
  | { kind: 'ready'; isAfterSync: boolean }
  | { kind: 'copied' }

/** Messages of a client that start work on the server. */
const begins = new Set(['Q', 'P', 'B', 'E', 'D', 'F'])

export class Exchange {
  /** The process id of the session; undefined before the login is complete. */
  backend: number | undefined
  /** The request that cancels the running statement. */
  cancel: Buffer | undefined
  status: TransactionStatus = 'I'
  /** A message could not be read, so the tap only relays the rest. */
  isLost = false
  readonly #seam: Pick<Seam, 'now'>
  readonly #watch: Pick<Watch, 'sent'>
  readonly #prepared = new Map<string, string>()
  readonly #portals = new Map<string, string>()
  #owed: Owed[] = []
  readonly #ran: Ran[] = []
  /** The last parsed statement. An error can come before its execution. */
  #parsed = ''
  #isCopying = false
  #answeredAt = 0

  constructor(seam: Pick<Seam, 'now'>, watch: Pick<Watch, 'sent'>) {
    this.#seam = seam
    this.#watch = watch
  }

  get isBusy(): boolean {
    return !this.isLost && this.#owed.some(({ kind }) => kind === 'statement')
  }

  /** Whether a message must wait because the locks of earlier statements are not yet read. */
  mustWait({ letter }: Frame): boolean {
    const isOpen = this.#owed.some(({ kind }) => kind === 'ready')
    return (
      isOpen && begins.has(letter) && this.#owed.some(one => one.kind === 'statement' && !isPlain(one.sql))
    )
  }

  /** The statements without a ReadyForQuery at the end of the connection. */
  takeRest(): Ran[] {
    return this.#ran.splice(0)
  }

  /** Records a message of the client. Returns whether it ends a transaction without other open statements. */
  fromClient({ letter, bytes, kind }: Frame): boolean {
    if (kind === 'piece') return false
    const isFree = this.#owed.length === 0 && this.status !== 'I'
    if (letter === 'Q') {
      const isCut = kind === 'start'
      const sql = isCut ? [bytes.toString('utf8', 5, excerpt)] : readStatements(readText(bytes, 5).value)
      const isEnding = this.#send(sql)
      this.#owed.push({ kind: 'ready', isAfterSync: false })
      return isEnding && isFree
    }
    if (letter === 'E') return this.#send([this.#portals.get(readText(bytes, 5).value) ?? '']) && isFree
    if (letter === 'P') {
      const name = readText(bytes, 5)
      const sql = readText(bytes, name.end).value
      this.#parsed = kind === 'start' ? sql.slice(0, excerpt) : sql
      this.#prepared.set(name.value, this.#parsed)
    } else if (letter === 'B') {
      const portal = readText(bytes, 5)
      this.#portals.set(portal.value, this.#prepared.get(readText(bytes, portal.end).value) ?? '')
    } else if (letter === 'C') {
      const name = readText(bytes, 6).value
      if (bytes[5] === 0x53) this.#prepared.delete(name)
      else this.#portals.delete(name)
    } else if (letter === 'F') {
      this.#send(['function call'])
      this.#owed.push({ kind: 'ready', isAfterSync: false })
    } else if (letter === 'S') {
      // The server ignores Sync during COPY from the client (PostgreSQL documentation, 54.2.6).
      if (!this.#isCopying) this.#owed.push({ kind: 'ready', isAfterSync: true })
    } else if (letter === 'c' || letter === 'f') {
      if (this.#isCopying) this.#isCopying = false
      else if (this.#owed.some(({ kind }) => kind === 'statement')) this.#owed.push({ kind: 'copied' })
    }
    return false
  }

  /** Records statements of a message. Returns whether the first one ends a transaction. */
  #send(statements: string[]): boolean {
    if (this.status === 'I') this.#watch.sent(statements)
    const sentAt = this.#seam.now()
    for (const sql of statements) this.#owed.push({ kind: 'statement', sql, sentAt })
    return endsTransaction(statements[0] ?? '')
  }

  /** Records a message of the server. Returns the statements that ReadyForQuery ends. */
  fromServer({ letter, bytes, kind }: Frame): Ran[] | undefined {
    if (kind === 'piece') return undefined
    if (letter === 'C') this.#done({ tag: readText(bytes, 5).value })
    else if (letter === 'I' || letter === 's' || letter === 'V') this.#done({})
    else if (letter === 'E') this.#fail(readFields(bytes))
    else if (letter === 'G') this.#beginCopy()
    else if (letter === 'K') {
      this.backend = bytes.readInt32BE(5)
      this.cancel = cancelRequest(bytes.subarray(5))
    } else if (letter === 'Z') return this.#ready(bytes)
    return undefined
  }

  #done(result: Pick<Ran, 'tag' | 'failure'>): void {
    const first = this.#owed.findIndex(({ kind }) => kind !== 'copied')
    const owed = this.#owed[first]
    if (owed?.kind !== 'statement') return
    this.#owed.splice(0, first + 1)
    this.#add(owed, result)
  }

  #add({ sql, sentAt }: { sql: string; sentAt: number }, result: Pick<Ran, 'tag' | 'failure'>): void {
    const endedAt = this.#seam.now()
    if (sql.trim() !== '')
      this.#ran.push({ sql, sentAt, startedAt: Math.max(sentAt, this.#answeredAt), endedAt, ...result })
    this.#answeredAt = endedAt
  }

  /** After a failure, the server ignores everything up to the next ReadyForQuery. */
  #fail(fields: Map<string, string>): void {
    if (this.backend === undefined) return
    const failure = { code: fields.get('C') ?? '', message: fields.get('M') ?? '' }
    const first = this.#owed.find(({ kind }) => kind !== 'copied')
    if (first?.kind === 'statement') this.#add(first, { failure })
    else if (first !== undefined) this.#add({ sql: this.#parsed, sentAt: this.#answeredAt }, { failure })
    const end = this.#owed.findIndex(({ kind }) => kind === 'ready')
    this.#owed = end < 0 ? [] : this.#owed.slice(end)
    this.#isCopying = false
  }

  #beginCopy(): void {
    const end = this.#owed.findIndex(({ kind }) => kind === 'copied')
    const ignored = end < 0 ? this.#owed.length : end
    this.#owed = this.#owed.filter(
      (one, index) => index >= ignored || one.kind !== 'ready' || !one.isAfterSync,
    )
    this.#isCopying = end < 0
  }

  #ready(bytes: Buffer): Ran[] {
    const end = this.#owed.findIndex(({ kind }) => kind === 'ready')
    this.#owed = end < 0 ? [] : this.#owed.slice(end + 1)
    const status = bytes.toString('latin1', 5, 6)
    this.status = status === 'T' || status === 'E' ? status : 'I'
    return this.takeRest()
  }
}
