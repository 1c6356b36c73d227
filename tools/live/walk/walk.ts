/** The steps of a walk, in order. */
import type { EndpointName } from '#api/endpoints'
import { ApiError } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import { checkRoom } from './create.ts'
import * as life from './life.ts'
import { walkPreview } from './preview.ts'
import { change } from './settle.ts'
import type { Main, Tour } from './tour.ts'

interface Step {
  name: string
  act: (tour: Tour, main: Main) => Promise<unknown>
  /** The number of further servers that it creates. */
  adds?: number
  opensDatabases?: true
}

/** Changes of the service, one after the other. */
const changing =
  (operation: EndpointName, ...all: object[]): Step['act'] =>
  async (tour, { ids }) => {
    for (const fields of all) await change(tour, operation, { ...ids, ...fields })
  }

/** The steps of the walk in order, the most important first, since the time may run out. */
const steps: Step[] = [
  { name: 'rename', act: life.rename },
  { name: "the owner's rights in the database", act: life.examineDatabase, opensDatabases: true },
  { name: 'password', act: life.setPassword },
  { name: 'environment', act: changing('set-environment', { environment: 'PROD' }, { environment: 'DEV' }) },
  { name: 'forks, of now and of the last snapshot', act: life.fork('running'), adds: 2 },
  { name: 'a preview, from opening to closing', act: walkPreview, adds: 1, opensDatabases: true },
  { name: 'pause, twice', act: life.stop },
  { name: 'forks of a paused service', act: life.fork('paused'), adds: 2 },
  { name: 'start, twice', act: life.start },
  { name: 'logs and metrics', act: life.readLogsAndMetrics },
  { name: 'connection pooler', act: life.switchPooler },
  { name: 'resize', act: changing('resize-service', life.larger) },
  { name: 'data tiering', act: changing('enable-data-tiering', {}) },
  { name: 'read replica set', act: life.walkReplicaSet, adds: 1 },
  { name: 'high availability', act: changing('set-ha', { replica_count: 1 }, { replica_count: 0 }), adds: 1 },
  { name: 'delete', act: life.end },
]

/** Runs a step. A failure is a difference, and the walk continues. */
async function runNamedStep<Result>(
  { findings, seam, signal, deadline, say }: Tour,
  name: string,
  act: () => Promise<Result>,
): Promise<Result | undefined> {
  signal.throwIfAborted()
  if (seam.now() > deadline) {
    findings.skipped.push(`${name}: the time was over`)
    return undefined
  }
  say(name)
  findings.step = name
  try {
    return await act()
  } catch (error) {
    signal.throwIfAborted()
    const problem =
      error instanceof ApiError
        ? `${error.call.operation}: ${error.status} ${error.serverMessage}`
        : messageOf(error)
    findings.differ(`the step "${name}" fails: ${findings.clean(problem)}`)
    return undefined
  }
}

export async function walk(tour: Tour): Promise<void> {
  await runNamedStep(tour, 'account', () => life.readAccount(tour))
  const main = await runNamedStep(tour, 'a new service', () => life.create(tour))
  if (main === undefined) return
  for (const { name, act, adds, opensDatabases } of steps) {
    if (opensDatabases && !tour.withDatabases)
      tour.findings.skipped.push(`${name}: no database can be opened, or --no-databases`)
    else
      await runNamedStep(tour, name, async () => {
        if (adds) await checkRoom(tour, adds)
        await act(tour, main)
      })
  }
}
