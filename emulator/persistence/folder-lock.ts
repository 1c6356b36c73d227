/** Locks a folder for one emulator. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import path from 'node:path'

/**
 * The address of the lock. Windows has no sockets in folders, but named pipes, which end with their process as well.
 */
function lockAddress(folder: string): string {
  if (process.platform !== 'win32') return path.join(folder, 'lock')
  return `\\\\.\\pipe\\managed-database-emulator-${folder.toLowerCase().replaceAll(/[^a-z0-9]/g, '-')}`
}

async function listen(address: string): Promise<Server | undefined> {
  const server = createServer(socket => socket.destroy())
  try {
    server.listen(address)
    await once(server, 'listening')
    return server
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined
    throw error
  }
}

async function isAlive(address: string): Promise<boolean> {
  const socket = connect(address)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/**
 * Prevents two emulators from using one folder. The lock is a socket in it on which its owner listens. The
 * system closes the socket when the process ends for any reason, and another process may then take the
 * lock. Process ids are not enough: they are reused, and have another meaning in another container.
 */
export class FolderLock {
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    server.unref()
  }

  /** Undefined if another process has the lock. */
  static async acquire(folder: string): Promise<FolderLock | undefined> {
    const address = lockAddress(folder)
    const first = await listen(address)
    if (first || (await isAlive(address))) return first && new FolderLock(first)
    const setAside = `${address}.${randomBytes(4).toString('hex')}`
    await rename(address, setAside).catch(() => {})
    if (await isAlive(setAside)) {
      // A race: another process took the lock between the two checks. It gets the lock back.
      await rename(setAside, address)
      return undefined
    }
    await rm(setAside, { force: true })
    const second = await listen(address)
    return second && new FolderLock(second)
  }

  async release(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    // Also removes the socket.
    this.#server.close()
    await closed
  }
}
