/** Milliseconds after the start of a wait when the first looks are taken. */
const firstLooks = [500, 1000, 2000, 4000]

/** Between the looks while the work has not begun: its end is not near either. Milliseconds. */
const whileQueued = 4000

/** No new database is ready sooner, but for those that the first looks find (docs/api.md, "Work that takes time"). */
const soonest = { at: 20_000, every: 4000 }

/** How far a wait is. */
export interface Progress {
  /** Milliseconds since it began. */
  elapsed: number
  /** The work was not seen to be under way yet. */
  isQueued: boolean
  /** What is waited for is a new record, and not a change of one that is there. */
  isNew: boolean
}

function usualDelay({ elapsed, isQueued, isNew }: Progress): number {
  if (isNew && elapsed < soonest.at) return Math.min(soonest.every, Math.max(1000, soonest.at - elapsed))
  if (isQueued) return whileQueued
  return Math.min(6000, 1000 + elapsed * 0.015)
}

/**
 * Milliseconds from now to the next look: soon at first, then the slower the longer it takes, since a wait of 20 minutes
 * is not helped by a look each second. docs/performance.md compares it with other policies.
 */
export function untilNextLook(progress: Progress, random: number): number {
  // A look that comes a little early (timers round down) still counts as taken.
  const next = firstLooks.find(at => at > progress.elapsed + 50)
  if (next !== undefined) return next - progress.elapsed
  return usualDelay(progress) * (0.9 + 0.2 * random)
}
