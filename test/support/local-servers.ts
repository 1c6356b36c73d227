/** Starts and closes the servers of a test. */
import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'

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
