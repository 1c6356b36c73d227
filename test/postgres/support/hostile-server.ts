/** A PostgreSQL server that breaks the protocol: the answers of a test in place of its own, in a phase by choice. */

import { createServer, type Socket } from 'node:net'
import type { LocalServers } from '../../support/local-servers.ts'

/** A message: type, length, body (PostgreSQL documentation, section 54.7). `length` is a false one. */
export function message(type: string, body: Buffer | number[] = [], length = 4 + body.length): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeUInt32BE(length >>> 0, 1)
  return Buffer.concat([head, Buffer.from(body)])
}

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** A request of the server to log in in this way. */
export const authentication = (code: number, rest: Buffer | number[] = []) =>
  message('R', Buffer.concat([int32(code), Buffer.from(rest)]))

export const ready = message('Z', Buffer.from('I'))
export const loggedIn = Buffer.concat([authentication(0), ready])

/** The answers to the messages of a client, one after the other. */
export const phases = {
  'in place of a login': (answer: Buffer) => [answer],
  'after a password': (answer: Buffer) => [authentication(3), answer],
  'after a login': (answer: Buffer) => [Buffer.concat([loggedIn, answer])],
  'in place of rows': (answer: Buffer) => [loggedIn, answer],
  'among rows': (answer: Buffer) => [loggedIn, Buffer.concat([oneColumn, answer])],
}
export type Phase = keyof typeof phases
export const allPhases = Object.keys(phases) as Phase[]

/** A description of rows with one column `a` of texts. */
const oneColumn = message(
  'T',
  Buffer.concat([
    Buffer.from([0, 1]),
    Buffer.from('a\0'),
    Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25]),
    Buffer.alloc(8),
  ]),
)

const text = (value: string) => Buffer.from(value)

/** Answers that no server of PostgreSQL gives, or that the driver does not understand. */
export const hostileAnswers: [name: string, answer: Buffer][] = [
  ...[1, 2, 4, 6, 7, 8, 9, 13, 255, -1, 0x7fffffff].map((code): [string, Buffer] => [
    `authentication ${code}`,
    authentication(code),
  ]),
  ['MD5 without a salt', authentication(5)],
  ['SASL without a way', authentication(10, [0])],
  ['SASL with an unknown way', authentication(10, text('SCRAM-SHA-512\0\0'))],
  ['SASL whose list has no end', authentication(10, text('SCRAM-SHA-256'))],
  ['SASL that goes on before it began', authentication(11, text('r=x'))],
  ['SASL that ends before it began', authentication(12, text('v=x'))],
  ['authentication without a code', message('R')],
  ...[0, 1, 2, 3, -1, -0x80000000].map((length): [string, Buffer] => [
    `a message of the length ${length}`,
    message('R', [0, 0, 0, 0], length),
  ]),
  ['an error without fields', message('E')],
  ['an error whose fields have no end', message('E', text('SFATAL\0'))],
  ['an error whose field has no end', message('E', text('SFATAL\0C28P01\0Mno'))],
  ['an error with an end alone', message('E', [0])],
  ['a notice without fields', message('N')],
  ['a row of -1 values', message('D', [0xff, 0xff])],
  ['a row without a count', message('D')],
  ['a row with too few values', message('D', [0, 9, 0, 0, 0, 1, 65])],
  ['a row whose value goes backwards', message('D', [0x7f, 0xff, 0xff, 0xff, 0xff, 0xf0])],
  ['a row whose value is longer than it', message('D', [0, 1, 0, 0, 0xff, 0xff, 65])],
  ['a row with more values than columns', message('D', [0, 2, 0, 0, 0, 1, 65, 0, 0, 0, 1, 66])],
  ['columns without a count', message('T')],
  ['columns that are missing', message('T', [0x7f, 0xff])],
  ['a setting without a name', message('S')],
  ['a key without its parts', message('K')],
  ['a notification without its parts', message('A')],
  ['types that are missing', message('t', [0x7f, 0xff])],
  ['a copy without its columns', message('G', [0, 0x7f, 0xff])],
  ['a copy that nothing asked for', message('d', [1, 2, 3])],
  ['an unknown message', message('?')],
  ['a message of type 0', message('\0')],
  ['a page', text('HTTP/1.1 400 Bad Request\r\n\r\n<html>')],
  ['nothing but zeros', Buffer.alloc(64)],
  ['nothing but ones', Buffer.alloc(64, 0xff)],
  ['a flood of settings', Buffer.concat(Array<Buffer>(1000).fill(message('S', text('a\0b\0'))))],
]

/** A server that gives these answers, closes the connection after the last, and takes no TLS. Resolves to its port. */
export function startHostileServer(servers: LocalServers, answers: Buffer[]): Promise<number> {
  const server = createServer((socket: Socket) => {
    const left = [...answers]
    socket.on('data', data => {
      // A request for TLS, which has no other message before it.
      if (data.length === 8 && data.readUInt32BE(4) === 80877103) return void socket.write('N')
      const answer = left.shift()
      if (answer !== undefined) socket.write(answer)
      if (left.length === 0) socket.end()
    })
  })
  return servers.listen(server)
}
