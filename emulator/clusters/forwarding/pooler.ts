/** Runs PgBouncer in front of a database. */
import { rm, utimes } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '#base/unknown-values'
import { type Address, reachable } from '../../data-plane.ts'
import { createFolder, writeOwned } from '../disk/files.ts'
import { ClosedError, ClusterError } from '../errors.ts'
import type { Installation } from '../installation/installation.ts'
import { isPortTaken, type Program, programError } from '../machine/programs.ts'
import type { Cluster } from '../server/cluster.ts'
import { Queue } from '../server/queue.ts'
import { RestartPolicy } from '../server/restart-policy.ts'
import { connectionsFor } from '../server/size-settings.ts'
import { renderConfiguration, renderUsers } from './pgbouncer.ts'

/** The names of poolers' folders, which a killed emulator may have left. */
export const poolerFolder = /^pooler\d+$/

/** The number of the database's connections that stay available to others. */
const spare = 20
const startPatience = 20_000
const stopPatience = 5_000

async function end(program: Program): Promise<void> {
  program.child.kill('SIGTERM')
  const timer = setTimeout(() => program.child.kill('SIGKILL'), stopPatience)
  await program.ended
  clearTimeout(timer)
}

/** A PgBouncer in front of a database. It runs while the database does. */
export class Pooler {
  readonly #installation: Installation
  readonly #program: string
  readonly #cluster: Cluster
  readonly #queue = new Queue()
  readonly #restartPolicy = new RestartPolicy()
  #port: number
  #writes = 0
  #running: Program | undefined
  #isClosed = false
  #isRenewing = false
  /** Called when the pooler has moved to another address. */
  onMove: (address: Address) => void = () => {}
  /** Called when PgBouncer has ended unexpectedly and cannot be started again. */
  onLoss: (problem: string) => void = () => {}

  private constructor(installation: Installation, program: string, cluster: Cluster, port: number) {
    this.#installation = installation
    this.#program = program
    this.#cluster = cluster
    this.#port = port
  }

  /** `preferred` is a port already reserved for it. */
  static async open(
    installation: Installation,
    program: string,
    cluster: Cluster,
    preferred?: number,
  ): Promise<Pooler> {
    const port = preferred ?? (await installation.ports.take())
    const pooler = new Pooler(installation, program, cluster, port)
    try {
      await pooler.renew()
      return pooler
    } catch (error) {
      await pooler.close()
      throw error
    }
  }

  get address(): Address {
    return { host: reachable(this.#installation.host), port: this.#port }
  }

  /**
   * Called when the database has started, perhaps at another address, or has stopped, or its owner's password
   * has changed.
   */
  async renew(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#isClosed) return
      if (!this.#cluster.address) return this.#stop()
      await this.#configure()
      if (this.#running) this.#running.child.kill('SIGHUP')
      else await this.#start()
    })
  }

  /** Ends PgBouncer with all its sessions, and deletes its files. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#queue.run(async () => {
      await this.#stop()
      await rm(this.#folder, { recursive: true, force: true })
      this.#installation.ports.release(this.#port)
    })
  }

  get #folder(): string {
    return path.join(this.#installation.folder, `pooler${this.#port}`)
  }

  async #configure(): Promise<void> {
    const { host, keyFile, certificateFile, superuserPassword, programs } = this.#installation
    const cluster = this.#cluster
    const userFile = path.join(this.#folder, 'users')
    const secret = await cluster.asAdmin(async client => {
      const sql = "SELECT rolpassword AS secret FROM pg_authid WHERE rolname = 'tsdbadmin'"
      const { rows } = await client.query<{ secret: string | null }>(sql)
      return rows[0]?.secret ?? ''
    })
    await rm(this.#folder, { recursive: true, force: true })
    await createFolder(programs.account, this.#folder)
    await writeOwned(programs.account, userFile, renderUsers(secret, superuserPassword))
    // A file of the same inode, size and second is not read again (auth_loaded() in PgBouncer's loader.c).
    await utimes(userFile, 0, ++this.#writes)
    const configuration = renderConfiguration({
      ...{ host, keyFile, certificateFile, userFile },
      port: this.#port,
      socketFolder: cluster.folder,
      databasePort: cluster.adminAddress.port,
      connections: connectionsFor(cluster.sizes) - spare,
    })
    await writeOwned(programs.account, path.join(this.#folder, 'pgbouncer.ini'), configuration)
  }

  /** Starts PgBouncer, at another port if another program listens at the usual one. */
  async #start(): Promise<void> {
    try {
      return await this.#launch()
    } catch (error) {
      if (!isPortTaken(error)) throw error
    }
    await rm(this.#folder, { recursive: true, force: true })
    this.#installation.ports.release(this.#port)
    this.#port = await this.#installation.ports.take()
    await this.#configure()
    await this.#launch()
    this.onMove(this.address)
  }

  async #launch(): Promise<void> {
    const args = [path.join(this.#folder, 'pgbouncer.ini')]
    const stdio = ['ignore', 'ignore', 'pipe'] as const
    const program = this.#installation.programs.launch(this.#program, args, [...stdio], 'SIGTERM')
    let output = ''
    program.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4000)
      // The owner may have set another password with SQL, which PgBouncer must read.
      if (text.includes('authentication failed')) this.#learnPassword()
    })
    let hasEnded = false
    void program.ended.then(() => {
      hasEnded = true
      if (this.#running === program) this.#revive()
    })
    // PgBouncer logs this once it listens (main.c).
    for (const deadline = performance.now() + startPatience; !output.includes('process up'); await sleep(5)) {
      if (hasEnded) throw programError(program, output)
      if (performance.now() > deadline) {
        await end(program)
        throw new ClusterError(`PgBouncer was not ready after ${startPatience / 1000} s.`)
      }
    }
    this.#running = program
    if (hasEnded) this.#revive()
  }

  #learnPassword(): void {
    if (this.#isRenewing) return
    this.#isRenewing = true
    const finish = () => {
      this.#isRenewing = false
    }
    this.renew().then(finish, finish)
  }

  async #stop(): Promise<void> {
    const program = this.#running
    this.#running = undefined
    if (program) await end(program)
  }

  #revive(): void {
    this.#running = undefined
    if (this.#isClosed || this.#installation.programs.isClosed) return
    this.#restartPolicy
      .attempt(() => this.renew())
      .catch(error => {
        if (!(error instanceof ClosedError)) this.onLoss(`its pooler has ended: ${messageOf(error)}`)
      })
  }
}
