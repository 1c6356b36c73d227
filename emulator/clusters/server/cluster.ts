/** A data folder and its server. */
import path from 'node:path'
import type { Client } from 'pg'
import { type Address, reachable, type Sizes } from '../../data-plane.ts'
import { createFolder } from '../disk/files.ts'
import { removeTree } from '../disk/tree.ts'
import { ClusterError } from '../errors.ts'
import type { Installation } from '../installation/installation.ts'
import type { Settings } from '../installation/settings.ts'
import { isPortTaken } from '../machine/programs.ts'
import type { SystemAccount } from '../machine/system-account.ts'
import { type AdminAddress, asAdmin } from './admin.ts'
import { PostgresServer, type Shutdown } from './postgres-server.ts'
import { sizeSettings } from './size-settings.ts'

/** Another program may take a free port before PostgreSQL listens on it. */
const portAttempts = 5

/** A data folder, and the server that runs on it while it is started. */
export class Cluster {
  /** Holds the data, the archive, the log and the socket. */
  readonly folder: string
  readonly data: string
  /** Finished segments of the write-ahead log. */
  readonly archive: string
  readonly logFile: string
  readonly installation: Installation
  readonly #settings: Settings
  #server: PostgresServer | undefined
  #ready = false
  /** The port of the server, also of its next start. A port set from outside must be reserved already. */
  port: number | undefined
  /** The size that limits the server, from its next start on. */
  sizes: Sizes | undefined
  /** The server allows at least this many sessions at every size, from its next start on. */
  leastConnections = 0
  /** Called when the server has ended unexpectedly. */
  onCrash: () => void = () => {}

  /** `name` becomes the name of its folder; `settings` apply to every start. */
  constructor(installation: Installation, name: string, settings: Settings = {}) {
    this.installation = installation
    this.folder = path.join(installation.folder, name)
    this.data = path.join(this.folder, 'data')
    this.archive = path.join(this.folder, 'archive')
    this.logFile = path.join(this.folder, 'log')
    const { host, keyFile, certificateFile } = installation
    this.#settings = {
      ...installation.settings,
      // Not in postgresql.conf: the folder may be moved, and be used with another host.
      listen_addresses: host,
      ssl_key_file: keyFile,
      ssl_cert_file: certificateFile,
      'basic_archive.archive_directory': this.archive,
      ...settings,
    }
  }

  /** The owner of its files, if that is not the user of this process. */
  get account(): SystemAccount | undefined {
    return this.installation.programs.account
  }

  /** Creates the folders around the data folder. The caller fills the data folder next. */
  async createFolders(): Promise<void> {
    await createFolder(this.account, this.folder)
    await createFolder(this.account, this.archive)
  }

  /** Where the server accepts connections; undefined while it does not. */
  get address(): Address | undefined {
    return this.#ready && this.port ? { host: reachable(this.installation.host), port: this.port } : undefined
  }

  /** Starts the server, on the port it had before if that is free. `settings` apply to this start only. */
  async start(settings: Settings = {}): Promise<Address> {
    for (let attempt = 1; !this.address; attempt++) {
      this.port ??= await this.installation.ports.take()
      try {
        await this.#run(this.port, settings)
      } catch (error) {
        if (attempt === portAttempts || !isPortTaken(error)) throw error
        this.#releasePort()
      }
    }
    return this.address
  }

  /** Restarts the server if it runs, so that a changed size takes effect. `settings` apply to this start only. */
  async restart(settings: Settings = {}): Promise<Address | undefined> {
    if (!this.address) return undefined
    await this.stop('fast')
    return this.start(settings)
  }

  /** Stops the server, if it runs, and waits for its end. */
  async stop(how: Shutdown): Promise<void> {
    this.#ready = false
    await this.#server?.stop(how)
  }

  /** Stops the server at once, deletes every file and releases the port. */
  async remove(): Promise<void> {
    await this.clear()
    this.#releasePort()
  }

  /** Like `remove`, but keeps the port. */
  async clear(): Promise<void> {
    await this.stop('immediate')
    await removeTree(this.folder)
  }

  /** Its address; throws while the server is stopped. */
  checkRunning(): Address {
    if (this.address) return this.address
    throw new ClusterError('The service is stopped: start it first.')
  }

  /** Connects as the superuser for the time of `job`. */
  async asAdmin<T>(job: (client: Client) => Promise<T>): Promise<T> {
    return asAdmin(this.adminAddress, job)
  }

  /** How the superuser connects. */
  get adminAddress(): AdminAddress {
    const { superuserPassword } = this.installation
    return { socketFolder: this.folder, port: this.checkRunning().port, password: superuserPassword }
  }

  async #run(port: number, settings: Settings): Promise<void> {
    const server = await PostgresServer.launch(this.installation, {
      data: this.data,
      socketFolder: this.folder,
      logFile: this.logFile,
      port,
      settings: { ...this.#settings, ...sizeSettings(this.sizes, this.leastConnections), ...settings },
    })
    this.#server = server
    void server.ended.then(() => {
      const hasCrashed = this.#ready
      this.#ready = false
      this.#server = undefined
      if (hasCrashed) this.onCrash()
    })
    try {
      await server.ready()
      this.#ready = this.#server === server
    } catch (error) {
      await server.stop('immediate')
      throw error
    }
  }

  #releasePort(): void {
    this.installation.ports.release(this.port)
    this.port = undefined
  }
}
