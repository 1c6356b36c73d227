/** Assigns ports to databases. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { NoPortError } from '../../data-plane.ts'

/** The first and the last of some ports. */
export type PortRange = readonly [first: number, last: number]

/**
 * Below the ranges that Linux (32768 up) and macOS (49152 up) give to outgoing connections, so that no outgoing
 * connection takes the port of a stopped service.
 */
const defaultRange: PortRange = [20_000, 31_999]

/** The ports of all emulators in this process: a promised port has no listener yet. */
const taken = new Set<number>()

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ port, host, exclusive: true })
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}

/** Assigns ports of this machine, each only once. */
export class Ports {
  /** The address of the ports. */
  readonly host: string
  readonly #range: PortRange
  readonly #own = new Set<number>()

  constructor(host: string, range = defaultRange) {
    this.host = host
    this.#range = range
  }

  /** Reserves this very port, because a caller already knows it. */
  reserve(port: number): void {
    taken.add(port)
    this.#own.add(port)
  }

  /** Reserves a port without a listener. Rejects with `NoPortError` if there is none. */
  async take(): Promise<number> {
    const [first, last] = this.#range
    const count = last - first + 1
    const start = Math.floor(Math.random() * count)
    for (let step = 0; step < count; step++) {
      const port = first + ((start + step) % count)
      if (taken.has(port)) continue
      this.reserve(port)
      if (await isFree(port, this.host)) return port
      this.release(port)
    }
    throw new NoPortError(
      `no port from ${first} to ${last} is free: delete services or stop other servers on this machine, ` +
        'or start the emulator with more --ports',
    )
  }

  release(port: number | undefined): void {
    if (port !== undefined && this.#own.delete(port)) taken.delete(port)
  }

  releaseAll(): void {
    for (const port of this.#own) this.release(port)
  }
}
