/** Connects to the server of a database, and cancels statements there. */
import { once } from 'node:events'
import { isIP, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Connection } from '#postgres/connection'
import { type Tls, tlsOptions } from '#postgres/tls'
import { tlsRequest } from './messages.ts'

/** Connection timeout in milliseconds. */
const connectTimeout = 30_000

/** Resolves with the value of an event. Rejects if the socket fails or closes first. */
async function waitForEvent(socket: Socket, event: string): Promise<Buffer> {
  const closed = once(socket, 'close').then(() => {
    throw new Error('the server closed the connection')
  })
  const [value] = await Promise.race([once(socket, event), closed])
  return value
}

/**
 * Requests TLS. Returns false if the server does not offer it. Refuses an answer of more than one byte, because further
 * bytes are not encrypted and may be injected.
 */
async function requestTls(socket: Socket): Promise<boolean> {
  socket.write(tlsRequest)
  const answer = (await waitForEvent(socket, 'data')).toString('latin1')
  socket.pause()
  if (answer === 'N') return false
  if (answer === 'S') return true
  throw new Error('the server does not speak the protocol of PostgreSQL')
}

async function reachOnce({ host, port }: Connection, ssl: Tls): Promise<Socket> {
  // Errors between two waits need a listener. The socket closes after an error, which ends the connection.
  const socket = new Socket().on('error', () => {})
  const timer = setTimeout(
    () => socket.destroy(new Error(`no connection within ${connectTimeout / 1000} s`)),
    connectTimeout,
  )
  try {
    socket.connect(port, host)
    await waitForEvent(socket, 'connect')
    socket.setNoDelay(true).setKeepAlive(true)
    if (ssl === false) return socket
    if (!(await requestTls(socket))) throw new Error('the server does not offer TLS, but sslmode requires it')
    const name = isIP(host) ? {} : { servername: host }
    const secure = connectTls({ ...(ssl === true ? {} : ssl), ...name, host, socket }).on('error', () => {})
    await waitForEvent(secure, 'secureConnect')
    return secure
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Connects to the server of a database, with TLS as its sslmode requires. Sends no message yet.
 *
 * @throws the system's error if the server is unreachable
 */
export async function reach(connection: Connection): Promise<Socket> {
  // The sslmodes `allow` and `prefer` have a second choice.
  const [preferred = false, alternative] = tlsOptions(connection)
  try {
    return await reachOnce(connection, preferred)
  } catch (error) {
    if (alternative === undefined) throw error
    return await reachOnce(connection, alternative)
  }
}

/** Timeout for cancelling, in milliseconds. */
const cancelTimeout = 2000

/** Cancels the running statements, because the server notices a closed connection only later. */
export async function cancelAll(target: Connection, requests: Buffer[]): Promise<void> {
  const cancelled = requests.map(async bytes => {
    const socket = await reach(target)
    socket.on('error', () => {}).end(bytes)
    await once(socket.resume(), 'close')
  })
  const timeout = new Promise(resolve => setTimeout(resolve, cancelTimeout).unref())
  await Promise.race([Promise.allSettled(cancelled), timeout])
}
