/** Checks the messages of a server before the driver reads them: a malformed one could crash or block the driver. */
import type pg from 'pg'
import { Frames, ProtocolError } from './frames.ts'

/** The messages that the driver knows (pg-protocol, src/parser.ts). */
const knownTypes = '123nscWDCZARSKENTtGHd'

/** Bytes for type and length of a message. */
const header = 5

/** Whether the fields of an error or notice end with a zero byte. Without it the driver would loop forever. */
function hasLastField(message: Buffer): boolean {
  let at = header
  while (at < message.length && message[at] !== 0) {
    const end = message.indexOf(0, at + 1)
    if (end < 0) return false
    at = end + 1
  }
  return at < message.length
}

/** Whether the values fill the row exactly. With a negative length, the driver would loop forever. */
function hasAllValues(message: Buffer): boolean {
  if (message.length < header + 2) return false
  let at = header + 2
  for (let left = message.readInt16BE(header); left > 0; left--) {
    if (at + 4 > message.length) return false
    const length = message.readInt32BE(at)
    if (length < -1) return false
    at += 4 + Math.max(0, length)
  }
  return at === message.length
}

const checks: Record<string, (message: Buffer) => boolean> = {
  E: hasLastField,
  N: hasLastField,
  D: hasAllValues,
}

function assertReadable(letter: string, message: Buffer): void {
  if (!knownTypes.includes(letter))
    throw new ProtocolError(`the server sent a message of the unknown type ${JSON.stringify(letter)}`)
  if (checks[letter]?.(message) === false)
    throw new ProtocolError(`the server sent a malformed message of the type ${letter}`)
}

/** The part of a stream that the driver reads from. */
interface Source {
  on(event: string, listener: (chunk: Buffer) => void): unknown
  destroy(error: Error): unknown
}

/** The driver passes each stream that it reads, the socket or the TLS stream, to this undocumented method. */
type Reader = pg.Connection & { attachListeners(stream: Source): void }

/** Passes only well-formed messages to the driver. Any other message, or too many bytes, closes the connection. */
export function checkAnswers({ connection }: pg.Client, mostBytes = 1024 * 1024): void {
  const reader = connection as Reader
  const attach = reader.attachListeners.bind(reader)
  let size = 0
  const checkChunks = (stream: Source, read: (message: Buffer) => void) => {
    const frames = new Frames({ bulk: '', largestKept: Number.POSITIVE_INFINITY })
    return (chunk: Buffer) => {
      try {
        size += chunk.length
        if (size > mostBytes) throw new Error(`the server sent more than ${mostBytes} bytes`)
        frames.push(chunk)
        for (let frame = frames.next(); frame !== undefined; frame = frames.next()) {
          assertReadable(frame.letter, frame.bytes)
          read(frame.bytes)
        }
      } catch (error) {
        stream.destroy(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }
  reader.attachListeners = stream =>
    attach({
      on: (event, listener) => stream.on(event, event === 'data' ? checkChunks(stream, listener) : listener),
      destroy: error => stream.destroy(error),
    })
}
