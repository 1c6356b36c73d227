/** Reads messages of the PostgreSQL protocol (PostgreSQL documentation, 54.7). */

/** The codes of the requests with which a client can start. */
export const requests = { cancel: 80877102, tls: 80877103, gss: 80877104 }

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const text = (value: string) => Buffer.from(`${value}\0`)

function message(letter: string, ...parts: Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  return Buffer.concat([Buffer.from(letter), int32(length), ...parts])
}

/** The text from `at` to a zero byte or the end of the message. */
export function readText(bytes: Buffer, at: number): { value: string; end: number } {
  const zeroAt = bytes.indexOf(0, at)
  const end = zeroAt < 0 ? bytes.length : zeroAt
  return { value: bytes.toString('utf8', at, end), end: end + 1 }
}

/** The fields of an error by their letters: `C` is the code, `M` the message. */
export function readFields(bytes: Buffer): Map<string, string> {
  const fields = new Map<string, string>()
  for (let at = 5; at < bytes.length && bytes[at] !== 0; ) {
    const { value, end } = readText(bytes, at + 1)
    fields.set(String.fromCharCode(bytes.readUInt8(at)), value)
    at = end
  }
  return fields
}

export const tlsRequest = Buffer.concat([int32(8), int32(requests.tls)])

/** The request that cancels the statement of a session, on a separate connection. `key`: the body of its BackendKeyData. */
export const cancelRequest = (key: Buffer) =>
  Buffer.concat([int32(key.length + 8), int32(requests.cancel), key])

/** An error of the tap itself, in the form of a server error. */
export const fatalError = (code: string, problem: string) =>
  message('E', ...['SFATAL', 'VFATAL', `C${code}`, `M${problem}`].map(text), text(''))

/** AuthenticationSASL, which lists the mechanisms that a server offers. */
const sasl = 10

/**
 * The only change of the tap: it removes the mechanisms that are bound to TLS (SCRAM-SHA-256-PLUS) from the server's
 * offer. The client has no TLS to the tap, and libpq refuses such an offer without TLS.
 */
export function withoutChannelBinding(bytes: Buffer): Buffer {
  if (bytes.length < 9 || bytes.readInt32BE(5) !== sasl) return bytes
  const names = bytes.toString('latin1', 9).split('\0').filter(Boolean)
  const kept = names.filter(name => !name.endsWith('-PLUS'))
  return message('R', int32(sasl), ...kept.map(text), text(''))
}
