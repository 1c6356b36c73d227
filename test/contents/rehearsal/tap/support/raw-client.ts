/** A client that sends and records single messages of the PostgreSQL protocol. */
import type { Socket } from 'node:net'
import pg from 'pg'

const int16 = Buffer.from([0, 0])
const text = (value: string) => Buffer.from(`${value}\0`)

export function message(letter: string, ...parts: Buffer[]): Buffer {
  const bytes = Buffer.concat([Buffer.from(`${letter}\0\0\0\0`), ...parts])
  bytes.writeUInt32BE(bytes.length - 1, 1)
  return bytes
}

export const parse = (name: string, sql: string) => message('P', text(name), text(sql), int16)
export const bind = (portal: string, statement: string) =>
  message('B', text(portal), text(statement), int16, int16, int16)
export const execute = (portal: string) => message('E', text(portal), int16, int16)
export const close = (what: 'portal' | 'statement', name: string) =>
  message('C', Buffer.from(what === 'portal' ? 'P' : 'S'), text(name))
export const sync = message('S')
export const flush = message('H')
export const query = (sql: Buffer) => message('Q', sql, Buffer.from([0]))

export const describeMessage = (kind: 'P' | 'S', name: string) => message('D', text(`${kind}${name}`))

export const executeSome = (portal: string, rows: number) => {
  const bytes = execute(portal)
  bytes.writeInt32BE(rows, bytes.length - 4)
  return bytes
}
export const simple = (sql: string) => query(Buffer.from(sql))
export const copyData = (...rows: string[]) =>
  rows.map(row => {
    const bytes = query(Buffer.from(row)).subarray(0, -1)
    bytes.write('d')
    bytes.writeInt32BE(row.length + 4, 1)
    return bytes
  })
export const copyDone = Buffer.from([99, 0, 0, 0, 4])
export const copyFail = Buffer.from([102, 0, 0, 0, 6, 120, 0])

/** Logs in through `pg`, then speaks the protocol itself and records every message of the server. */
export class RawClient {
  readonly #socket: Socket
  #bytes = Buffer.alloc(0)
  readonly #messages: string[] = []
  #ready = 0
  #wake = () => {}

  private constructor(client: pg.Client) {
    this.#socket = client.connection.stream as Socket
    this.#socket.removeAllListeners('data')
    this.#socket.on('data', chunk => this.#take(chunk))
    this.#socket.on('close', () => this.#wake())
    // The driver has stopped reading.
    this.#socket.resume()
  }

  static async open(config: pg.ClientConfig): Promise<RawClient> {
    const client = new pg.Client(config)
    client.on('error', () => {})
    await client.connect()
    return new RawClient(client)
  }

  send(...messages: Buffer[]): void {
    this.#socket.write(Buffer.concat(messages))
  }

  /** Waits for this number of ReadyForQuery messages, or of any messages. */
  async read(count: { ready: number } | { messages: number }): Promise<string[]> {
    const isThere = () =>
      'ready' in count ? this.#ready >= count.ready : this.#messages.length >= count.messages
    while (!isThere() && !this.#socket.destroyed)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    this.#ready = 0
    return this.#messages.splice(0)
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk])
    while (this.#bytes.length >= 5) {
      const end = this.#bytes.readUInt32BE(1) + 1
      if (this.#bytes.length < end) break
      const letter = String.fromCharCode(this.#bytes[0] as number)
      if (letter === 'Z') this.#ready++
      this.#messages.push(letter + render(letter, this.#bytes.subarray(5, end)))
      this.#bytes = this.#bytes.subarray(end)
    }
    this.#wake()
  }
}

/** The columns of a RowDescription, without the ids of tables. */
function renderColumns(body: Buffer): string {
  const columns: string[] = []
  for (let at = 2; at < body.length; ) {
    const end = body.indexOf(0, at)
    columns.push(`${body.toString('utf8', at, end)} ${body.toString('hex', end + 5, end + 19)}`)
    at = end + 19
  }
  return columns.join(', ')
}

/** Renders a message without the ids of tables and processes, which differ between databases. */
function render(letter: string, body: Buffer): string {
  if (letter === 'T') return renderColumns(body)
  return body.toString('latin1', letter === 'A' ? 4 : 0).replaceAll('\0', '|')
}
