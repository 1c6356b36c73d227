/** Renders where and when a rehearsal was measured. */
import type { HeldLock, MeasuredOn } from './stored.ts'

/** `2026-01-31 04:10 UTC`; undefined for an invalid date. */
export function renderMoment(at: number): string | undefined {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** The sessions that waited for a lock: `, 3 waited`. Empty without any. */
export const describeWaiting = ({ waiting = 0 }: HeldLock) => (waiting > 0 ? `, ${waiting} waited` : '')

/** The conditions of a measurement: `on a fork of the parent as of 2026-01-31 04:10 UTC, 2 CPU (parent 8), PostgreSQL 17.6`. */
export function describeConditions({ serverVersion, fork = {} }: MeasuredOn): string {
  const { data, createdAt = '', cpuMillis, parentCpuMillis } = fork
  const at = renderMoment(Date.parse(createdAt))
  const of =
    data === 'snapshot' ? `its last snapshot before ${at}` : `${at}${data === 'now' ? '' : ' at the latest'}`
  const parent = parentCpuMillis === undefined ? '' : ` (parent ${parentCpuMillis / 1000})`
  return [
    data && at && `on a fork of the parent as of ${of}`,
    cpuMillis !== undefined && `${cpuMillis / 1000} CPU${parent}`,
    serverVersion && `PostgreSQL ${serverVersion}`,
  ]
    .filter(Boolean)
    .join(', ')
}
