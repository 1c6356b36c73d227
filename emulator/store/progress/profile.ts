/** Parses the measured profile of another server. */
import { endpoints } from '#api/endpoints'

/** The duration of a change, and the statuses during it with the time of each. Milliseconds. */
export interface ChangeTiming {
  lasts: number
  statuses: (readonly [status: string, lasts: number])[]
}

/** The measurements of a service (docs/internals/live.md): its changes, by the operation that starts each. */
export interface Profile {
  changes: { [operation: string]: ChangeTiming }
  /** From the creation of a service to its first snapshot. */
  snapshotAfter?: number
}

/** A status during a change, neither its start nor its end. */
export const isPassing = (status: string) =>
  /^[A-Za-z_]{1,40}$/.test(status) && !/^(?:READY|PAUSED|DELETED|active|error)$/.test(status)

const longest = 24 * 3_600_000
const isTime = (value: unknown): value is number =>
  Number.isFinite(value) && Number(value) >= 0 && Number(value) <= longest

function isChangeTiming(value: unknown): value is ChangeTiming {
  const { lasts, statuses } = (value ?? {}) as Record<string, unknown>
  if (!isTime(lasts) || !Array.isArray(statuses)) return false
  return statuses.every((entry: unknown) => {
    const [status, time] = Array.isArray(entry) ? entry : []
    return isPassing(String(status)) && isTime(time)
  })
}

/**
 * Parses a profile.json.
 * @throws Error that names the problem
 */
export function parseProfile(text: string): Profile {
  const { changes, snapshotAfter } = (JSON.parse(text) ?? {}) as Record<string, unknown>
  if (typeof changes !== 'object' || changes === null)
    throw new Error('expected the profile that npm run live writes')
  for (const [operation, course] of Object.entries(changes)) {
    if (!Object.hasOwn(endpoints, operation))
      throw new Error(`no operation is called ${JSON.stringify(operation)}`)
    if (!isChangeTiming(course))
      throw new Error(`${operation}: expected lasts and statuses, with times in milliseconds`)
  }
  if (snapshotAfter !== undefined && !isTime(snapshotAfter))
    throw new Error('snapshotAfter: expected milliseconds')
  return { changes: changes as Profile['changes'], ...(snapshotAfter !== undefined && { snapshotAfter }) }
}
