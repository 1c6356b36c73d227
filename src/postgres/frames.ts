/** The type of a message: the ASCII code of its letter. */
export const typeOf = (letter: string) => letter.charCodeAt(0)

/**
 * A part of a stream of messages. A `message` is whole. A `start` is the beginning of one that is too large to be kept,
 * and its rest comes as `piece`; so does what nobody has to understand, whole messages or parts of them.
 */
export interface Frame {
  kind: 'message' | 'start' | 'piece'
  /** The letter of a message's type; empty for a piece. */
  letter: string
  bytes: Buffer
}

/** What must be known of a message to take it out of the stream. */
export interface Reading {
  /** Whether the messages of a type are only handed on. */
  isBulk(type: number): boolean
  /** The most bytes that a message of a type is kept for. */
  most(type: number): number
}

/** Type and length stand before what a message holds; the length counts itself (PostgreSQL documentation, 54.7). */
const header = 5

/** How much of a message that is too large is kept all the same, since names stand at its beginning. */
const beginning = 8192

/** What comes is no message. */
export class ProtocolError extends Error {
  override name = 'ProtocolError'
}

/** Takes a stream of bytes apart into messages. What is only handed on is never kept. */
export class Frames {
  readonly #reading: Reading
  /** Read, and not handed out yet. */
  #bytes: Buffer = Buffer.alloc(0)
  /** Chunks behind it; they are put together only once there are enough. */
  #more: Buffer[] = []
  #moreLength = 0
  /** Bytes of a message that are still to be handed on. */
  #rest = 0

  constructor(reading: Reading) {
    this.#reading = reading
  }

  push(chunk: Buffer): void {
    this.#more.push(chunk)
    this.#moreLength += chunk.length
  }

  /** All that is left, for a stream that is no longer looked into. */
  drain(): Buffer {
    const left = Buffer.concat([this.#bytes, ...this.#more])
    this.#bytes = Buffer.alloc(0)
    this.#more = []
    this.#moreLength = 0
    return left
  }

  /** The next part, if there is one. */
  next(): Frame | undefined {
    this.#gather(header)
    if (this.#rest > 0) return this.#take('piece', '', this.#rest)
    if (this.#bytes.length < header) return undefined
    const type = this.#bytes.readUInt8()
    const length = this.#lengthAt(0)
    if (this.#reading.isBulk(type)) return this.#takeBulk(type)
    const letter = String.fromCharCode(type)
    if (length > this.#reading.most(type)) {
      this.#gather(beginning)
      if (this.#bytes.length < Math.min(beginning, length)) return undefined
      this.#rest = length
      return this.#take('start', letter, length)
    }
    this.#gather(length)
    if (this.#bytes.length < length) return undefined
    this.#rest = length
    return this.#take('message', letter, length)
  }

  /** Puts chunks together until there are `needed` bytes, if there are so many. */
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
    if (length < 4) throw new ProtocolError(`a message claims to be ${length} bytes long`)
    return length + 1
  }

  /** As many messages of a type in one part as are there, the last one perhaps only begun. */
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
