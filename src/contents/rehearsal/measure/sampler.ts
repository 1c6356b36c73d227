/** Samples the locks of other sessions, for statements whose locks cannot be read in time. */
import type { Seam } from '#base/seam'
import { queryRows, type Session } from '#postgres/session'
import { firstUserId } from '#postgres/sql'
import { type LockMode, parseLockMode } from '../result/lock-modes.ts'

/** A lock of a session, from its first to its last sample. */
export interface SampledLock {
  relation: number
  mode: LockMode
  /** The virtual transaction id of the session. */
  transaction: string
  from: number
  firstSampledAt: number
  until: number
}

/**
 * Milliseconds between two samples. The pause grows with the duration of the statement, since a long statement needs fewer
 * samples. A statement outside a transaction is sampled without a pause at first.
 */
const pause = { least: 5, most: 250, share: 0.005, skippedFor: 50 }

/** Locks of other sessions in this database. Takes no lock itself. */
const locksQuery = (highestId: number) => `
  select l.pid, l.relation, l.mode, l.virtualtransaction as transaction
  from pg_locks l
  where l.locktype = 'relation' and l.granted and l.pid <> pg_backend_pid() and l.relation between ${firstUserId}::oid and ${highestId}::oid
    and l.mode <> 'AccessShareLock'
    and l.database = (select oid from pg_database where datname = current_database())`

interface LockRow {
  pid: number
  relation: number
  mode: string
  transaction: string
}

/** Samples the locks of other sessions from a session of its own. `highestId`: as for `readLocks`. */
export function createSampler(session: Session, seam: Pick<Seam, 'now' | 'sleep'>, highestId: number) {
  /** By session. */
  const held = new Map<number, SampledLock[]>()
  let last = seam.now()
  let lastStatementAt = last
  let isStopped = false
  let withoutPauseUntil = 0
  let wake = () => {}

  /** A lock that the last sample did not contain was taken since then. */
  function recordHeld(pid: number, one: SampledLock): void {
    const { relation, mode, transaction, from, until } = one
    const seen = held.get(pid) ?? []
    held.set(pid, seen)
    const known = seen.findLast(
      other => other.relation === relation && other.mode === mode && other.transaction === transaction,
    )
    if (known && known.until >= from) known.until = until
    else seen.push(one)
  }

  async function sample(): Promise<void> {
    const from = last
    last = seam.now()
    const rows = await queryRows<LockRow>(session, locksQuery(highestId))
    const now = seam.now()
    for (const { pid, relation, mode: text, transaction } of rows) {
      const mode = parseLockMode(text)
      if (mode) recordHeld(pid, { relation, mode, transaction, from, firstSampledAt: now, until: now })
    }
  }

  return {
    /** Returns the locks of a session in samples since a time, and forgets earlier samples. */
    since(backend: number, at: number): SampledLock[] {
      lastStatementAt = seam.now()
      // Statements come in order, so no later call needs them.
      const seen = (held.get(backend) ?? []).filter(({ until }) => until >= at)
      held.set(backend, seen)
      return seen
    },
    /** Samples until `stop` is called. @throws the error of a query */
    async run(): Promise<void> {
      while (!isStopped) {
        await sample()
        if (seam.now() < withoutPauseUntil) continue
        const quiet = (seam.now() - lastStatementAt) * pause.share
        const pausing = seam.sleep(Math.min(pause.most, Math.max(pause.least, quiet)))
        await Promise.race([pausing, new Promise<void>(resolve => (wake = resolve))])
      }
    },
    /** Samples without a pause: a statement begins that may end before the next sample. */
    skipPauses(): void {
      withoutPauseUntil = seam.now() + pause.skippedFor
      wake()
    },
    resumePauses(): void {
      withoutPauseUntil = 0
    },
    stop(): void {
      isStopped = true
      withoutPauseUntil = 0
      wake()
    },
  }
}

export type Sampler = ReturnType<typeof createSampler>
