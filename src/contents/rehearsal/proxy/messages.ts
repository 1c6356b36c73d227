import { typeOf } from '#postgres/frames'

/** The first four bytes of what a client may begin with (PostgreSQL documentation, 54.7). */
export const requests = { cancel: 80877102, tls: 80877103, gss: 80877104 }

const zero = Buffer.from([0])

const int16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const text = (value: string) => Buffer.concat([Buffer.from(value), zero])

function message(letter: string, ...parts: Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  return Buffer.concat([Buffer.from(letter), int32(length), ...parts])
}

/** The text that ends with a zero byte, or undefined where none does. */
export function readText(bytes: Buffer, at: number): { value: string; end: number } | undefined {
  const end = bytes.indexOf(0, at)
  return end < 0 ? undefined : { value: bytes.toString('utf8', at, end), end: end + 1 }
}

/** The bytes of a text, from `at` on. */
export function readBytes(bytes: Buffer, at: number): Buffer {
  const end = bytes.indexOf(0, at)
  return bytes.subarray(at, end < 0 ? bytes.length : end)
}

export const parse = (name: string, sql: string | Buffer) =>
  message('P', text(name), Buffer.from(sql), zero, int16(0))

/** Without parameters, all results as text. */
export const bind = (portal: string, statement: string) =>
  message('B', text(portal), text(statement), int16(0), int16(0), int16(0))

export const execute = (portal: string) => message('E', text(portal), int32(0))

export const close = (what: 'portal' | 'statement', name: string) =>
  message('C', Buffer.from(what === 'portal' ? 'P' : 'S'), text(name))

export const sync = message('S')

/** Has the server send what it has answered so far. */
export const flush = message('H')

export const terminate = message('X')

/**
 * What a connection of its own sends to end what a session runs, by the key that the session was told (PostgreSQL docs,
 * "Canceling Requests in Progress").
 */
export const cancelRequest = (key: Buffer) =>
  Buffer.concat([int32(key.length + 8), int32(requests.cancel), key])

/** A message with one statement or several, by the simple protocol. */
export const query = (sql: Buffer) => message('Q', sql, zero)

/** The transaction's state that a client is told: idle, open or failed. */
export const ready = (status: string) => message('Z', Buffer.from(status))

/** An error in the server's way. */
export const fatalError = (code: string, what: string) =>
  message('E', ...['SFATAL', 'VFATAL', `C${code}`, `M${what}`].map(text), zero)

/** The command of a CommandComplete. */
export const readTag = (bytes: Buffer) => readText(bytes, 5)?.value ?? ''

/** The fields of an error or notice by their letters: `C` the code, `M` the message, `P` the place. */
export function readFields(bytes: Buffer): Map<string, string> {
  const fields = new Map<string, string>()
  for (let at = 5; at < bytes.length && bytes[at] !== 0; ) {
    const field = readText(bytes, at + 1)
    if (field === undefined) break
    fields.set(String.fromCharCode(bytes.readUInt8(at)), field.value)
    at = field.end
  }
  return fields
}

/** An error or notice about a part of a text, as it would be about the whole: its place counts characters. */
export function shiftPlace(bytes: Buffer, by: number): Buffer {
  if (by === 0) return bytes
  for (let at = 5; at < bytes.length && bytes[at] !== 0; ) {
    const end = bytes.indexOf(0, at + 1)
    if (end < 0) break
    if (bytes[at] === typeOf('P')) {
      const place = Number(bytes.toString('latin1', at + 1, end)) + by
      const body = [bytes.subarray(5, at + 1), Buffer.from(String(place)), bytes.subarray(end)]
      return message(String.fromCharCode(bytes.readUInt8()), ...body)
    }
    at = end + 1
  }
  return bytes
}

/** The values of a row, each as text. */
export function readRow(bytes: Buffer): (string | null)[] {
  let at = 7
  return Array.from({ length: bytes.readInt16BE(5) }, () => {
    const length = bytes.readInt32BE(at)
    at += 4
    if (length < 0) return null
    at += length
    return bytes.toString('utf8', at - length, at)
  })
}

/** The ways to log in that a server offers, in an AuthenticationSASL. */
const sasl = 10

/**
 * Takes the ways of logging in that are bound to the TLS connection (SCRAM-SHA-256-PLUS) out of what the server offers: the
 * client has no TLS with the server.
 */
export function withoutChannelBinding(bytes: Buffer): Buffer {
  if (bytes.length < 9 || bytes.readInt32BE(5) !== sasl) return bytes
  const names = bytes.toString('latin1', 9).split('\0').filter(Boolean)
  const kept = names.filter(name => !name.endsWith('-PLUS'))
  return message('R', int32(sasl), ...kept.map(text), zero)
}

/** The parameters of a StartupMessage. */
export function readStartup(bytes: Buffer): Map<string, string> {
  const parameters = new Map<string, string>()
  for (let at = 8; at < bytes.length && bytes[at] !== 0; ) {
    const name = readText(bytes, at)
    const value = name && readText(bytes, name.end)
    if (name === undefined || value === undefined) break
    parameters.set(name.value, value.value)
    at = value.end
  }
  return parameters
}
