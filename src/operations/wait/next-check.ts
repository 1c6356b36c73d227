/** When a wait checks the status of its record next. */

/** When the first looks are taken, in milliseconds after the start of a wait. */
const firstLooks = [500, 1000, 2000, 4000]

/** Milliseconds between looks while the work is still queued: its end is not near. */
const whileQueued = 4000

/** New databases are either ready at the first looks, or not before this (docs/internals/api.md, "Work that takes time"). */
const soonest = { at: 20_000, every: 4000 }

/** How far a wait is. */
export interface Progress {
  /** Milliseconds since it began. */
  elapsed: number
  /** No look has seen the work under way yet. */
  isQueued: boolean
  /** The wait is for a new record, not for the change of an existing one. */
  isNew: boolean
}

function usualDelay({ elapsed, isQueued, isNew }: Progress): number {
  if (isNew && elapsed < soonest.at) return Math.min(soonest.every, Math.max(1000, soonest.at - elapsed))
  if (isQueued) return whileQueued
  return Math.min(6000, 1000 + elapsed * 0.015)
}

/**
 * Milliseconds until the next look. Looks are frequent at first and become rarer: a wait of 20 minutes gains nothing
 * from a look each second. docs/internals/performance.md compares this with other policies.
 */
export function untilNextLook(progress: Progress, random: number): number {
  // Timers round down: a look that came slightly early still counts.
  const next = firstLooks.find(at => at > progress.elapsed + 50)
  if (next !== undefined) return next - progress.elapsed
  return usualDelay(progress) * (0.9 + 0.2 * random)
}
