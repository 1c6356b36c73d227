/** Relays connections to a server and records them. */
import { connect, createServer } from 'node:net'
import type { LocalServers } from './local-servers.ts'

/** A relay to a local server that records the bytes sent to the server. */
export interface RecordingRelay {
  port: number
  /** The bytes sent so far, one character for each. */
  sent(): string
}

/** Starts a relay to a port. */
export async function startRelay(servers: LocalServers, target: number): Promise<RecordingRelay> {
  let sent = ''
  const server = createServer(client => {
    const upstream = connect(target, '127.0.0.1')
    client.on('data', (bytes: Buffer) => {
      sent += bytes.toString('latin1')
    })
    client.pipe(upstream).pipe(client)
    upstream.on('error', () => client.destroy())
    client.on('error', () => upstream.destroy())
    client.on('close', () => upstream.destroy())
  })
  return { port: await servers.listen(server), sent: () => sent }
}
