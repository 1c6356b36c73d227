import { asides, askCensus, askSyntax } from './asides.ts'
import { readFields, readText } from './messages.ts'
import type { Report, Turn } from './turn.ts'
import type { Census, Ran, Watch } from './watch.ts'

/** What an error says. */
export interface Failure {
  bytes: Buffer
  code: string
  message: string
  /** The server ends the connection with it. */
  isFatal: boolean
  /** It says where in the text. */
  hasPlace: boolean
}

export function readFailure(bytes: Buffer): Failure {
  const fields = readFields(bytes)
  const isFatal = /^(?:FATAL|PANIC)$/.test(fields.get('V') ?? fields.get('S') ?? '')
  return {
    bytes,
    code: fields.get('C') ?? '',
    message: fields.get('M') ?? '',
    isFatal,
    hasPlace: fields.has('P'),
  }
}

/** A part of what was sent to the server, which ends with one ReadyForQuery. */
export interface Unit {
  /** What the proxy itself asks; undefined for what is the client's. */
  aside?: keyof typeof asides | 'census' | 'syntax'
  /** The statement that it has or is asked about. */
  report?: Report | undefined
  /** Characters of the client's message before it. */
  before: number
  rows: (string | null)[][]
  failure?: Failure
  tag?: string
}

/** The transaction is not open, or has failed before. */
const noTransaction = /^25P0[12]$/

export interface BackendOptions {
  watch: Watch
  now(): number
  toServer(bytes: Buffer): void
}

/** A session on the server: what it still has to answer, and the state of its transaction. */
export class Backend {
  readonly #options: BackendOptions
  id = 0
  /** As the last ReadyForQuery said: idle, in a transaction, or in one that failed. */
  status = 'I'
  /** Still to be answered, in this order. */
  readonly units: Unit[] = []
  readonly settings = new Map<string, string>()
  /** The census that the session has prepared. */
  #prepared: string | undefined
  /** What the last command in a transaction was. */
  #tag = ''
  #hasReported = false
  /** When it last answered. */
  #freeSince = 0

  constructor(options: BackendOptions) {
    this.#options = options
  }

  /** A message in another encoding may have bytes that only look like a quote or semicolon. */
  get isReadable(): boolean {
    const { settings } = this
    return settings.get('client_encoding') === 'UTF8' && settings.get('standard_conforming_strings') !== 'off'
  }

  send(bytes: Buffer, unit: Partial<Unit> = {}): void {
    this.units.push({ before: 0, rows: [], ...unit })
    this.#options.toServer(bytes)
  }

  ask(aside: keyof typeof asides): void {
    this.send(asides[aside], { aside })
  }

  askCensus(report: Report): void {
    const sql = this.#options.watch.census(this.id)
    if (sql === '') return
    this.send(askCensus(sql, this.#prepared === sql), { aside: 'census', report })
    this.#prepared = sql
    this.send(asides.forget, { aside: 'forget', report })
  }

  askSyntax(sql: Buffer): void {
    const inTransaction = this.status === 'T'
    this.send(askSyntax(sql, inTransaction), { aside: 'syntax' })
    if (inTransaction) this.ask('forget')
  }

  /** A statement is under way from now on. */
  start(statement: Report['statement']): Report {
    const startedAt = this.#options.now()
    const ran = {
      ...{ backend: this.id, sql: statement.sql },
      ...{ startedAt, endedAt: startedAt, inTransaction: false, censusTook: 0 },
    }
    return { statement, ran, isDone: false }
  }

  /** A statement has been answered. */
  finish(report: Report | undefined, answer: Pick<Ran, 'tag' | 'failure'>): void {
    const { tag } = answer
    if (tag === 'DISCARD ALL' || tag === 'DEALLOCATE ALL') this.#prepared = undefined
    this.#tag = tag ?? ''
    const now = this.#options.now()
    if (report !== undefined) {
      report.isDone = true
      const startedAt = Math.max(report.ran.startedAt, this.#freeSince)
      Object.assign(report.ran, answer, { startedAt, endedAt: now })
    }
    this.#freeSince = now
  }

  /** A unit is answered to its end. */
  settle(unit: Unit, bytes: Buffer, turn: Turn | undefined): void {
    const before = this.status
    this.status = bytes.toString('latin1', 5, 6)
    const now = this.#options.now()
    if (unit.aside !== undefined && unit.report) unit.report.ran.censusTook += now - this.#freeSince
    this.#freeSince = now
    if (unit.aside === 'census') this.#settleCensus(unit, turn)
    if (unit.aside !== undefined && unit.tag !== undefined) this.#tag = unit.tag
    if (unit.aside === undefined && this.status !== 'I')
      for (const { ran, isDone } of turn?.reports ?? []) if (isDone) ran.inTransaction = true
    const isChained = before === 'T' && this.status === 'T' && this.#tag === 'COMMIT'
    if (!isChained && (before === 'I' || this.status !== 'I')) return
    if (turn && !turn.isForRetry) this.report(turn)
    this.#end(this.#tag === 'COMMIT' ? 'commit' : 'rollback')
  }

  #settleCensus({ failure, rows, report }: Unit, turn: Turn | undefined): void {
    if (failure === undefined && report !== undefined) report.census = rows as Census
    if (failure === undefined) return
    this.#prepared = undefined
    if (turn?.hasFailed || noTransaction.test(failure.code)) return
    this.#options.watch.trouble(this.id, `what a statement locks could not be read: ${failure.message}`)
  }

  /** Tells of all statements of a turn that have been answered. */
  report(turn: Turn): void {
    for (const { ran, census, isDone } of turn.reports.splice(0)) {
      if (!isDone) continue
      if (ran.inTransaction) this.#hasReported = true
      this.#options.watch.ran(ran, census)
    }
  }

  #end(how: 'commit' | 'rollback' | 'closed'): void {
    this.#tag = ''
    if (!this.#hasReported) return
    this.#hasReported = false
    this.#options.watch.ended(this.id, this.#options.now(), how)
  }

  /** The connection is gone, and a transaction with it. */
  gone(turn: Turn | undefined): void {
    if (turn) this.report(turn)
    this.#end('closed')
  }
}

/** The command of a CommandComplete. */
export const readTag = (bytes: Buffer) => readText(bytes, 5)?.value ?? ''
