/** Starts and closes the servers of a test. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** Servers of a test on free ports of this machine, with all their connections. */
export class LocalServers {
  readonly #open: { server: Server; sockets: Set<Socket> }[] = []

  async listen(server: Server): Promise<number> {
    const sockets = new Set<Socket>()
    server.on('connection', socket => {
      sockets.add(socket)
      // Some tests cause a reset by the other side.
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    this.#open.push({ server, sockets })
    return (server.address() as AddressInfo).port
  }

  /** Starts a server that accepts connections and sends nothing. `reached` settles at its first data. */
  async startMute(): Promise<{ port: number; reached: Promise<void> }> {
    const reached = Promise.withResolvers<void>()
    const server = createServer(socket => socket.on('data', () => reached.resolve()))
    return { port: await this.listen(server), reached: reached.promise }
  }

  async close(): Promise<void> {
    const closed = this.#open.splice(0).map(({ server, sockets }) => {
      const end = server.listening ? once(server, 'close') : Promise.resolve()
      server.close()
      for (const socket of sockets) socket.destroy()
      return end
    })
    await Promise.all(closed)
  }

  /** Finds a port without a listener, where connections are refused. */
  async findClosedPort(create: () => Server): Promise<number> {
    const server = create()
    const port = await this.listen(server)
    server.close()
    await once(server, 'close')
    return port
  }
}

/** The servers for the tests of a file or group, closed after them. */
export function useServers(): LocalServers {
  const servers = new LocalServers()
  afterAll(() => servers.close())
  return servers
}
