/** Samples the locks of other sessions, for statements whose locks cannot be read in time. */

import { messageOf } from '#base/errors'
import type { Seam } from '#base/seam'
import { queryRows, type Session } from '#postgres/session'
import { type LockMode, parseLockMode } from './locks.ts'

/** A lock of a session, from its first to its last sample. */
export interface Seen {
  relation: number
  mode: LockMode
  /** The virtual transaction id of the session. */
  transaction: string
  from: number
  firstSeen: number
  until: number
}

/**
 * Milliseconds between two samples. The pause grows with the duration of the statement, since a long statement needs fewer
 * samples. A statement outside a transaction is sampled without a pause at first.
 */
const pause = { least: 5, most: 250, share: 0.005, none: 50 }

/** Locks of other sessions in this database, and the sessions that block them. Takes no lock itself. */
const question = (newest: number) => `
  select l.pid, l.relation, l.mode, l.granted, l.virtualtransaction as transaction,
    to_json(case when l.granted then '{}' else pg_blocking_pids(l.pid) end) as "blockedBy"
  from pg_locks l
  where l.locktype = 'relation' and l.pid <> pg_backend_pid() and l.relation between 16384::oid and ${newest}::oid
    and (l.mode <> 'AccessShareLock' or not l.granted)
    and l.database = (select oid from pg_database where datname = current_database())`

interface SampledLock {
  pid: number
  relation: number
  mode: string
  transaction: string
  granted: boolean
  /** The ids of the blocking sessions. */
  blockedBy: number[]
}

/** Samples the locks of other sessions from a session of its own. */
export class Sampler {
  /** The reason why sampling ended early. */
  problem: string | undefined
  readonly #session: Session
  readonly #question: string
  readonly #seam: Pick<Seam, 'now' | 'sleep'>
  /** By session. */
  readonly #seen = new Map<number, Seen[]>()
  /** Waiting sessions, by `session relation` of the session that they wait for. */
  readonly #waiting = new Map<string, Set<number>>()
  #last: number
  #lastNews: number
  #isOver = false
  #hurryUntil = 0
  #wake = () => {}

  /** @param newest as for `readLocks` */
  constructor(session: Session, seam: Pick<Seam, 'now' | 'sleep'>, newest: number) {
    this.#question = question(newest)
    this.#session = session
    this.#seam = seam
    this.#last = seam.now()
    this.#lastNews = this.#last
  }

  /** The locks of a session in samples since a time. */
  since(backend: number, at: number): Seen[] {
    this.#lastNews = this.#seam.now()
    // Statements come in order, so samples before this one are no longer needed.
    const seen = (this.#seen.get(backend) ?? []).filter(({ until }) => until >= at)
    this.#seen.set(backend, seen)
    return seen
  }

  /** The number of sessions that waited for this session because of a relation. */
  waiting(backend: number, relation: number): number {
    return this.#waiting.get(`${backend} ${relation}`)?.size ?? 0
  }

  /** Samples until `stop` is called or a query fails. */
  async run(): Promise<void> {
    try {
      while (!this.#isOver) {
        await this.#sample()
        if (this.#seam.now() < this.#hurryUntil) continue
        const quiet = (this.#seam.now() - this.#lastNews) * pause.share
        const pausing = this.#seam.sleep(Math.min(pause.most, Math.max(pause.least, quiet)))
        await Promise.race([pausing, new Promise<void>(resolve => (this.#wake = resolve))])
      }
    } catch (error) {
      this.problem = `the locks could not be watched to the end: ${messageOf(error)}`
    }
  }

  /** Samples without a pause: a statement begins that may end before the next sample. */
  hurry(): void {
    this.#hurryUntil = this.#seam.now() + pause.none
    this.#wake()
  }

  rest(): void {
    this.#hurryUntil = 0
  }

  stop(): void {
    this.#isOver = true
    this.rest()
    this.#wake()
  }

  async #sample(): Promise<void> {
    const before = this.#last
    const asked = this.#seam.now()
    const rows = await queryRows<SampledLock>(this.#session, this.#question)
    const now = this.#seam.now()
    this.#last = asked
    for (const { pid, relation, mode: text, transaction, blockedBy, granted } of rows) {
      const mode = parseLockMode(text)
      for (const backend of blockedBy) {
        const key = `${backend} ${relation}`
        this.#waiting.set(key, (this.#waiting.get(key) ?? new Set()).add(pid))
      }
      if (granted && mode)
        this.#noteHeld(pid, { relation, mode, transaction, from: before, firstSeen: now, until: now })
    }
  }

  /** A lock that the last sample did not contain was taken since then. */
  #noteHeld(pid: number, one: Seen): void {
    const { relation, mode, transaction, from, until } = one
    const seen = this.#seen.get(pid) ?? []
    this.#seen.set(pid, seen)
    const known = seen.findLast(
      other => other.relation === relation && other.mode === mode && other.transaction === transaction,
    )
    if (known && known.until >= from) known.until = until
    else seen.push(one)
  }
}
