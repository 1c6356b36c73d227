/** The durations of changes. */
import type { EndpointName } from '#api/endpoints'
import type { EmulatorOptions } from '../../library-types.ts'
import type { ChangeTiming, Profile } from './profile.ts'

type Times = 'readyAfter' | 'changeAfter' | 'deleteAfter' | 'snapshotAfter' | 'peeringAfter' | 'vpcBusyFor'

/** The duration of each kind of work, in milliseconds. A data plane has its own `snapshotAfter`. */
export interface Timing extends Required<Pick<EmulatorOptions, Times>> {
  /** The measurements of another server; they precede the times above. */
  like?: Profile | undefined
}

export const defaultTiming: Timing = {
  readyAfter: 2000,
  changeAfter: 1000,
  deleteAfter: 1000,
  snapshotAfter: 1000,
  peeringAfter: 2000,
  vpcBusyFor: 2000,
}

/** The durations of changes that do not take `changeAfter`. */
const otherDurations: Partial<Record<EndpointName, 'readyAfter' | 'deleteAfter'>> = {
  'create-service': 'readyAfter',
  'fork-service': 'readyAfter',
  'start-service': 'readyAfter',
  'create-replica': 'readyAfter',
  'delete-service': 'deleteAfter',
  'delete-replica': 'deleteAfter',
  'delete-vpc': 'deleteAfter',
}

/** The timing of a change: as measured, or else the default time and statuses. */
export const timingOf = (
  timing: Timing,
  operation: EndpointName,
): Partial<ChangeTiming> & { lasts: number } =>
  timing.like?.changes[operation] ?? { lasts: timing[otherDurations[operation] ?? 'changeAfter'] }
