/** Opens connections on which requests hang. */
import { connect, createServer, type LookupFunction, type Socket } from 'node:net'
import type { LocalServers } from './local-servers.ts'

/** The phase of a connection at which a request hangs until it is released. */
export type Hang = 'look-up' | 'TLS' | 'look-up of the proxy' | 'tunnel' | 'TLS through the tunnel'

export const hangs: Hang[] = ['look-up', 'TLS', 'look-up of the proxy', 'tunnel', 'TLS through the tunnel']

/** A connection to a local server on which every request hangs. */
export interface HangingConnection {
  host: string
  proxy: string | undefined
  lookup: LookupFunction
  reached: Promise<void>
  /** Resolves when all connections of the hanging request are closed; at once if there was none. */
  abandoned(): Promise<void>
  /** Continues the hanging connection. */
  release(): void
}

const opened = 'HTTP/1.1 200 OK\r\n\r\n'

/** Connects the client to the server and forwards the data received so far. */
function relay(client: Socket, target: number, first?: Buffer): void {
  const onward = connect(target, '127.0.0.1')
  if (first) onward.write(first)
  onward.pipe(client).pipe(onward)
  onward.on('error', () => client.destroy())
  client.on('close', () => onward.destroy())
}

export async function openHangingConnection(
  servers: LocalServers,
  hang: Hang,
  target: number,
): Promise<HangingConnection> {
  const reached = Promise.withResolvers<void>()
  const held: (() => void)[] = []
  const closed: Promise<void>[] = []
  let isReleased = false
  const hold = (resume: () => void) => {
    reached.resolve()
    if (isReleased) resume()
    else held.push(resume)
  }
  const isProxied = hang.includes('proxy') || hang.includes('tunnel')
  const server = createServer(client => {
    const close = Promise.withResolvers<void>()
    closed.push(close.promise)
    client.on('close', () => close.resolve())
    client.once('data', first => {
      const openTunnel = () =>
        client.write(opened) && client.once('data', hello => relay(client, target, hello))
      if (hang === 'TLS') hold(() => relay(client, target, first))
      else if (hang === 'tunnel') hold(openTunnel)
      else if (hang === 'TLS through the tunnel') {
        client.write(opened)
        client.once('data', hello => hold(() => relay(client, target, hello)))
      } else if (isProxied) openTunnel()
      else relay(client, target, first)
    })
  })
  const port = await servers.listen(server)
  const isLookUp = hang.startsWith('look-up')
  const address = `${isLookUp ? 'localhost' : '127.0.0.1'}:${port}`
  return {
    host: isProxied ? `127.0.0.1:${target}` : address,
    proxy: isProxied ? address : undefined,
    lookup: (_, __, found) => hold(() => found(null, [{ address: '127.0.0.1', family: 4 }])),
    reached: reached.promise,
    abandoned: async () => void (await Promise.all(closed)),
    release() {
      isReleased = true
      for (const resume of held.splice(0)) resume()
    },
  }
}
