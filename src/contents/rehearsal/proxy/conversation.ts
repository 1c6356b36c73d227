import { type Frame, Frames, ProtocolError, typeOf } from '#postgres/frames'
import { Backend, type BackendOptions } from './backend.ts'
import {
  cancelRequest,
  fatalError,
  readFields,
  readTag,
  readText,
  ready,
  shiftPlace,
  withoutChannelBinding,
} from './messages.ts'
import { Requests, type RequestsOptions } from './requests.ts'
import type { Turn } from './turn.ts'
import { type Failure, isCommitting, readFailure, type Unit } from './unit.ts'

/** Messages of the server that are only handed on to the client: rows, and what COPY sends. */
const isBulk = (type: number) => type === typeOf('D') || type === typeOf('d')

/** Bytes that are held back until a transaction is committed. */
const mostHeld = 64 * 1024 * 1024

/** Far more than a message of the server that has to be understood. */
const mostKept = 1024 * 1024

export interface ConversationOptions extends BackendOptions, RequestsOptions {
  toClient(bytes: Buffer): void
}

/**
 * What passes between a client and its backend, from the first answer to the StartupMessage on. The client sees what it
 * would see without a proxy: what is asked beside is never shown, and ReadyForQuery is held back until it is answered.
 */
export class Conversation {
  readonly #options: ConversationOptions
  readonly #backend: Backend
  readonly #requests: Requests
  readonly #answers: Frames
  /** What is too large to be kept is handed on to the client. */
  #isPassing = true
  #isToldFatal = false
  /** Ends what the session runs; undefined until the server has told how. */
  cancelRequest: Buffer | undefined

  constructor(options: ConversationOptions) {
    this.#options = options
    this.#backend = new Backend(options)
    this.#backend.units.push({ before: 0, rows: [], size: 0, between: [] })
    this.#requests = new Requests(this.#backend, options)
    this.#answers = new Frames({
      isBulk: type => isBulk(type) && !this.#backend.isBetween && this.#backend.units[0]?.aside === undefined,
      most: () => mostKept,
    })
  }

  /** Whether the client must not send more for now. */
  get isBusy(): boolean {
    return this.#requests.isHolding
  }

  /** Whether nothing is left to be sent or answered, or the next word is the client's. */
  get isOver(): boolean {
    const { turn } = this.#requests
    return turn === undefined
      ? !this.isBusy
      : !turn.isEnded || turn.kind === 'login' || this.#requests.isCopying
  }

  fromClient(chunk: Buffer): void {
    this.#requests.push(chunk)
  }

  fromServer(chunk: Buffer): void {
    this.#answers.push(chunk)
    for (let frame = this.#answers.next(); frame !== undefined; frame = this.#answers.next())
      this.#take(frame)
  }

  /** The server is gone, and the client is told if it still waits for an answer. May be said twice. */
  end(): void {
    const { turn } = this.#requests
    const isWaiting = turn !== undefined && turn.kind !== 'login'
    if (isWaiting && turn.reports.length > 0)
      this.#options.watch.trouble(this.#backend.id, 'the connection ended before a statement was answered')
    this.#backend.gone(turn)
    if (!isWaiting || this.#isToldFatal) return
    const problem = 'managed-database-action: the connection to the database was lost'
    this.#tellFatal(readFailure(fatalError('08006', problem)))
  }

  #take(frame: Frame): void {
    const [unit] = this.#backend.units
    if (frame.kind === 'piece') {
      if (this.#requests.turn) this.#requests.turn.isTold = true
      if (this.#isPassing) this.#tell(frame.bytes)
      return
    }
    this.#isPassing = unit?.aside === undefined
    const { letter } = frame
    if (letter === 'S') this.#takeSetting(frame.bytes)
    else if (letter === 'A' || unit === undefined) this.#tell(frame.bytes)
    else if (unit.aside !== undefined) this.#takeAside(unit, letter, frame)
    else this.#takeAnswer(unit, letter, frame)
  }

  /** Sends to the client, behind what is held back. */
  #tell(bytes: Buffer): void {
    const { turn } = this.#requests
    if (turn && turn.ending.length > 0) {
      turn.ending.push(bytes)
      turn.endingSize += bytes.length
      if (turn.endingSize > mostHeld) throw new ProtocolError('the answer to a statement does not end')
      return
    }
    if (turn?.beginning) this.#options.toClient(turn.beginning)
    if (turn) turn.beginning = undefined
    this.#options.toClient(bytes)
  }

  #takeSetting(bytes: Buffer): void {
    const name = readText(bytes, 5)
    const value = name && readText(bytes, name.end)
    if (value) this.#backend.noteSetting(name.value, value.value)
    this.#tell(bytes)
  }

  #takeAside(unit: Unit, letter: string, { bytes }: Frame): void {
    if (letter === 'D') this.#backend.keepRow(unit, bytes)
    else if (letter === 'C') this.#backend.finishAside(unit, readTag(bytes))
    else if (letter === 'N' && isCommitting(unit)) this.#takeNoticeOfCommit(bytes)
    else if (letter === 'E') this.#takeFailureOfAside(unit, readFailure(bytes))
    else if (letter === 'Z') this.#settle(unit, bytes)
  }

  /** A deferred trigger may have said something. That no transaction is open is nothing that the client did. */
  #takeNoticeOfCommit(bytes: Buffer): void {
    if (readFields(bytes).get('C') !== '25P01') this.#tell(bytes)
  }

  #takeFailureOfAside(unit: Unit, failure: Failure): void {
    unit.failure = failure
    if (failure.isFatal) this.#tellFatal(failure)
    else if (isCommitting(unit)) this.#failCommit(failure)
  }

  #tellFatal({ bytes }: Failure): void {
    const { turn } = this.#requests
    this.#isToldFatal = true
    // It is not known whether what was held back became true.
    if (turn) Object.assign(turn, { beginning: undefined, ending: [] })
    this.#options.toClient(bytes)
  }

  /** The client learns that the statement failed, in place of that it is done. */
  #failCommit({ bytes, code, message }: Failure): void {
    const { turn } = this.#requests
    if (turn === undefined || turn.hasFailed) return
    const [, ...behind] = turn.ending
    Object.assign(turn, { hasFailed: true, ending: [] })
    this.#tell(bytes)
    for (const other of behind) this.#tell(other)
    const last = turn.reports.at(-1)
    if (last) last.ran.failure = { code, message }
  }

  #settle(unit: Unit, bytes: Buffer): void {
    const { turn } = this.#requests
    if (unit.aside === 'commit' && unit.tag === 'ROLLBACK' && !turn?.hasFailed) {
      const problem = 'the transaction was lost while its locks were read'
      this.#options.watch.trouble(this.#backend.id, problem)
      this.#failCommit(readFailure(fatalError('40000', `managed-database-action: ${problem}`)))
    }
    this.#backend.units.shift()
    this.#backend.settle(unit, bytes, turn)
    this.#isPassing = true
    if (this.#backend.units.length > 0) return
    this.#requests.goOn()
    if (this.#backend.units.length > 0 || !turn?.isEnded) return
    if (turn.isForRetry) this.#requests.sendAgain()
    else this.#finish(turn)
  }

  #finish(turn: Turn): void {
    const held = [...(turn.beginning ? [turn.beginning] : []), ...turn.ending]
    for (const bytes of held) this.#options.toClient(bytes)
    this.#backend.report(turn)
    this.#options.toClient(ready(this.#backend.status))
    this.#requests.finish(turn)
  }

  #takeAnswer(unit: Unit, letter: string, frame: Frame): void {
    const { turn } = this.#requests
    const { bytes } = frame
    if (letter === 'Z') this.#settle(unit, bytes)
    else if (letter === 'N') this.#takeNotice(unit, bytes)
    else if (turn?.kind === 'login') this.#takeLogin(letter, bytes)
    else if (letter === 'E') this.#takeFailure(unit, readFailure(bytes))
    else if (this.#backend.isBetween) this.#backend.takeBetween(letter, bytes)
    else if (turn && turn.answersToSkip > 0 && /[123nTt]/.test(letter)) turn.answersToSkip--
    else if (turn && /[CIs]/.test(letter)) this.#takeDone(unit, turn, letter, bytes)
    else if (turn?.isWrapped && letter === 'T' && turn.kind === 'simple' && frame.kind === 'message')
      this.#holdBeginning(turn, bytes)
    else {
      if (letter === 'G') this.#requests.beginCopying()
      if (turn && (turn.kind === 'simple' || /[GHW]/.test(letter))) turn.isTold = true
      this.#tell(bytes)
    }
  }

  #holdBeginning(turn: Turn, bytes: Buffer): void {
    if (turn.beginning) this.#tell(bytes)
    else turn.beginning = bytes
  }

  #takeLogin(letter: string, bytes: Buffer): void {
    if (letter === 'K') this.cancelRequest = cancelRequest(bytes.subarray(5))
    if (letter === 'K') this.#backend.id = bytes.readInt32BE(5)
    this.#tell(letter === 'R' ? withoutChannelBinding(bytes) : bytes)
  }

  #takeNotice(unit: Unit, bytes: Buffer): void {
    const { turn } = this.#requests
    // That a transaction is open already: the client begins one behind ours.
    const isOurs = turn?.isWrapped && turn.kind === 'extended' && readFields(bytes).get('C') === '25001'
    if (!isOurs) this.#tell(shiftPlace(bytes, unit.before))
  }

  #takeDone(unit: Unit, turn: Turn, letter: string, bytes: Buffer): void {
    const answer = letter === 'C' ? { tag: readTag(bytes) } : {}
    this.#backend.finish(unit.report ?? turn.underWay, answer)
    // From now on the transaction is the client's own to end.
    if (turn.kind === 'extended' && /^(?:BEGIN|START TRANSACTION)$/.test(answer.tag ?? ''))
      turn.isWrapped = false
    const isLast = turn.parts.length === 0 && this.#backend.units.every(one => one === unit || one.aside)
    if (turn.isWrapped && turn.kind === 'simple' && isLast) turn.ending.push(bytes)
    else this.#tell(bytes)
  }

  #takeFailure(unit: Unit, failure: Failure): void {
    const { turn } = this.#requests
    if (failure.isFatal) this.#tellFatal(failure)
    // What was sent behind a statement that failed fails as well.
    if (failure.isFatal || turn?.hasFailed) return
    const { code, message } = failure
    const canRetry = turn?.canBeSentAgain(code)
    const report = unit.report ?? turn?.underWay
    this.#backend.finish(report, { failure: { code, message } })
    this.#requests.isCopying = false
    if (turn) Object.assign(turn, { hasFailed: true, isForRetry: canRetry })
    if (turn && canRetry) turn.beginning = undefined
    if (!canRetry) this.#tell(shiftPlace(failure.bytes, unit.before))
  }
}
