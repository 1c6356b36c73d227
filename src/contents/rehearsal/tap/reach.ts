/** Connects to the server of a database, and cancels statements there. */
import { isIP, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Connection } from '#postgres/connection'
import { type Tls, tlsOptions } from '#postgres/tls'
import { tlsRequest } from './messages.ts'

/** Connection timeout in milliseconds. */
const patience = 30_000

/** Resolves with the value of an event. Rejects if the socket fails or closes first. */
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

/** The server answers the TLS request with one byte. Further bytes are not encrypted and may be injected. */
async function asksForTls(socket: Socket): Promise<boolean> {
  socket.write(tlsRequest)
  const answer = (await once(socket, 'data')).toString('latin1')
  socket.pause()
  if (answer === 'N') return false
  if (answer === 'S') return true
  throw new Error('the server does not speak the protocol of PostgreSQL')
}

async function reachOnce({ host, port }: Connection, ssl: Tls): Promise<Socket> {
  // Errors between two waits need a listener. The socket closes after an error, which ends the connection.
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
    if (!(await asksForTls(socket))) throw new Error('the server does not offer TLS, but sslmode requires it')
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
 * Connects to the server of a database, with TLS as its sslmode requires. Sends no message yet.
 *
 * @throws the system's error if the server is unreachable
 */
export async function reach(connection: Connection): Promise<Socket> {
  const [first = false, second] = tlsOptions(connection)
  try {
    return await reachOnce(connection, first)
  } catch (error) {
    if (second === undefined) throw error
    return await reachOnce(connection, second)
  }
}

/** Timeout for cancelling, in milliseconds. */
const cancelPatience = 2000

/** Cancels the running statements, because the server notices a closed connection only later. */
export async function cancelAll(target: Connection, requested: Buffer[]): Promise<void> {
  const asked = requested.map(async bytes => {
    const socket = await reach(target)
    socket.on('error', () => {}).end(bytes)
    await new Promise(resolve => socket.once('close', resolve).resume())
  })
  const timeout = new Promise(resolve => setTimeout(resolve, cancelPatience).unref())
  await Promise.race([Promise.allSettled(asked), timeout])
}
