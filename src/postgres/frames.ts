/** Splits a stream of the PostgreSQL protocol into messages. */

/**
 * A part of a message stream.
 * - `message`: a complete message.
 * - `start`: the start of a message that is too large to keep; its rest follows in pieces.
 * - `piece`: bytes to forward only, which may be several messages or a part of one.
 */
export interface Frame {
  kind: 'message' | 'start' | 'piece'
  /** The letter of a message's type; empty for a piece. */
  letter: string
  bytes: Buffer
}

export interface FrameLimits {
  /** The letters of the messages that are only forwarded. */
  bulk: string
  /** Upper limit for a message that is kept, in bytes. */
  largestKept: number
}

/** Bytes for type and length, which precede the contents (PostgreSQL documentation, 54.7). */
const header = 5

/** Bytes that are kept of a message that is too large. Names, such as a table's, are at its start. */
const keptStart = 8192

export class ProtocolError extends Error {
  override name = 'ProtocolError'
}

/** Splits a stream of bytes into messages. Bytes that are only forwarded are never kept. */
export class Frames {
  readonly #limits: FrameLimits
  /** Received bytes that are not yet in a frame. */
  #bytes: Buffer = Buffer.alloc(0)
  /** Chunks after `#bytes`, joined only once there are enough. */
  #more: Buffer[] = []
  #moreLength = 0
  /** Bytes of the current message that are still to be forwarded. */
  #rest = 0

  constructor(limits: FrameLimits) {
    this.#limits = limits
  }

  push(chunk: Buffer): void {
    this.#more.push(chunk)
    this.#moreLength += chunk.length
  }

  /** Returns the remaining bytes, for a stream that is no longer split. */
  drain(): Buffer {
    const left = Buffer.concat([this.#bytes, ...this.#more])
    this.#bytes = Buffer.alloc(0)
    this.#more = []
    this.#moreLength = 0
    return left
  }

  next(): Frame | undefined {
    this.#gather(header)
    if (this.#rest > 0) return this.#take('piece', '', this.#rest)
    if (this.#bytes.length < header) return undefined
    const { bulk, largestKept } = this.#limits
    const letter = this.#bytes.toString('latin1', 0, 1)
    const length = this.#lengthAt(0)
    if (bulk.includes(letter)) return this.#takeBulk(letter.charCodeAt(0))
    if (length > largestKept) {
      this.#gather(keptStart)
      if (this.#bytes.length < Math.min(keptStart, length)) return undefined
      this.#rest = length
      return this.#take('start', letter, length)
    }
    this.#gather(length)
    if (this.#bytes.length < length) return undefined
    this.#rest = length
    return this.#take('message', letter, length)
  }

  /** Joins chunks until `#bytes` has at least `needed` bytes, if that many arrived. */
  #gather(needed: number): void {
    const { length } = this.#bytes
    if (this.#more.length === 0 || length >= needed) return
    if (length >= header && length + this.#moreLength < needed) return
    const [first, ...others] = this.#more
    const isAlone = length === 0 && first !== undefined && others.length === 0
    this.#bytes = isAlone ? first : Buffer.concat([this.#bytes, ...this.#more])
    this.#more = []
    this.#moreLength = 0
  }

  #lengthAt(at: number): number {
    const length = this.#bytes.readUInt32BE(at + 1)
    // The length includes itself, but not the type.
    if (length < 4) throw new ProtocolError(`a message claims to be ${length} bytes long`)
    return length + 1
  }

  /** Returns all available messages of a type as one piece; the last may be incomplete. */
  #takeBulk(type: number): Frame | undefined {
    const bytes = this.#bytes
    let end = 0
    while (end + header <= bytes.length && bytes[end] === type) end += this.#lengthAt(end)
    this.#rest = end
    return this.#take('piece', '', end)
  }

  #take(kind: Frame['kind'], letter: string, most: number): Frame | undefined {
    const bytes = this.#bytes.subarray(0, most)
    if (bytes.length === 0) return undefined
    this.#bytes = this.#bytes.subarray(bytes.length)
    this.#rest -= bytes.length
    return { kind, letter, bytes }
  }
}
