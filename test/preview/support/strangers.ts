/** Services that no run may delete. */
import type { RunOptions, Stage } from './stage.ts'

/** The change that protects a service, the inputs of the run, and the reason that it reports. */
export type ProtectedService = [
  protection: string,
  protect: (stage: Stage, id: string) => RunOptions,
  reason: (stage: Stage) => string,
]

const tagged = (tag: 'PROD' | 'STAGING'): ProtectedService => [
  `tagged ${tag}`,
  (stage, id) => {
    stage.setEnvironment(id, tag)
    return {}
  },
  () => `it is tagged ${tag}`,
]

export const protectedServices: ProtectedService[] = [
  tagged('PROD'),
  tagged('STAGING'),
  [
    'a fork of another parent',
    stage => ({ given: { service_id: stage.other } }),
    stage => `it is no fork of ${stage.other}`,
  ],
]
