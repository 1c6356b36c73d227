/** Milliseconds after the start of a wait when the first looks are taken. */
const firstLooks = [500, 1000, 2000, 4000]

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/**
 * Milliseconds from now, `elapsed` into the wait, to the next look: soon at first, then the slower the longer
 * it takes, since a wait of 20 minutes is not helped by a look each second.
 */
export function untilNextLook(elapsed: number, random: number): number {
  // A look that comes a little early (timers round down) still counts as taken.
  const next = firstLooks.find(at => at > elapsed + 50)
  if (next !== undefined) return next - elapsed
  return clamp(elapsed * 0.025, 1500, 6000) * (0.9 + 0.2 * random)
}
