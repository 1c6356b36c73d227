/** Runs the wait of an operation with a scripted network. */
import { TimelineRecorder } from '#operations/base/timeline'
import { type Wait, waitUntilSettled } from '#operations/wait/settled'
import { endpointOf } from './endpoint-of.ts'
import { fakeContext } from './fake-context.ts'
import { json, type Scripted } from './fake-seam.ts'

const ids = { project_id: 'p1', service_id: 's1', replica_set_id: 'r1', vpc_id: '7', peering_id: '3' }

/** Waits for the outcome of an operation while the network answers by the script. */
export function waitFor(
  operation: string,
  script: Scripted[],
  { deadline = 600_000, ...parts }: Partial<Wait> & { deadline?: number } = {},
) {
  const fake = fakeContext(script, { deadline })
  const { goal } = endpointOf(operation)
  if (goal === undefined) throw new Error(`${operation} waits for nothing`)
  const recorder = new TimelineRecorder(fake.seam)
  const wait = async () => ({
    record: await waitUntilSettled({ ...fake.context, timeline: recorder }, { goal, ids, ...parts }),
    milliseconds: fake.seam.now(),
    history: recorder.timeline.spans.flatMap(({ watched }) => watched?.history ?? []),
  })
  return { ...fake, done: wait() }
}

export const inStatus = (status: string) => json(200, { service_id: 's1', status })

export const ready = json(200, { service_id: 's1', status: 'READY', endpoint: { host: 'h', port: 5432 } })

export const repeatAnswer = (count: number, answer: Scripted) => Array.from({ length: count }, () => answer)

/** The times of the status checks. */
export const requestTimes = (seam: { requests: { at: number }[] }) => seam.requests.map(({ at }) => at)
