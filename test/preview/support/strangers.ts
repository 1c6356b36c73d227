import type { RunOptions, Stage } from './stage.ts'

/** What no run may delete: how a preview comes to be it, what the run is given then, and what is said of it. */
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
