/** Facts about services: their size, which decides their cost, their age, lists of them, and their newest records. */
import * as z from 'zod/mini'
import type { Service } from '#api/records'
import { isEnding } from '#api/service-states'
import { renderBytes } from '#base/bytes'
import { parseTimestamp } from '#base/timestamp'
import type { RecordFilter } from '#client/answer'
import type { Client } from '#client/client'
import type { Calls } from '#operations/base/context'
import { isDeleted, isUnlisted, readRecord } from '#operations/base/read-record'
import { WaitError } from '#operations/wait/wait-error'

/** Thousandths of a core. A preview with more gets a warning unless the inputs give its size. */
const largeCpu = 2000

const specOf = ({ resources = [] }: Pick<Service, 'resources'>) => resources[0]?.spec ?? {}

export const cpuOf = (service: Pick<Service, 'resources'>) => specOf(service).cpu_millis

/** Such as `0.5 CPU, 2 GB`; undefined if the record does not show it. */
export function renderSize(service: Service): string | undefined {
  const { cpu_millis, memory_gbs } = specOf(service)
  const parts = [
    cpu_millis !== undefined && `${cpu_millis / 1000} CPU`,
    memory_gbs !== undefined && `${memory_gbs} GB`,
  ]
  return parts.filter(Boolean).join(', ') || undefined
}

/** The specification does not define the metrics. The vendor's other descriptions do, so another form is ignored. */
const measured = z.looseObject({
  metrics: z.looseObject({ storage_mb: z.number().check(z.nonnegative()) }),
})

/** Bytes of storage, which are billed even while the service is paused. Undefined if the record does not show them. */
function storedBytes(service: Service): number | undefined {
  const { data } = measured.safeParse(service)
  return data && data.metrics.storage_mb * 1024 ** 2
}

/** Such as `35 MB`; undefined if no record shows it. */
export function renderStored(...services: Service[]): string | undefined {
  const known = services.flatMap(service => storedBytes(service) ?? [])
  return known.length === 0 ? undefined : renderBytes(known.reduce((sum, bytes) => sum + bytes, 0))
}

export const isLarge = (service: Service) => (cpuOf(service) ?? 0) > largeCpu

interface WithClock {
  client: Pick<Client, 'date'>
}

/** Milliseconds after its creation for which a service counts as young. Longer than reads lag or clocks differ. */
const youngFor = 5 * 60_000

/** Milliseconds since `moment`, which is in milliseconds since 1970; undefined for an unknown moment. */
export function timeSince({ client }: WithClock, moment: number | undefined): number | undefined {
  return moment === undefined ? undefined : client.date() - moment
}

/** Milliseconds since a service was created; undefined if the API gives no readable date. */
export const ageOf = (context: WithClock, { created }: Service) => timeSince(context, parseTimestamp(created))

/** Whether reads may still miss parts of a new service. A service without a readable date may be new. */
export const isYoung = (context: WithClock, service: Service) => (ageOf(context, service) ?? 0) < youngFor

/** Whether the service may be a fork whose record does not name its parent yet. */
export const mayNameParentLate = (context: WithClock, service: Service) =>
  service.forked_from?.service_id === undefined && isYoung(context, service)

async function listWhere({ client }: Calls, projectId: string, only: RecordFilter): Promise<Service[]> {
  const services = await client.call('list-services', { project_id: projectId }, { only })
  return services.filter(service => !isDeleted(service))
}

/** Lists the services with a matching name. Of others, only the name is parsed, because a project may have thousands. */
export function listNamed(
  context: Calls,
  projectId: string,
  matches: (name: string) => boolean,
): Promise<Service[]> {
  return listWhere(context, projectId, ({ name }) => typeof name !== 'string' || matches(name))
}

/** Lists the services that are forks. */
export function listForks(context: Calls, projectId: string): Promise<Service[]> {
  return listWhere(context, projectId, ({ forked_from }) => (forked_from ?? null) !== null)
}

/**
 * Returns the newest record of a service. A young record may name its parent only now. A lagging read that misses the
 * service returns the known record.
 * @throws WaitError if the service is being deleted or gone
 */
export async function readNewestRecord({ client }: Calls, service: Service): Promise<Service> {
  const { project_id, service_id } = service
  if (project_id === undefined) return service
  const ids = { project_id, service_id }
  const record = await readRecord(client, 'service', ids)
  if (record === undefined && !(await isUnlisted(client, 'service', ids))) return service
  if (record !== undefined && !isEnding(record)) return record
  const message = `service ${service_id} was deleted before its connection details were published`
  throw new WaitError(message, 'run the step again', {
    resource: 'service',
    ids,
    latest: record,
    history: [],
    isGone: true,
  })
}
