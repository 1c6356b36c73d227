/** A change in progress. */
import type { EndpointName } from '#api/endpoints'
import type { ChangeTiming } from './profile.ts'
import { type Timing, timingOf } from './timing.ts'

/**
 * A change in progress. It ends when its time has passed *and* the data plane has reported every effect it
 * awaits. Both ends have fixed times, so a status depends only on the clock, never on the time of a read.
 */
export interface Work<Change extends { kind: string }> {
  change: Change
  since: number
  lasts: number
  /** The statuses during the change with their times, if they differ from the default; if empty, it shows none. */
  statuses?: ChangeTiming['statuses']
  awaits: string[]
  /** When the last effect was reported. */
  reportedAt: number
}

/** Starts work on a change that an operation requests; `awaits` are the ids of the effects it needs. */
export const begin = <Change extends { kind: string }>(
  { timing, now }: { timing: Timing; now: number },
  operation: EndpointName,
  change: Change,
  awaits: string[],
): Work<Change> => ({ change, since: now, ...timingOf(timing, operation), awaits, reportedAt: now })

/** The end of the work, if known; undefined while an effect is unreported. */
export function endOf(work: Work<{ kind: string }>): number | undefined {
  if (work.awaits.length > 0) return undefined
  return Math.max(work.since + work.lasts, work.reportedAt)
}

/** Records that an effect is done. */
export function reportEffect(work: Work<{ kind: string }> | undefined, effectId: string, now: number): void {
  if (!work?.awaits.includes(effectId)) return
  work.awaits = work.awaits.filter(id => id !== effectId)
  work.reportedAt = Math.max(work.reportedAt, now)
}

/**
 * The current status of the work: from its measured statuses, or else from `statuses`, in equal shares of its time.
 * Undefined if the status from before the work is still shown.
 */
export function currentStatus<Status extends string>(
  work: Work<{ kind: string }>,
  statuses: readonly [Status, ...Status[]],
  now: number,
): string | undefined {
  let until = work.since
  for (const [status, lasts] of work.statuses ?? []) {
    until += lasts
    if (now < until) return status
  }
  // The database may take longer than the measurement.
  if (work.statuses) return work.statuses.at(-1)?.[0]
  const elapsed = now - work.since
  const index = elapsed <= 0 ? 0 : Math.floor((elapsed / work.lasts) * statuses.length)
  return statuses[Math.min(index, statuses.length - 1)] ?? statuses[0]
}
