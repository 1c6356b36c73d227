/** Samples the locks of other sessions, for statements whose locks cannot be read in time. */
import type { Seam } from '#base/seam'
import type { Session } from '#postgres/session'
import { readLocks, type SessionLock } from './locks.ts'

/** A lock from its first to its last sample. */
export interface SampledLock extends SessionLock {
  from: number
  firstSampledAt: number
  until: number
}

/**
 * Milliseconds between two samples. The pause grows with the duration of the statement, since a long statement needs fewer
 * samples. A statement outside a transaction is sampled without a pause at first.
 */
const pause = { least: 5, most: 250, share: 0.005, skippedFor: 50 }

/** Samples the locks of other sessions from a session of its own. `highestId`: as for `readLocks`. */
export function createSampler(session: Session, seam: Pick<Seam, 'now' | 'sleep'>, highestId: number) {
  /** By session. */
  const held = new Map<number, SampledLock[]>()
  let last = seam.now()
  let lastStatementAt = last
  let isStopped = false
  let withoutPauseUntil = 0
  let wake = () => {}

  const read = () => readLocks(session, highestId)

  async function sample(): Promise<void> {
    const from = last
    last = seam.now()
    const { locks } = await read()
    const now = seam.now()
    for (const lock of locks) {
      const seen = held.get(lock.pid) ?? []
      held.set(lock.pid, seen)
      const known = seen.findLast(
        ({ relation, mode, transaction }) =>
          relation === lock.relation && mode === lock.mode && transaction === lock.transaction,
      )
      // A lock that the last sample did not contain was taken since then.
      if (known && known.until >= from) known.until = now
      else seen.push({ ...lock, from, firstSampledAt: now, until: now })
    }
  }

  return {
    read,
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
