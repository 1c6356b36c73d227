import { once } from 'node:events'
import { createServer } from 'node:net'
import { ClusterError } from './errors.ts'

/**
 * Below the ranges that Linux (32768 up) and macOS (49152 up) give to outgoing connections, so that a stopped
 * service's port is not taken by the next one of those.
 */
const first = 20_000
const count = 12_000
const tries = 200

/** Hands out ports of this machine, none of them twice. */
export class Ports {
  /** Where they are listened on. */
  readonly host: string
  readonly #taken = new Set<number>()

  constructor(host: string) {
    this.host = host
  }

  /** Takes this very port, for which somebody has been told already. */
  reserve(port: number): void {
    this.#taken.add(port)
  }

  /** Takes a port that nobody listens on now. */
  async take(): Promise<number> {
    for (let attempt = 0; attempt < tries; attempt++) {
      const port = first + Math.floor(Math.random() * count)
      if (this.#taken.has(port)) continue
      this.#taken.add(port)
      if (await isFree(port, this.host)) return port
      this.#taken.delete(port)
    }
    throw new ClusterError(
      `No free port between ${first} and ${first + count}: stop other servers on this machine.`,
    )
  }

  /** Gives a port back. */
  release(port: number | undefined): void {
    if (port !== undefined) this.#taken.delete(port)
  }
}

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
