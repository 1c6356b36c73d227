import { type Frame, typeOf } from '#postgres/frames'
import type { Backend } from './backend.ts'
import { query, readBytes } from './messages.ts'
import { mustWait, opaque, type Part, planQuery, type SqlStatement } from './statements.ts'
import type { Report, Turn } from './turn.ts'

/** The most bytes of a message with SQL that are looked into. */
export const mostSql = 8 * 1024 * 1024

/** Messages of up to 64 KB that wait for the next one. */
const mostAhead = 1000

/**
 * Sends what a client asks in a turn, with what is asked beside it: a transaction around a statement by itself, and the
 * census behind each. It does not wait for answers, as far as it can be known what is behind a statement.
 */
export class Sender {
  readonly #backend: Backend
  readonly #options: { toServer(bytes: Buffer): void }

  constructor(backend: Backend, options: { toServer(bytes: Buffer): void }) {
    this.#backend = backend
    this.#options = options
  }

  /** `isPlain`: what the message says can be read. */
  takeSimple(turn: Turn, bytes: Buffer, isPlain: boolean): void {
    const sql = readBytes(bytes, 5)
    const plan = isPlain ? planQuery(sql, this.#backend.status) : undefined
    turn.isWrapped = plan?.isWrapped ?? false
    turn.parts = plan?.parts ?? []
    if (turn.parts.length > 1) {
      turn.unchecked = bytes
      this.#backend.askSyntax(sql)
    } else this.#startSimple(turn, bytes)
  }

  /** Sends the statements; or the message as it is, where it has none that can be told apart. */
  #startSimple(turn: Turn, bytes: Buffer): void {
    if (turn.isWrapped) this.#backend.ask('begin')
    if (turn.parts.length > 0) this.#fly(turn)
    else {
      const sql = readBytes(bytes, 5)
      // What is small enough was looked into, and begins or ends transactions: a census could be the first in one.
      const kind = bytes.readUInt32BE(1) < mostSql ? 'steers' : 'alone'
      this.#sendPart(turn, { ...opaque(sql), kind, bytes: sql, before: 0 }, bytes)
    }
  }

  /** The server has been asked for the syntax of a message, and has answered. */
  startChecked(turn: Turn): void {
    const { unchecked, hasBadSyntax } = turn
    turn.unchecked = undefined
    // Whatever is wrong with it, the client is to hear it in the server's words, before anything is done.
    if (hasBadSyntax) Object.assign(turn, { parts: [], isWrapped: false })
    if (unchecked) this.#startSimple(turn, unchecked)
  }

  #sendPart(turn: Turn, part: Part, bytes = query(part.bytes)): void {
    const report = this.#backend.start(part)
    turn.reports.push(report)
    turn.isLate = mustWait(part)
    this.#backend.send(bytes, { report, before: part.before })
  }

  #fly(turn: Turn): void {
    for (let [part] = turn.parts; part !== undefined; [part] = turn.parts) {
      const { units } = this.#backend
      if (mustWait(part) && units.some(({ aside }) => aside !== 'begin')) return
      turn.parts.shift()
      this.#sendPart(turn, part)
      if (turn.isLate) return
      this.#look(turn, turn.isWrapped || this.#backend.status === 'T')
    }
  }

  /** Asks for the census behind what was sent last, and commits behind the end. */
  #look(turn: Turn, inTransaction: boolean): void {
    const isLast = turn.parts.length === 0
    const report = turn.kind === 'simple' ? turn.reports.at(-1) : turn.lastMeasured
    const commits = turn.isWrapped && isLast
    if (inTransaction && report && !report.isAsked && report.statement.kind !== 'steers')
      this.#backend.askCensus(report, commits ? 'commit' : isLast ? 'forget' : 'nothing')
    else if (commits) this.#backend.ask('commit')
  }

  /** All that was sent has been answered. */
  goOn(turn: Turn): void {
    const { status } = this.#backend
    const isLate = turn.isLate && !turn.hasFailed
    turn.isLate = false
    if (turn.hasFailed) turn.parts = []
    if (isLate && status !== 'I') this.#look(turn, status === 'T')
    if (turn.parts.length > 0) this.#fly(turn)
    else if (turn.isWrapped && !isLate && status !== 'I') this.#backend.ask('commit')
  }

  /** Sends a turn once more that was refused because of the transaction around it. */
  sendAgain(turn: Turn): void {
    Object.assign(turn, { isForRetry: false, hasFailed: false, isWrapped: false })
    const reports = turn.reports.splice(0)
    const [first] = reports
    if (first && 'bytes' in first.statement) {
      this.#sendPart(turn, first.statement)
      return
    }
    for (const { statement } of reports) turn.reports.push(this.#backend.start(statement))
    turn.answersToSkip = turn.answersBefore
    turn.isLate = true
    this.#backend.send(Buffer.concat(turn.kept ?? []))
  }

  /** `statement`: the one that the message is about. */
  takeExtended(turn: Turn, letter: string, frame: Frame, statement: SqlStatement | undefined): void {
    const { bytes } = frame
    const isFirst = !turn.isBegun
    // Nothing that is closed can fail: it may wait for what is begun, or asked, in front of the next message.
    if (letter === 'C' && turn.ahead.length < mostAhead && (isFirst || this.#unseen(turn))) {
      if (!isFirst) this.#keep(turn, letter, frame)
      turn.ahead.push(bytes)
      return
    }
    if (isFirst) this.#begin(turn, /[PB]/.test(letter) ? statement : undefined)
    else this.#sendAhead(turn, letter)
    if (letter === 'E') this.#execute(turn, statement ?? opaque(Buffer.alloc(0)))
    this.#keep(turn, letter, frame)
    this.#options.toServer(bytes)
    if (letter === 'S') this.#endExtended(turn)
  }

  #begin(turn: Turn, statement: SqlStatement | undefined): void {
    turn.isBegun = true
    turn.isWrapped = this.#backend.status === 'I' && statement?.kind === 'measured'
    turn.isOpen = turn.isWrapped || this.#backend.status === 'T'
    if (turn.isWrapped) this.#backend.ask('begin')
    this.#backend.send(Buffer.concat(turn.ahead.splice(0)))
  }

  /** The last statement of the client, where no census is on its way behind it, and it would be in its transaction. */
  #unseen({ reports, isOpen }: Turn): Report | undefined {
    const report = reports.at(-1)
    return isOpen && report && !report.isAsked && report.statement.kind !== 'steers' ? report : undefined
  }

  /** Sends what has to be in front of a message. */
  #sendAhead(turn: Turn, letter: string): void {
    const unseen = letter === 'S' ? undefined : this.#unseen(turn)
    if (unseen) this.#backend.askBetween(unseen)
    if (turn.ahead.length > 0) this.#options.toServer(Buffer.concat(turn.ahead.splice(0)))
  }

  #execute(turn: Turn, statement: SqlStatement): void {
    const { control, copies } = statement
    if (mustWait(statement)) turn.isLate = true
    if (control === 'begins') turn.isOpen = true
    // While rows are sent, nothing else can be.
    if (control === 'ends' || copies) turn.isOpen = false
    turn.reports.push(this.#backend.start(statement))
  }

  /** What was prepared or closed before the first statement ran stays so, and is not sent again. */
  #keep(turn: Turn, letter: string, { kind, bytes }: Frame): void {
    const isFirst = turn.reports.length === 0
    if (kind === 'start' || (letter === 'H' && !isFirst)) turn.kept = undefined
    const isPortal = letter === 'B' || (letter === 'D' && bytes[5] === typeOf('P'))
    if (isFirst && !isPortal) return
    if (isFirst) turn.answersBefore++
    turn.keep(bytes)
  }

  #endExtended(turn: Turn): void {
    turn.isEnded = true
    if (!turn.isLate) this.#look(turn, turn.isWrapped || this.#backend.status === 'T')
  }
}
