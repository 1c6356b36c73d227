import { asides, askBetween, askCensus, askSyntax, type Tail } from './asides.ts'
import { readRow } from './messages.ts'
import type { Report, Turn } from './turn.ts'
import { isCommitting, isForSeveral, noTransaction, type Unit } from './unit.ts'
import type { Ran, Watch } from './watch.ts'

/** Bytes of a census that are kept: those of more than 100,000 locks. */
export const mostOfCensus = 16 * 1024 * 1024

/** Settings whose values decide how messages are read. No others are kept. */
const kept = new Set(['client_encoding', 'standard_conforming_strings'])

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
  /** A census may take as long as the client allows its own statements. */
  #hasLimits = true
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

  noteSetting(name: string, value: string): void {
    if (kept.has(name)) this.settings.set(name, value)
  }

  /** Keeps a row of a census, up to the limit. */
  keepRow(census: Pick<Unit, 'rows' | 'size'>, bytes: Buffer): void {
    const before = census.size
    census.size += bytes.length
    if (census.size <= mostOfCensus) census.rows.push(readRow(bytes))
    else if (before <= mostOfCensus)
      this.#options.watch.trouble(this.id, 'a statement holds more locks than can be kept')
  }

  send(bytes: Buffer, unit: Partial<Unit> = {}): void {
    this.units.push({ before: 0, rows: [], size: 0, between: [], ...unit })
    this.#options.toServer(bytes)
  }

  ask(aside: keyof typeof asides): void {
    this.send(asides[aside], { aside })
  }

  /** Asks for the census behind a statement. A `tail` of `nothing` is for what has to be sent behind it at once. */
  askCensus(report: Report, tail: Tail, isAgain = false): void {
    const sql = this.#options.watch.census(this.id)
    if (sql === '') {
      if (tail === 'commit') this.ask('commit')
      return
    }
    report.isAsked = true
    const isPrepared = this.#prepared === sql
    const hasLimits = this.#hasLimits && tail !== 'nothing'
    this.send(askCensus(sql, { isPrepared, hasLimits, tail }), { aside: 'census', report, tail, isAgain })
    this.#prepared = sql
    if (tail === 'nothing') this.send(asides.forget, { aside: 'forget', report })
  }

  /** Asks for the census behind a statement that the client goes on behind without waiting for answers. */
  askBetween(report: Report): void {
    const sql = this.#options.watch.census(this.id)
    if (sql === '') return
    const { bytes, closes } = askBetween(sql)
    report.isAsked = true
    this.units.at(-1)?.between.push({ report, closes, rows: [], size: 0 })
    this.#options.toServer(bytes)
  }

  /** Whether the server answers what is asked between statements. */
  get isBetween(): boolean {
    return this.units[0]?.between[0]?.report.isDone ?? false
  }

  takeBetween(letter: string, bytes: Buffer): void {
    const { between = [] } = this.units[0] ?? {}
    const [asked] = between
    if (asked === undefined) return
    if (letter === 'D') this.keepRow(asked, bytes)
    if (letter !== '3' || --asked.closes > 0) return
    between.shift()
    const { report, rows } = asked
    const now = this.#options.now()
    report.census = rows
    Object.assign(report.ran, { inTransaction: true, censusTook: now - this.#freeSince })
    this.#freeSince = now
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

  /** A command of an aside is done. What it took is the census's, but for a commit. */
  finishAside(unit: Unit, tag: string): void {
    unit.tag = tag
    this.#countAside(unit)
  }

  #countAside({ aside, report, tag }: Unit): void {
    const now = this.#options.now()
    if (aside && report && tag !== 'COMMIT') report.ran.censusTook += now - this.#freeSince
    this.#freeSince = now
  }

  /** A unit is answered to its end. */
  settle(unit: Unit, bytes: Buffer, turn: Turn | undefined): void {
    const before = this.status
    this.status = bytes.toString('latin1', 5, 6)
    this.#countAside(unit)
    if (unit.aside === 'census') this.#settleCensus(unit, turn)
    if (unit.aside === 'syntax' && turn) turn.hasBadSyntax = !isForSeveral(unit.failure)
    if (unit.aside !== undefined && unit.tag !== undefined) this.#tag = unit.tag
    if (unit.aside === undefined && this.status !== 'I')
      for (const { ran, isDone } of turn?.reports ?? []) if (isDone) ran.inTransaction = true
    const isChained = before === 'T' && this.status === 'T' && this.#tag === 'COMMIT'
    if (!isChained && (before === 'I' || this.status !== 'I')) return
    if (turn && !turn.isForRetry) this.report(turn)
    this.#end(this.#tag === 'COMMIT' ? 'commit' : 'rollback')
  }

  #settleCensus(unit: Unit, turn: Turn | undefined): void {
    const { failure, rows, report, tail } = unit
    if (report === undefined) return
    if (failure === undefined || isCommitting(unit)) {
      report.census = rows
      return
    }
    this.#prepared = undefined
    if (turn?.hasFailed || noTransaction.test(failure.code)) return
    if (tail !== 'nothing') this.ask('forget')
    if (tail !== 'nothing' && !unit.isAgain) {
      // A time limit of the client's, or the client has dropped what was prepared.
      this.#hasLimits = false
      this.askCensus(report, 'forget', true)
    } else
      this.#options.watch.trouble(this.id, `what a statement locks could not be read: ${failure.message}`)
  }

  /** Tells of all statements of a turn that have been answered. */
  report(turn: Turn): void {
    for (const { ran, census, isDone, statement } of turn.reports.splice(0)) {
      if (!isDone) continue
      if (ran.inTransaction) this.#hasReported = true
      this.#options.watch.ran(ran, census)
      // Others may follow at once, in a transaction of their own.
      const { tag, endedAt } = ran
      if (statement.control === 'ends' && tag) this.#end(tag === 'COMMIT' ? 'commit' : 'rollback', endedAt)
    }
  }

  #end(how: 'commit' | 'rollback' | 'closed', at = this.#options.now()): void {
    this.#tag = ''
    if (!this.#hasReported) return
    this.#hasReported = false
    this.#options.watch.ended(this.id, at, how)
  }

  /** The connection is gone, and a transaction with it. */
  gone(turn: Turn | undefined): void {
    if (turn) this.report(turn)
    this.#end('closed')
  }
}
