import type { EndpointName } from '#api/endpoints'
import type { Course } from './profile.ts'
import { courseOf, type Timing } from './timing.ts'

/**
 * A change under way. It is over once its time has passed *and* the data plane has reported every effect it
 * awaits. Both have a time of their own, so a status depends on the clock alone, never on when somebody looked.
 */
export interface Work<Change extends { kind: string }> {
  change: Change
  since: number
  lasts: number
  /** The statuses on the way, each with its time, where they are not the usual ones; without any, it shows none. */
  statuses?: Course['statuses']
  awaits: string[]
  /** When the last effect was reported. */
  reportedAt: number
}

/** Starts work on a change that an operation asks for; `awaits` are the ids of the effects it needs. */
export const begin = <Change extends { kind: string }>(
  { timing, now }: { timing: Timing; now: number },
  operation: EndpointName,
  change: Change,
  awaits: string[],
): Work<Change> => ({ change, since: now, ...courseOf(timing, operation), awaits, reportedAt: now })

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

/**
 * The status to show now: among its own, or else those that the work passes through in this order. Undefined for that of
 * before.
 */
export function phase<Status extends string>(
  work: Work<{ kind: string }>,
  statuses: readonly [Status, ...Status[]],
  now: number,
): string | undefined {
  let until = work.since
  for (const [status, lasts] of work.statuses ?? []) {
    until += lasts
    if (now < until) return status
  }
  // The database may take longer than what was seen.
  if (work.statuses) return work.statuses.at(-1)?.[0]
  const elapsed = now - work.since
  const index = elapsed <= 0 ? 0 : Math.floor((elapsed / work.lasts) * statuses.length)
  return statuses[Math.min(index, statuses.length - 1)] ?? statuses[0]
}
