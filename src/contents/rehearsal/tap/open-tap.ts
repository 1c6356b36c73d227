/** Relays the connections of a migration to its database, byte for byte, and reports the statements to a watch. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { Seam } from '#base/seam'
import { messageOf } from '#base/unknown-values'
import type { Connection } from '#postgres/connection'
import { Exchange } from './exchange.ts'
import { fatalError, requests } from './messages.ts'
import { cancelAll, reach } from './reach.ts'
import { relaySession, type TappedSession } from './relay.ts'
import type { Watch } from './watch.ts'

/** The most bytes of a StartupMessage (PostgreSQL, MAX_STARTUP_PACKET_LENGTH). */
const mostStartupBytes = 10_000

/** Reads the first message of a client. Undefined if the client leaves or speaks another protocol. */
async function readFirst(client: Socket): Promise<Buffer | undefined> {
  let bytes: Buffer = Buffer.alloc(0)
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    bytes = Buffer.concat([bytes, chunk])
    const length = bytes.length < 8 ? 8 : bytes.readUInt32BE()
    if (length < 8 || length > mostStartupBytes) return undefined
    if (bytes.length < length) continue
    client.unshift(bytes.subarray(length))
    return bytes.subarray(0, length)
  }
  return undefined
}

/** The state that all connections of a tap share. */
interface Shared {
  target: Connection
  watch: Watch
  seam: Pick<Seam, 'now'>
  /** The sessions, each with the promise of its end. */
  open: Map<TappedSession, Promise<void>>
  isTlsRefused: boolean
  /** Whether a session that has ended ran a statement. */
  hasRun: boolean
}

/** Reads the start message. Refuses encryption, which a connection within the machine does not need. */
async function readStartMessage(client: Socket, shared: Shared): Promise<Buffer | undefined> {
  for (;;) {
    // A connection that breaks before its first message is no problem.
    const first = await readFirst(client).catch(() => undefined)
    const code = first?.readUInt32BE(4)
    if (first !== undefined) shared.isTlsRefused = code === requests.tls
    if (code !== requests.tls && code !== requests.gss) return first
    client.write('N')
  }
}

/** Relays a connection without reading it. */
function pipe(client: Socket, server: Socket): void {
  client.pipe(server).pipe(client)
  client.once('close', () => server.end())
}

/** Serves one client until its connection ends. */
async function serveClient(client: Socket, shared: Shared) {
  const { target, watch, seam, open } = shared
  const first = await readStartMessage(client, shared)
  if (first === undefined) {
    client.destroy()
    return
  }
  let server: Socket
  try {
    server = await reach(target)
  } catch (error) {
    const problem = `the database cannot be reached: ${messageOf(error)}`
    watch.onProblem(problem)
    client.end(fatalError('08006', problem))
    return
  }
  server.on('error', () => {})
  server.write(first)
  const code = first.readUInt32BE(4)
  if (code === requests.cancel) return pipe(client, server)
  // The upper half of the code is the major version of the protocol.
  if (code >>> 16 !== 3) {
    watch.onProblem('a connection with an old protocol is not read')
    return pipe(client, server)
  }
  const exchange = new Exchange(seam, watch)
  const tapped = { client, server, watch, exchange, onReady: () => {} }
  // If one connection breaks, the loop of the other one ends too.
  const ended = relaySession(tapped).catch(() => {})
  open.set(tapped, ended)
  await ended
  shared.hasRun ||= exchange.hasRun
  const rest = exchange.takeRest()
  if (exchange.backend !== undefined && rest.length > 0) watch.onReady(exchange.backend, rest, 'I')
  if (exchange.isBusy) watch.onProblem('a connection ended before its statement was answered')
  open.delete(tapped)
  client.destroy()
  server.destroy()
  if (exchange.backend !== undefined) watch.onClosed(exchange.backend)
}

export interface OpenTap {
  port: number
  /** Whether a client asked for TLS, and none has continued without TLS since. */
  hasRefusedTls(): boolean
  /** Whether the server has answered a statement. */
  hasRun(): boolean
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
  const shared: Shared = { target, watch, seam, open, isTlsRefused: false, hasRun: false }
  const listener = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, client => {
    clients.add(client)
    client.on('error', () => {}).once('close', () => clients.delete(client))
    serveClient(client, shared).catch(error => {
      watch.onProblem(messageOf(error))
      client.destroy()
    })
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the tap has no port')
  return {
    port: address.port,
    hasRefusedTls: () => shared.isTlsRefused,
    hasRun: () => shared.hasRun || [...open.keys()].some(({ exchange }) => exchange.hasRun),
    async close() {
      const closed = new Promise(resolve => listener.close(resolve))
      const busy = [...open.keys()].filter(({ exchange }) => exchange.isBusy)
      const cancelRequests = busy.flatMap(({ exchange }) => exchange.cancel ?? [])
      if (cancelRequests.length > 0) await cancelAll(target, cancelRequests)
      for (const { server } of open.keys()) server.destroy()
      for (const client of clients) client.destroy()
      await Promise.all([closed, ...open.values()])
    },
  }
}

/** Calls `use` with the address of a tap that reports to `watch`; without a watch, with that of the database. */
export async function callThroughTap<Target extends Connection>(
  seam: Pick<Seam, 'now'>,
  connection: Target,
  watch: Watch | undefined,
  use: (address: Target, tap?: OpenTap) => Promise<void>,
): Promise<void> {
  if (watch === undefined) return await use(connection)
  const tap = await openTap(connection, watch, seam)
  // The connection to the tap needs no TLS: it stays on this machine, and the tap uses TLS to the server.
  const tapAddress = { host: '127.0.0.1', port: tap.port, sslmode: 'disable', rootCertificate: undefined }
  try {
    await use({ ...connection, ...tapAddress }, tap)
  } finally {
    await tap.close()
  }
}
