/** Services that no run may delete. */
import type { RunOptions, Stage } from './stage.ts'

/** The change that protects a service, the inputs of the run, and the reason that it reports. */
export type Stranger = [
  what: string,
  make: (stage: Stage, id: string) => RunOptions,
  reason: (stage: Stage) => string,
]

const tagged = (tag: 'PROD' | 'STAGING'): Stranger => [
  `tagged ${tag}`,
  (stage, id) => {
    stage.tag(id, tag)
    return {}
  },
  () => `it is tagged ${tag}`,
]

export const strangers: Stranger[] = [
  tagged('PROD'),
  tagged('STAGING'),
  [
    'a fork of another parent',
    stage => ({ given: { service_id: stage.other } }),
    stage => `it is no fork of ${stage.other}`,
  ],
]
