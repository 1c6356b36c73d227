/** Relays the messages between a client and its server, byte for byte, and records them. */
import type { Socket } from 'node:net'
import { messageOf } from '#base/unknown-values'
import { type Frame, type FrameLimits, Frames } from '#postgres/frames'
import type { Exchange } from './exchange.ts'
import { withoutChannelBinding } from './messages.ts'
import type { Watch } from './watch.ts'

/** Rows (D) and COPY data (d) are relayed without being read. Of a message above 1 MiB, only the start is read. */
const reading: FrameLimits = { bulk: 'Dd', largestKept: 1024 * 1024 }

/** A connection of a client, with its connection to the server. */
export interface TappedSession {
  client: Socket
  server: Socket
  exchange: Exchange
  watch: Watch
  /** Releases the waiting message of the client: a ReadyForQuery is relayed, or none will come. */
  onReady: () => void
}

/** Writes. The promise, if any, resolves when the target can take more bytes. */
function write(target: Socket, bytes: Buffer[]): Promise<void> | undefined {
  if (bytes.length === 0 || target.destroyed) return undefined
  if (target.write(bytes.length === 1 && bytes[0] ? bytes[0] : Buffer.concat(bytes))) return undefined
  return new Promise(resolve => {
    const finish = () => {
      target.off('drain', finish).off('close', finish)
      resolve()
    }
    target.on('drain', finish).on('close', finish)
  })
}

/** Calls `take` with each chunk until the source ends. While a returned promise is pending, the source waits. */
function readChunks(source: Socket, take: (chunk: Buffer) => Promise<void> | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const takeChunk = (chunk: Buffer) => {
      const wait = take(chunk)
      if (wait) wait.then(() => source.resume(), reject)
      if (wait) source.pause()
    }
    source.on('data', takeChunk).once('end', resolve).once('close', resolve).resume()
  })
}

/** Records a message. The tap relays it after the promise, or at once. */
type RecordMessage = (frame: Frame) => Promise<void> | undefined

/**
 * Relays one direction to its end, and reads it as long as it is readable. Each promise delays a statement, so there is one
 * only where a message must wait.
 */
async function relay(
  source: Socket,
  target: Socket,
  tapped: TappedSession,
  record: RecordMessage,
): Promise<void> {
  const { exchange, watch } = tapped
  const frames = new Frames(reading)
  const ready: Buffer[] = []
  const stopReading = (error: unknown): undefined => {
    exchange.isUnreadable = true
    tapped.onReady()
    watch.onProblem(`a message could not be read: ${messageOf(error)}`)
  }
  const attempt = <Result>(read: () => Result): Result | undefined => {
    try {
      return read()
    } catch (error) {
      return stopReading(error)
    }
  }
  const writeReady = () => write(target, ready.splice(0))
  const relayFrames = (): Promise<void> | undefined => {
    while (!exchange.isUnreadable) {
      const frame = attempt(() => frames.next())
      if (frame === undefined) break
      const hold = attempt(() => record(frame))
      if (hold)
        return Promise.all([writeReady(), hold.catch(stopReading)]).then(() => {
          ready.push(frame.bytes)
          return relayFrames()
        })
      ready.push(frame.bytes)
    }
    if (exchange.isUnreadable) ready.push(frames.drain())
    return writeReady()
  }
  await readChunks(source, chunk => {
    frames.push(chunk)
    return relayFrames()
  })
  target.end()
}

/** Relays both directions of a session to their ends. */
export async function relaySession(tapped: TappedSession): Promise<void> {
  const { client, server, exchange, watch } = tapped
  const holdEnding = (frame: Frame) => {
    const isEnding = exchange.fromClient(frame)
    const { backend } = exchange
    return isEnding && backend !== undefined ? watch.onEnding(backend) : undefined
  }
  const fromClient: RecordMessage = frame => {
    if (!exchange.mustWait(frame)) return holdEnding(frame)
    // A client that does not wait for ReadyForQuery waits here, so that locks are read while the transaction holds them.
    return new Promise<void>(resolve => {
      tapped.onReady = resolve
    }).then(() => holdEnding(frame))
  }
  const fromServer: RecordMessage = frame => {
    const isLogin = exchange.backend === undefined && frame.letter === 'R'
    const ran = exchange.fromServer(frame)
    if (isLogin) frame.bytes = withoutChannelBinding(frame.bytes)
    if (ran === undefined) return undefined
    const { backend, status } = exchange
    if (backend === undefined && ran.length > 0)
      watch.onProblem('the server did not send the process id of a session')
    const hold = backend === undefined ? undefined : watch.onReady(backend, ran, status)
    void Promise.resolve(hold).then(() => tapped.onReady())
    return hold
  }
  await Promise.all([
    relay(client, server, tapped, fromClient),
    relay(server, client, tapped, fromServer).finally(() => tapped.onReady()),
  ])
}
