import type { Course } from './profile.ts'

/**
 * A change under way. It is over once its time has passed *and* the data plane has reported every effect it
 * awaits. Both have a time of their own, so a status depends on the clock alone, never on when somebody looked.
 */
export interface Work<Change extends { kind: string }> {
  change: Change
  since: number
  lasts: number
  /** The statuses on the way, each with its time, where they are not the usual ones. */
  statuses?: Course['statuses']
  awaits: string[]
  /** When the last effect was reported. */
  reportedAt: number
}

/** Starts work on a change; `awaits` are the ids of the effects it needs. */
export function begin<Change extends { kind: string }>(
  change: Change,
  since: number,
  { lasts, statuses }: Course,
  awaits: string[],
): Work<Change> {
  return { change, since, lasts, awaits, reportedAt: since, ...(statuses.length > 0 && { statuses }) }
}

/** When the work is over, as far as is known; undefined while an effect is not reported. */
export function endOf(work: Work<{ kind: string }>): number | undefined {
  if (work.awaits.length > 0) return undefined
  return Math.max(work.since + work.lasts, work.reportedAt)
}

/** Takes note that an effect is done. */
export function reportEffect(work: Work<{ kind: string }> | undefined, effectId: string, now: number): void {
  if (!work?.awaits.includes(effectId)) return
  work.awaits = work.awaits.filter(id => id !== effectId)
  work.reportedAt = Math.max(work.reportedAt, now)
}

/** The status to show now: among its own, or else those that the work passes through in this order. */
export function phase(
  work: Work<{ kind: string }>,
  statuses: readonly [string, ...string[]],
  now: number,
): string {
  let until = work.since
  for (const [status, lasts] of work.statuses ?? []) {
    until += lasts
    if (now < until) return status
  }
  // The database may take longer than what was seen.
  const last = work.statuses?.at(-1)
  if (last) return last[0]
  const elapsed = now - work.since
  const index = elapsed <= 0 ? 0 : Math.floor((elapsed / work.lasts) * statuses.length)
  return statuses[Math.min(index, statuses.length - 1)] ?? statuses[0]
}
