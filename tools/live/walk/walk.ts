// The steps of a walk, in order.

import { ApiError, messageOf } from '#base/errors'
import * as life from './life.ts'
import { walkPreview } from './preview.ts'
import { noteRefusal } from './refusals.ts'
import { setHighAvailability, walkReplicaSet } from './replicas.ts'
import type { Tour } from './tour.ts'
import { walkVpc } from './vpc.ts'

const withoutDatabases = ({ withDatabases }: Tour) =>
  withDatabases ? undefined : 'no database can be opened, or --no-databases'

interface Step {
  name: string
  act: (tour: Tour, main: life.Main) => Promise<void>
  /** Why it is omitted, if it is. */
  omit?: (tour: Tour) => string | undefined
}

/** The steps of the walk in order, the most important first, since the time may run out. */
const steps: Step[] = [
  { name: 'rename', act: life.rename },
  { name: "the owner's rights in the database", act: life.examineDatabase, omit: withoutDatabases },
  { name: 'password', act: life.setPassword },
  { name: 'environment', act: life.setEnvironment },
  { name: 'forks, of now and of the last snapshot', act: (tour, main) => life.fork(tour, main, 'running') },
  {
    name: 'a preview, from opening to closing',
    act: (tour, { ids, login }) => walkPreview(tour, ids.service_id, login),
    omit: withoutDatabases,
  },
  { name: 'pause, twice', act: life.stop },
  { name: 'forks of a paused service', act: (tour, main) => life.fork(tour, main, 'paused') },
  { name: 'start, twice', act: life.start },
  { name: 'logs and metrics', act: life.readLogsAndMetrics },
  { name: 'connection pooler', act: life.switchPooler },
  { name: 'resize', act: life.resize },
  { name: 'data tiering', act: life.enableTiering },
  { name: 'read replica set', act: walkReplicaSet },
  { name: 'high availability', act: setHighAvailability },
  { name: 'VPC', act: walkVpc, omit: ({ withVpc }) => (withVpc ? undefined : 'not asked for (--vpc)') },
  { name: 'delete', act: life.end },
]

/** A failure without private data. */
function describe({ findings }: Tour, error: unknown): string {
  const told =
    error instanceof ApiError
      ? `${error.call.operation}: ${error.status} ${error.serverMessage}`
      : messageOf(error)
  return findings.clean(told)
}

/** Runs a step. A failure is a difference, and the walk continues. */
async function take<Result>(
  tour: Tour,
  name: string,
  act: () => Promise<Result>,
): Promise<Result | undefined> {
  const { findings, seam, signal, say } = tour
  signal.throwIfAborted()
  if (seam.now() > tour.deadline) {
    findings.skipped.push(`${name}: the time was over`)
    return undefined
  }
  say(name)
  try {
    return await act()
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ApiError) noteRefusal(tour, `in the step "${name}"`, error)
    findings.differ(`the step "${name}" fails: ${describe(tour, error)}`)
    return undefined
  }
}

export async function walk(tour: Tour): Promise<void> {
  await take(tour, 'account', () => life.readAccount(tour))
  const main = await take(tour, 'a new service', () => life.create(tour))
  if (main === undefined) return
  for (const { name, act, omit } of steps) {
    const reason = omit?.(tour)
    if (reason === undefined) await take(tour, name, () => act(tour, main))
    else tour.findings.skipped.push(`${name}: ${reason}`)
  }
}
