import type { Backend } from './backend.ts'
import { type Frame, Frames, typeOf } from './frames.ts'
import { query, readBytes } from './messages.ts'
import { Prepared } from './prepared.ts'
import { mustWait, opaque, type Part, planQuery, type SqlStatement } from './statements.ts'
import { Turn } from './turn.ts'

/** The most bytes of a message with SQL that are looked into, and of any other one. */
const most = { sql: 8 * 1024 * 1024, other: 65_536 }

const isSql = (type: number) => type === typeOf('Q') || type === typeOf('P')

export interface RequestsOptions {
  toServer(bytes: Buffer): void
  /** The client may be read again. */
  onRoom(): void
}

/** What the client asks, turn by turn: the next one is sent once the one before is answered. */
export class Requests {
  readonly #backend: Backend
  readonly #options: RequestsOptions
  readonly #frames = new Frames({
    isBulk: type => type === typeOf('d'),
    most: type => (isSql(type) ? most.sql : most.other),
  })
  /** Waits until the turn before is over. */
  #waiting: Frame | undefined
  readonly #prepared = new Prepared()
  turn: Turn | undefined = new Turn('login', true)
  /** The server takes rows from the client. */
  isCopying = false

  constructor(backend: Backend, options: RequestsOptions) {
    this.#backend = backend
    this.#options = options
  }

  get isHolding(): boolean {
    return this.#waiting !== undefined
  }

  get canSendAgain(): boolean {
    const { turn } = this
    if (!turn?.isWrapped || turn.isTold) return false
    return turn.kind === 'simple'
      ? turn.reports.length + turn.parts.length === 1
      : turn.kept !== undefined && !turn.hasAnswers
  }

  push(chunk: Buffer): void {
    this.#frames.push(chunk)
    this.#pump()
  }

  finish({ hasFailed }: Turn): void {
    this.#prepared.finish(hasFailed)
    this.turn = undefined
    this.#pump()
    if (!this.isHolding) this.#options.onRoom()
  }

  beginCopying(): void {
    const { turn } = this
    this.isCopying = !turn?.hasCopied
    // A Sync that the server meets while it copies is none: it skips it.
    if (turn?.kind === 'extended') turn.isEnded = false
    this.#pump()
  }

  #pump(): void {
    while (this.#waiting === undefined || !this.#mustWait(this.#waiting)) {
      const frame = this.#waiting ?? this.#frames.next()
      this.#waiting = undefined
      if (frame === undefined) return
      if (this.#mustWait(frame)) {
        this.#waiting = frame
        return
      }
      this.#take(frame)
    }
  }

  #mustWait({ kind, type }: Frame): boolean {
    const { turn } = this
    if (turn === undefined || this.isCopying) return false
    // Rows may come before the server has asked for them; then there must be a COPY that they are for.
    const isRows = kind === 'piece' || 'cfp'.includes(String.fromCharCode(type as number))
    return isRows ? turn.parts.length > 0 : turn.isEnded
  }

  #take(frame: Frame): void {
    const letter = frame.kind === 'piece' ? 'd' : String.fromCharCode(frame.type as number)
    if (letter === 'c' || letter === 'f') this.#endRows()
    const isRaw = this.isCopying || !'QFPBEDCHS'.includes(letter) || (letter === 'H' && !this.turn)
    if (isRaw) this.#options.toServer(frame.bytes)
    else if (letter === 'Q' || letter === 'F') this.#takeSimple(letter, frame)
    else this.#takeExtended(letter, frame)
  }

  /** All rows are sent, perhaps before the server has asked for them. */
  #endRows(): void {
    this.isCopying = false
    if (this.turn) this.turn.hasCopied = true
  }

  #takeSimple(letter: string, frame: Frame): void {
    const { bytes } = frame
    if (this.turn) {
      this.turn.isEnded = true
      this.#options.toServer(bytes)
      return
    }
    const turn = new Turn('simple', true)
    this.turn = turn
    const sql = readBytes(bytes, 5)
    const isPlain = letter === 'Q' && frame.kind === 'message' && this.#backend.isReadable
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
      const kind = bytes.readUInt32BE(1) < most.sql ? 'steers' : 'alone'
      const whole = { ...opaque(sql), kind, bytes: sql, before: 0 } as const
      this.#sendPart(turn, whole, bytes)
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

  /** Sends statements without waiting for answers, as far as it can be known what is behind them. */
  #fly(turn: Turn): void {
    for (let [part] = turn.parts; part !== undefined; [part] = turn.parts) {
      const { units } = this.#backend
      if (mustWait(part) && units.some(({ aside }) => aside !== 'begin')) return
      turn.parts.shift()
      this.#sendPart(turn, part)
      if (turn.isLate) return
      this.#look(turn, turn.isWrapped || this.#backend.status === 'T')
    }
    if (turn.isWrapped) this.#backend.ask('commit')
  }

  /** Asks for the census behind what was sent last. */
  #look(turn: Turn, inTransaction: boolean): void {
    const report = turn.kind === 'simple' ? turn.reports.at(-1) : turn.lastMeasured
    if (inTransaction && report && report.statement.kind !== 'steers') this.#backend.askCensus(report)
  }

  /** All that was sent has been answered. */
  goOn(): void {
    const { turn } = this
    if (!turn?.isEnded) return
    const { status } = this.#backend
    if (turn.hasFailed) turn.parts = []
    else if (turn.isLate) this.#look(turn, status === 'T')
    turn.isLate = false
    if (turn.parts.length > 0) this.#fly(turn)
    else if (turn.isWrapped && status !== 'I') this.#backend.ask('commit')
  }

  /** Sends a turn once more that was refused because of the transaction around it. */
  sendAgain(): void {
    const { turn } = this
    if (turn === undefined) return
    Object.assign(turn, { isForRetry: false, hasFailed: false, isWrapped: false })
    const reports = turn.reports.splice(0)
    const [first] = reports
    if (turn.kind === 'simple' && first) {
      this.#sendPart(turn, first.statement as Part)
      return
    }
    for (const { statement } of reports) turn.reports.push(this.#backend.start(statement))
    turn.answersToSkip = turn.answersBefore
    turn.isLate = true
    this.#backend.send(Buffer.concat(turn.kept ?? []))
  }

  #takeExtended(letter: string, frame: Frame): void {
    this.turn ??= new Turn('extended', false)
    const { turn } = this
    const { bytes } = frame
    const statement = this.#prepared.take(letter, bytes, frame.kind === 'message' && this.#backend.isReadable)
    // Nothing that is closed can fail, and a driver may close something in front of what it runs.
    if (letter === 'C' && !turn.isBegun) {
      turn.ahead.push(bytes)
      return
    }
    if (!turn.isBegun) this.#begin(turn, /[PB]/.test(letter) ? statement : undefined)
    if (letter === 'E') this.#execute(turn, statement ?? opaque(Buffer.alloc(0)))
    this.#keep(turn, letter, frame)
    this.#options.toServer(bytes)
    if (letter === 'S') this.#endExtended(turn)
  }

  #begin(turn: Turn, statement: SqlStatement | undefined): void {
    turn.isBegun = true
    turn.isWrapped = this.#backend.status === 'I' && statement?.kind === 'measured'
    if (turn.isWrapped) this.#backend.ask('begin')
    this.#backend.send(Buffer.concat(turn.ahead.splice(0)))
  }

  #execute(turn: Turn, statement: SqlStatement): void {
    if (mustWait(statement)) turn.isLate = true
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
    if (turn.isLate) return
    this.#look(turn, turn.isWrapped || this.#backend.status === 'T')
    if (turn.isWrapped) this.#backend.ask('commit')
  }
}
