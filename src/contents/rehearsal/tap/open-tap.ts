/** Relays the connections of a migration to its database, byte for byte, and reports the statements to a watch. */
import { createServer, type Socket } from 'node:net'
import { messageOf } from '#base/errors'
import type { Seam } from '#base/seam'
import type { Connection } from '#postgres/connection'
import { type Frame, type FrameLimits, Frames, typeOf } from '#postgres/frames'
import { Exchange } from './exchange.ts'
import { fatalError, readStartup, requests, withoutChannelBinding } from './messages.ts'
import { cancelAll, reach } from './reach.ts'
import type { Watch } from './watch.ts'

/** The first byte of a direct TLS connection, which starts without a request. */
const tlsHandshake = 0x16

/** The most bytes of a StartupMessage (PostgreSQL, MAX_STARTUP_PACKET_LENGTH). */
const mostStartup = 10_000

/** Rows and COPY data are relayed without being read. */
const bulk = new Set(['D', 'd'].map(typeOf))

/** The most bytes of a message that is read whole. Only the start of a longer message is read. */
const reading: FrameLimits = { isBulk: type => bulk.has(type), largestKept: () => 1024 * 1024 }

interface Tapped {
  client: Socket
  server: Socket
  exchange: Exchange
  watch: Watch
  /** Releases the waiting message of the client: a ReadyForQuery is relayed, or none will come. */
  onReady: () => void
}

/**
 * Reads the first message of a client, without the bytes after it. Undefined if the client leaves or speaks another
 * protocol.
 */
function readFirst(client: Socket): Promise<Buffer | undefined> {
  return new Promise(resolve => {
    let bytes: Buffer = Buffer.alloc(0)
    const finish = (first?: Buffer) => {
      client.pause().off('data', take).off('close', leave).off('end', leave)
      resolve(first)
    }
    const leave = () => finish()
    const take = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes[0] === tlsHandshake) return finish()
      if (bytes.length < 8) return
      const length = bytes.readUInt32BE()
      if (length < 8 || length > mostStartup) return finish()
      if (bytes.length < length) return
      client.unshift(bytes.subarray(length))
      finish(bytes.subarray(0, length))
    }
    client.on('data', take).on('close', leave).on('end', leave).resume()
  })
}

/** The state that all connections of a tap share. */
interface Shared {
  target: Connection
  watch: Watch
  seam: Pick<Seam, 'now'>
  /** The sessions, each with the promise of its end. */
  open: Map<Tapped, Promise<void>>
  isTlsRefused: boolean
}

/** Refuses encryption, which a connection within the machine does not need. */
async function readStart(client: Socket, shared: Shared): Promise<Buffer | undefined> {
  for (;;) {
    const first = await readFirst(client)
    const code = first?.readUInt32BE(4)
    if (first !== undefined) shared.isTlsRefused = code === requests.tls
    if (code !== requests.tls && code !== requests.gss) return first
    client.write('N')
  }
}

/** Writes, and waits while the target is slower than the source. */
async function write(target: Socket, bytes: Buffer): Promise<void> {
  if (bytes.length === 0 || target.destroyed || target.write(bytes)) return
  await new Promise<void>(resolve => {
    const go = () => {
      target.off('drain', go).off('close', go)
      resolve()
    }
    target.on('drain', go).on('close', go)
  })
}

/** The bytes to relay for a message, and a promise to await first. */
interface Relayed {
  bytes: Buffer
  hold?: Promise<void> | undefined
}

/** Relays one direction to its end, and reads it as long as it is readable. */
async function relay(
  source: Socket,
  target: Socket,
  tapped: Tapped,
  take: (frame: Frame) => Relayed,
  gate?: (frame: Frame) => Promise<void> | undefined,
): Promise<void> {
  const { exchange, watch } = tapped
  const frames = new Frames(reading)
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    let ready: Buffer[] = []
    let frame: Frame | undefined
    frames.push(chunk)
    try {
      while (!exchange.isLost) {
        frame = frames.next()
        if (frame === undefined) break
        const wait = async (hold: Promise<void>) => {
          await write(target, Buffer.concat(ready))
          ready = []
          await hold
        }
        const closed = gate?.(frame)
        if (closed) await wait(closed)
        const { bytes, hold } = take(frame)
        if (hold) await wait(hold)
        ready.push(bytes)
      }
    } catch (error) {
      exchange.isLost = true
      tapped.onReady()
      watch.trouble(`a message could not be read: ${messageOf(error)}`)
      if (frame) ready.push(frame.bytes)
    }
    if (exchange.isLost) ready.push(frames.drain())
    await write(target, ready.length === 1 && ready[0] ? ready[0] : Buffer.concat(ready))
  }
  target.end()
}

/** Relays both directions of a session to their ends. */
async function converse(tapped: Tapped): Promise<void> {
  const { client, server, exchange, watch } = tapped
  const fromClient = (frame: Frame): Relayed => {
    const isEnding = exchange.fromClient(frame)
    const { backend } = exchange
    const hold = isEnding && backend !== undefined ? watch.ending(backend) : undefined
    return { bytes: frame.bytes, hold }
  }
  const fromServer = (frame: Frame): Relayed => {
    const isLogin = exchange.backend === undefined && frame.letter === 'R'
    const ran = exchange.fromServer(frame)
    const { backend, status } = exchange
    if (ran && backend === undefined && ran.length > 0)
      watch.trouble('the server did not name the process of a session')
    const hold = ran && backend !== undefined ? watch.ready(backend, ran, status) : undefined
    if (ran) void Promise.resolve(hold).then(() => tapped.onReady())
    return { bytes: isLogin ? withoutChannelBinding(frame.bytes) : frame.bytes, hold }
  }
  // A client that does not wait for ReadyForQuery waits here, so that locks are read while the transaction holds them.
  const gate = (frame: Frame) =>
    exchange.mustWait(frame)
      ? new Promise<void>(resolve => {
          tapped.onReady = resolve
        })
      : undefined
  await Promise.all([
    relay(client, server, tapped, fromClient, gate),
    relay(server, client, tapped, fromServer).finally(() => tapped.onReady()),
  ])
}

function pipe(client: Socket, server: Socket): void {
  client.pipe(server).pipe(client)
  client.once('close', () => server.end())
}

async function serve(client: Socket, shared: Shared) {
  const { target, watch, seam, open } = shared
  const first = await readStart(client, shared)
  if (first === undefined) return void client.destroy()
  let server: Socket
  try {
    server = await reach(target)
  } catch (error) {
    const problem = `the database cannot be reached: ${messageOf(error)}`
    watch.trouble(problem)
    return void client.end(fatalError('08006', problem))
  }
  server.on('error', () => {})
  server.write(first)
  const code = first.readUInt32BE(4)
  if (code === requests.cancel) return pipe(client, server)
  const replication = readStartup(first).get('replication') ?? 'false'
  if (code >>> 16 !== 3 || !/^(?:f.*|no?|off?|0)$/i.test(replication)) {
    watch.trouble('a connection for replication or with an old protocol is not read')
    return pipe(client, server)
  }
  const exchange = new Exchange(seam, watch)
  const tapped = { client, server, watch, exchange, onReady: () => {} }
  // If one connection breaks, the loop of the other one ends too.
  const over = converse(tapped).catch(() => {})
  open.set(tapped, over)
  await over
  const rest = exchange.takeRest()
  if (exchange.backend !== undefined && rest.length > 0) watch.ready(exchange.backend, rest, 'I')
  if (exchange.isBusy) watch.trouble('a connection ended before its statement was answered')
  open.delete(tapped)
  client.destroy()
  server.destroy()
  if (exchange.backend !== undefined) watch.closed(exchange.backend)
}

export interface OpenTap {
  port: number
  /** Whether a client asked for TLS, and none has continued without TLS since. */
  hasRefusedTls(): boolean
  /** Ends all connections, and cancels their running statements. */
  close(): Promise<void>
}

/**
 * Listens on loopback without TLS, and relays each connection to `target`, with TLS as its sslmode requires. Clients
 * log in with their own names and passwords.
 */
export async function openTap(target: Connection, watch: Watch, seam: Pick<Seam, 'now'>): Promise<OpenTap> {
  const clients = new Set<Socket>()
  const open: Shared['open'] = new Map()
  const shared: Shared = { target, watch, seam, open, isTlsRefused: false }
  const listener = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, client => {
    clients.add(client)
    client.on('error', () => {}).once('close', () => clients.delete(client))
    serve(client, shared).catch(error => {
      watch.trouble(messageOf(error))
      client.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the tap has no port')
  return {
    port: address.port,
    hasRefusedTls: () => shared.isTlsRefused,
    async close() {
      const closed = new Promise(resolve => listener.close(resolve))
      const busy = [...open.keys()].flatMap(({ exchange }) => (exchange.isBusy && exchange.cancel) || [])
      if (busy.length > 0) await cancelAll(target, busy)
      for (const { server } of open.keys()) server.destroy()
      for (const client of clients) client.destroy()
      await Promise.all([closed, ...open.values()])
    },
  }
}
