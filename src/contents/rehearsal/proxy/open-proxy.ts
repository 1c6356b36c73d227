import { type AddressInfo, createServer, type Socket } from 'node:net'
import { messageOf } from '#base/errors'
import type { Connection } from '#postgres/connection'
import { Conversation } from './conversation.ts'
import { fatalError, readStartup, requests, terminate } from './messages.ts'
import { reach } from './reach.ts'
import type { Watch } from './watch.ts'

/** The first byte of a TLS connection that begins without asking. */
const tlsHandshake = 0x16

/** A StartupMessage is short (PostgreSQL, MAX_STARTUP_PACKET_LENGTH). */
const mostStartup = 10_000

/** What the proxy needs from outside. */
interface Clock {
  now(): number
}

interface House {
  target: Connection
  watch: Watch
  clock: Clock
  /** Those with sessions of the server. */
  talks: Set<Conversation>
  /** Ends the socket with the proxy. */
  keep(socket: Socket): void
}

/** Writes, and lets the source wait where it is quicker than the target. */
function pour(bytes: Buffer, source: Socket, target: Socket): void {
  if (target.destroyed || target.writableEnded) return
  if (target.write(bytes) || source.isPaused()) return
  source.pause()
  target.once('drain', () => source.resume())
}

/** Hands on all that comes, both ways, until one of both is gone. */
function join(client: Socket, server: Socket): void {
  for (const [source, target] of [
    [client, server],
    [server, client],
  ] as const) {
    source.on('data', bytes => pour(bytes, source, target))
    source.on('end', () => target.end())
    source.on('close', () => target.destroy())
    source.resume()
  }
}

/** Reads what a client begins with, without what comes behind. Undefined where it is gone before. */
function readBeginning(client: Socket): Promise<Buffer | undefined> {
  return new Promise(resolve => {
    let bytes: Buffer = Buffer.alloc(0)
    const finish = (beginning?: Buffer) => {
      client.pause().off('data', take).off('close', gone).off('end', gone)
      resolve(beginning)
    }
    const gone = () => finish()
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
    client.on('data', take).on('close', gone).on('end', gone).resume()
  })
}

/** A client asks for encryption before it begins; on the loopback there is none. */
async function readStart(client: Socket): Promise<Buffer | undefined> {
  for (;;) {
    const beginning = await readBeginning(client)
    const code = beginning?.readUInt32BE(4)
    if (code !== requests.tls && code !== requests.gss) return beginning
    client.write('N')
  }
}

/** Milliseconds that the server gets to end what sessions still run. */
const cancelPatience = 2000

/** Asks the server to end what sessions run: without that it would notice only with its answers that the client is gone. */
async function cancelAll(target: Connection, wishes: Buffer[]): Promise<void> {
  let late: NodeJS.Timeout | undefined
  const asked = wishes.map(async wish => {
    const socket = await reach(target)
    socket.on('error', () => {}).end(wish)
    await new Promise(resolve => socket.once('close', resolve).resume())
  })
  const timeout = new Promise(resolve => {
    late = setTimeout(resolve, cancelPatience)
  })
  await Promise.race([Promise.allSettled(asked), timeout])
  clearTimeout(late)
}

/** Ends a client after any failure: one problem for the step, one error for the client. */
function refuse(client: Socket, watch: Watch, problem: string, code = '08P01'): void {
  watch.trouble(undefined, problem)
  // The client can read the error only while the proxy reads, and discards, the rest of its messages.
  client.removeAllListeners('data').end(fatalError(code, problem)).resume()
}

/** Streams on to one session, in both directions. */
function converse(client: Socket, server: Socket, { watch, clock, talks }: House): void {
  const conversation = new Conversation({
    watch,
    now: () => clock.now(),
    toClient: bytes => pour(bytes, server, client),
    toServer: bytes => pour(bytes, client, server),
    onRoom: () => client.resume(),
  })
  talks.add(conversation)
  let isLeaving = false
  /** The server gets to know that the client is gone once it has done what the client asked. */
  const leave = () => {
    if (isLeaving && conversation.isOver && !server.writableEnded) server.end(terminate)
  }
  let hasFailed = false
  /** Every event of both sockets goes through here: no exception leaves the conversation. */
  const attempt = (act: () => void) => {
    if (hasFailed) return
    try {
      act()
    } catch (error) {
      hasFailed = true
      talks.delete(conversation)
      refuse(client, watch, `the connection to the database was ended: ${messageOf(error)}`)
      server.destroy()
    }
  }
  const handle = (act: (bytes: Buffer) => void) => (bytes: Buffer) =>
    attempt(() => {
      client.cork()
      server.cork()
      act(bytes)
      client.uncork()
      server.uncork()
      if (conversation.isBusy) client.pause()
      leave()
    })
  client.on(
    'data',
    handle(bytes => conversation.fromClient(bytes)),
  )
  server.on(
    'data',
    handle(bytes => conversation.fromServer(bytes)),
  )
  const gone = () => {
    isLeaving = true
    attempt(leave)
  }
  client.on('end', gone).on('close', gone)
  // What is not read any more must not keep the server waiting.
  client.on('close', () => server.resume())
  const over = () =>
    attempt(() => {
      talks.delete(conversation)
      conversation.end()
      client.end()
    })
  server.on('end', over).on('close', over)
  client.resume()
  server.resume()
}

async function serve(client: Socket, house: House): Promise<void> {
  const { target, watch, keep } = house
  const beginning = await readStart(client)
  if (beginning === undefined) return void client.destroy()
  let server: Socket
  try {
    server = await reach(target)
  } catch (error) {
    return refuse(client, watch, `the database cannot be reached: ${messageOf(error)}`, '08006')
  }
  keep(server)
  if (client.destroyed) return void server.destroy()
  server.write(beginning)
  const code = beginning.readUInt32BE(4)
  const replication = readStartup(beginning).get('replication') ?? 'false'
  // A stream of the server's log, a request to cancel, or a protocol that is not spoken any more.
  const isOther = code >>> 16 !== 3 || !/^(?:f.*|no?|off?|0)$/i.test(replication)
  if (isOther && code !== requests.cancel)
    watch.trouble(undefined, 'a connection for replication, or of an old protocol, is not looked into')
  if (isOther) join(client, server)
  else converse(client, server, house)
}

/** A proxy that listens. */
export interface OpenProxy {
  port: number
  /** Ends all connections, and what still runs in them. */
  close(): Promise<void>
}

/**
 * Listens on the loopback, and hands on what clients and the server of a database say to each other; the watch sees which
 * statements ran. Clients log in with their own names and passwords, by TCP without TLS; to the server goes TLS as
 * `target.sslmode` says.
 */
export async function openProxy(target: Connection, watch: Watch, clock: Clock): Promise<OpenProxy> {
  const sockets = new Set<Socket>()
  const talks = new Set<Conversation>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  const listener = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, client => {
    keep(client)
    client.on('error', () => {})
    serve(client, { target, watch, clock, talks, keep }).catch(error =>
      refuse(client, watch, `the connection to the database was ended: ${messageOf(error)}`),
    )
  })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject).listen(0, '127.0.0.1', resolve)
    // Later, a connection that the system cannot accept.
    listener.on('error', error => watch.trouble(undefined, messageOf(error)))
  })
  // A text or null stands for a pipe or a server that does not listen.
  const { port } = listener.address() as AddressInfo
  return {
    port,
    async close() {
      const closed = new Promise(resolve => listener.close(resolve))
      const running = [...talks].filter(talk => !talk.isOver)
      const wishes = running.flatMap(({ cancelRequest }) => cancelRequest ?? [])
      if (wishes.length > 0) await cancelAll(target, wishes)
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
