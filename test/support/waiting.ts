import type { Endpoint } from '../../src/api/endpoint.ts'
import { type EndpointName, endpoints } from '../../src/api/endpoints.ts'
import type { Goal } from '../../src/api/goal.ts'
import { type Wait, waitUntilSettled } from '../../src/operations/wait/settled.ts'
import type { StepSettings } from '../../src/preview/base/context.ts'
import { fakeContext } from './fake-context.ts'
import { json, type Scripted } from './fake-seam.ts'

const ids = { project_id: 'p1', service_id: 's1', replica_set_id: 'r1', vpc_id: '7', peering_id: '3' }

const settings = { listLag: 10_000 } as StepSettings

/** Waits for the outcome of an operation while the network answers by the script. */
export function waitFor(
  operation: EndpointName,
  script: Scripted[],
  { deadline = 600_000, ...parts }: Partial<Wait> & { deadline?: number } = {},
) {
  const fake = fakeContext(script, { deadline, settings })
  const goal = (endpoints[operation] as Endpoint).goal as Goal<never>
  const wait = { goal, ids, ...parts }
  return { ...fake, done: waitUntilSettled(fake.context, wait) }
}

export const inStatus = (status: string) => json(200, { service_id: 's1', status })

export const ready = json(200, {
  service_id: 's1',
  status: 'READY',
  endpoint: { host: 'h', port: 5432 },
})

export const times = (count: number, answer: Scripted) => Array.from({ length: count }, () => answer)

/** When the looks were taken. */
export const moments = (seam: { requests: { at: number }[] }) => seam.requests.map(({ at }) => at)
