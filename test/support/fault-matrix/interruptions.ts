/** The signals of the matrix. */
import type { Fault } from '../../../emulator/http/faults/faults.ts'

/** A signal to the process, at a moment that the API sees. */
export interface Interruption {
  title: string
  signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'
  /** The first request of the operation, or the first poll after it. */
  at: 'request' | 'wait'
  /** The fate of the answer to the request. */
  fault: Fault | undefined
}

const moments: Omit<Interruption, 'signal'>[] = [
  { title: 'before the answer', at: 'request', fault: { kind: 'late', milliseconds: 300 } },
  { title: 'before an answer that never comes', at: 'request', fault: { kind: 'hang', when: 'after' } },
  { title: 'during the wait', at: 'wait', fault: undefined },
]

/** The runner's signals to the step of a cancelled job, and the kill by a machine that is out of memory. */
export const interruptions: Interruption[] = moments.flatMap(moment =>
  (['SIGINT', 'SIGTERM', 'SIGKILL'] as const).map(signal => ({ ...moment, signal })),
)
