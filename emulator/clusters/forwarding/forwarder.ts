/** Forwards connections to a database. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { type Address, reachable } from '../../data-plane.ts'
import type { Ports } from '../machine/ports.ts'

/** Listens on its own port and passes each connection on to the current address of the database. */
export class Forwarder {
  readonly address: Address
  readonly #server: Server
  readonly #ports: Ports
  readonly #host: string
  readonly #sockets = new Set<Socket>()

  private constructor(ports: Ports, port: number, target: () => Address | undefined) {
    this.#ports = ports
    this.#host = ports.host
    this.address = { host: reachable(ports.host), port }
    this.#server = createServer(socket => this.#forward(socket, target()))
  }

  /**
   * `target` is called for each connection, which is closed at once if there is no target. `preferred` is a
   * port already reserved for it; if another program listens there, another port is used.
   */
  static async open(ports: Ports, target: () => Address | undefined, preferred?: number): Promise<Forwarder> {
    for (let port = preferred; ; port = undefined) {
      const forwarder = new Forwarder(ports, port ?? (await ports.take()), target)
      if (await forwarder.#listen()) return forwarder
    }
  }

  /** Stops listening and ends every connection. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
    this.#ports.release(this.address.port)
  }

  /** False if another program took the port meanwhile. */
  async #listen(): Promise<boolean> {
    try {
      this.#server.listen({ host: this.#host, port: this.address.port })
      await once(this.#server, 'listening')
      return true
    } catch {
      this.#ports.release(this.address.port)
      return false
    }
  }

  #forward(socket: Socket, target: Address | undefined): void {
    this.#keep(socket)
    if (!target) {
      socket.destroy()
      return
    }
    const onward = connect(target)
    this.#keep(onward)
    socket.once('close', () => onward.destroy())
    onward.once('close', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.setNoDelay(true)
    // Every error is followed by 'close', which cleans up.
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
  }
}
