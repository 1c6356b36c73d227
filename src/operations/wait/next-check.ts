/** Decides when a wait checks its record again. */

/** Times of the first checks, in milliseconds after the start of a wait. */
const firstChecks = [500, 1000, 2000, 4000]

/** Milliseconds between checks while the work is still queued and its end is not near. */
const whileQueued = 4000

/** A new database is ready at once, or not before `at` milliseconds (docs/internals/api.md, "Work that takes time"). */
const soonest = { at: 20_000, every: 4000 }

export interface Progress {
  /** Milliseconds since its start. */
  elapsed: number
  /** No check has observed the work in progress yet. */
  isQueued: boolean
  /** The wait is for a new record, not for the change of an existing one. */
  isNew: boolean
}

function usualDelay({ elapsed, isQueued, isNew }: Progress): number {
  if (isNew && elapsed < soonest.at) return Math.min(soonest.every, Math.max(1000, soonest.at - elapsed))
  if (isQueued) return whileQueued
  return Math.min(6000, 1000 + elapsed * 0.015)
}

/** Milliseconds until the next check: rarer during long waits (docs/internals/performance.md compares policies). */
export function untilNextCheck(progress: Progress, random: number): number {
  // Timers round down: a check slightly before its time still counts.
  const next = firstChecks.find(at => at > progress.elapsed + 50)
  if (next !== undefined) return next - progress.elapsed
  return usualDelay(progress) * (0.9 + 0.2 * random)
}
