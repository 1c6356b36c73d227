import { type Frame, Frames, typeOf } from '#postgres/frames'
import type { Backend } from './backend.ts'
import { Prepared } from './prepared.ts'
import { mostSql, Sender } from './sender.ts'
import { Turn } from './turn.ts'

/** The most bytes of a message without SQL that are kept. */
const mostOther = 65_536

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
  readonly #sender: Sender
  readonly #frames = new Frames({
    isBulk: type => type === typeOf('d'),
    most: type => (isSql(type) ? mostSql : mostOther),
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
    this.#sender = new Sender(backend, options)
  }

  get isHolding(): boolean {
    return this.#waiting !== undefined
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

  #mustWait({ kind, letter }: Frame): boolean {
    const { turn } = this
    if (turn === undefined || this.isCopying) return false
    // Rows may come before the server has asked for them; then there must be a COPY that they are for.
    const isRows = kind === 'piece' || 'cfp'.includes(letter)
    return isRows ? turn.parts.length > 0 : turn.isEnded
  }

  #take(frame: Frame): void {
    const letter = frame.kind === 'piece' ? 'd' : frame.letter
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
    this.turn = new Turn('simple', true)
    const isPlain = letter === 'Q' && frame.kind === 'message' && this.#backend.isReadable
    this.#sender.takeSimple(this.turn, bytes, isPlain)
  }

  /** All that was sent has been answered. */
  goOn(): void {
    const { turn } = this
    if (turn?.unchecked) this.#sender.startChecked(turn)
    else if (turn?.isEnded) this.#sender.goOn(turn)
  }

  /** Sends a turn once more that was refused because of the transaction around it. */
  sendAgain(): void {
    if (this.turn) this.#sender.sendAgain(this.turn)
  }

  #takeExtended(letter: string, frame: Frame): void {
    this.turn ??= new Turn('extended', false)
    const isReadable = frame.kind === 'message' && this.#backend.isReadable
    const statement = this.#prepared.take(letter, frame.bytes, isReadable)
    this.#sender.takeExtended(this.turn, letter, frame, statement)
  }
}
