/** Connects to the server of a database, and cancels statements there. */
import { isIP, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Connection } from '#postgres/connection'
import { type Tls, tlsOptions } from '#postgres/tls'
import { requests } from './messages.ts'

/** Milliseconds until the server must have taken the connection. */
const patience = 30_000

/** Asks the server for TLS. */
function tlsRequest(): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32BE(8)
  bytes.writeUInt32BE(requests.tls, 4)
  return bytes
}

/** Resolves with what an event gives; rejects with the error of the socket, or if it closes first. */
function once(socket: Socket, event: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const closed = () => reject(new Error('the server closed the connection'))
    socket.once('error', reject).once('close', closed)
    socket.once(event, value => {
      socket.off('error', reject).off('close', closed)
      resolve(value)
    })
  })
}

/** The server's answer to the request for TLS: one byte, nothing behind it, or somebody in between has put it there. */
async function asksForTls(socket: Socket): Promise<boolean> {
  socket.write(tlsRequest())
  const answer = (await once(socket, 'data')).toString('latin1')
  socket.pause()
  if (answer === 'N') return false
  if (answer === 'S') return true
  throw new Error('the server does not answer as PostgreSQL does')
}

async function reachOnce({ host, port }: Connection, ssl: Tls): Promise<Socket> {
  // Between two waits, an error of a socket has no other listener: its close ends the connection.
  const socket = new Socket().on('error', () => {})
  const late = setTimeout(
    () => socket.destroy(new Error(`no connection within ${patience / 1000} s`)),
    patience,
  )
  try {
    socket.connect(port, host)
    await once(socket, 'connect')
    socket.setNoDelay(true).setKeepAlive(true)
    if (ssl === false) return socket
    if (!(await asksForTls(socket))) throw new Error('the server has no TLS, which sslmode asks for')
    const name = isIP(host) ? {} : { servername: host }
    const secure = connectTls({ ...(ssl === true ? {} : ssl), ...name, host, socket }).on('error', () => {})
    await once(secure, 'secureConnect')
    return secure
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(late)
  }
}

/**
 * Connects to the server of a database, with TLS as its sslmode says. Nothing is sent yet.
 *
 * @throws what the system says where it cannot be reached
 */
export async function reach(connection: Connection): Promise<Socket> {
  const [first = false, ...others] = tlsOptions(connection)
  try {
    return await reachOnce(connection, first)
  } catch (error) {
    const [second] = others
    if (second === undefined) throw error
    return await reachOnce(connection, second)
  }
}

/** Milliseconds that the server gets to cancel statements. */
const cancelPatience = 2000

/** Cancels the statements that sessions still run: the server would notice only later that the client is gone. */
export async function cancelAll(target: Connection, requested: Buffer[]): Promise<void> {
  const asked = requested.map(async bytes => {
    const socket = await reach(target)
    socket.on('error', () => {}).end(bytes)
    await new Promise(resolve => socket.once('close', resolve).resume())
  })
  let late: NodeJS.Timeout | undefined
  const timeout = new Promise(resolve => {
    late = setTimeout(resolve, cancelPatience)
  })
  await Promise.race([Promise.allSettled(asked), timeout])
  clearTimeout(late)
}
