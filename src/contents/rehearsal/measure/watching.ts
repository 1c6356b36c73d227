/** Observes the sessions of a migration, as the watch of a tap. */
import { messageOf } from '#base/errors'
import type { Seam } from '#base/seam'
import type { Session } from '#postgres/session'
import { isPlain } from '../tap/statements.ts'
import type { Ran, TransactionStatus, Watch } from '../tap/watch.ts'
import type { Recorded } from './attribution.ts'
import { readFilesOf, readLocks, readWal } from './lock-snapshot.ts'
import type { Recorder } from './recorder.ts'
import type { Sampler } from './sampler.ts'

/** Reads locks and files from a second session while the tap holds the messages of the first session back. */
export class Watching implements Watch {
  readonly recorder: Recorder
  problem: string | undefined
  readonly #session: Session
  readonly #seam: Pick<Seam, 'now'>

  readonly #sampler: Sampler

  constructor(session: Session, seam: Pick<Seam, 'now'>, recorder: Recorder, sampler: Sampler) {
    this.#session = session
    this.#sampler = sampler
    this.#seam = seam
    this.recorder = recorder
  }

  sent(statements: string[]): void {
    if (!statements.every(isPlain)) this.#sampler.hurry()
  }

  ready(backend: number, ran: Ran[], status: TransactionStatus): Promise<void> | undefined {
    this.#sampler.rest()
    if (ran.length === 0) return undefined
    const mustRead = this.recorder.ran(backend, ran, status)
    if (mustRead) return this.#readLocks(backend)
    if (status !== 'I') return undefined
    const exclusive = this.recorder.ended(backend, this.#seam.now())
    return ran.every(({ sql }) => isPlain(sql)) && exclusive.size === 0
      ? undefined
      : this.#readAfter(exclusive)
  }

  ending(backend: number): Promise<void> | undefined {
    return this.#readLocks(backend)
  }

  closed(backend: number): void {
    this.recorder.ended(backend, this.#seam.now())
  }

  trouble(problem: string): void {
    this.problem ??= problem
  }

  async #readLocks(backend: number): Promise<void> {
    const asked = this.#seam.now()
    try {
      const locks = await readLocks(this.#session, backend, this.recorder.newest)
      const now = this.#seam.now()
      this.recorder.read(backend, locks, asked, now - asked)
    } catch (error) {
      this.trouble(`the locks of the migration could not be read: ${messageOf(error)}`)
    }
  }

  async #readAfter(exclusive: ReadonlyMap<number, ReadonlySet<Recorded>>): Promise<void> {
    const last = this.recorder.statements.at(-1)
    try {
      if (exclusive.size > 0)
        this.recorder.rewrote(await readFilesOf(this.#session, exclusive.keys()), exclusive)
      this.recorder.wrote(await readWal(this.#session), last)
    } catch (error) {
      this.trouble(`the files after a statement could not be read: ${messageOf(error)}`)
    }
  }
}
