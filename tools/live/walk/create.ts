/** Creates the services of a walk. */
import type { EndpointParameters } from '#api/endpoint'
import type { Endpoints } from '#api/endpoints'
import type { Address, Service } from '#api/records'
import { isEnding } from '#api/service-states'
import type { CallResult } from '#client/client'
import { isOwnedByTool } from '../names.ts'
import { newPassword, reach } from './login.ts'
import { settle } from './settle.ts'
import type { Login, Tour } from './tour.ts'

/** The address of a service that is READY. */
export function addressOf({ endpoint }: Service): Address {
  if (endpoint === undefined) throw new Error('the record has no endpoint')
  return endpoint
}

/** Upper limit for simultaneous services, read replica sets and previews included. */
const most = 3

/** Fails if this tool already has the maximum number of services, because an earlier one could not be deleted. */
export async function checkRoom({ client, project_id }: Tour, wanted: number): Promise<void> {
  const services = await client.call('list-services', { project_id })
  const own = services.filter(one => isOwnedByTool(one) && !isEnding(one))
  const sets = own.flatMap(({ read_replica_sets = [] }) => read_replica_sets)
  if (own.length + sets.length + wanted > most) throw new Error(`there are ${most} services already`)
}

/** Waits until a new service is in the list, for a minute at most, and records the time. */
async function waitUntilListed(tour: Tour, id: string, what: string): Promise<void> {
  const { client, seam, findings, signal, every, project_id } = tour
  const startedAt = seam.now()
  const isListed = async () =>
    (await client.call('list-services', { project_id })).some(({ service_id }) => service_id === id)
  for (let checks = 1; !(await isListed()); checks++) {
    if (checks === 1) findings.differ('list-services: does not contain a new service at once')
    if (seam.now() - startedAt > 60_000) break
    await seam.sleep(every, signal)
  }
  findings.times[`${what}: until it is listed`] = Math.round(seam.now() - startedAt)
}

type Creating = 'create-service' | 'fork-service'

/** Creates or forks a service, and waits until it is usable. */
export async function createService<Name extends Creating>(
  tour: Tour,
  [name, parameters]: [Name, EndpointParameters<Endpoints[Name]> & { name: string }],
  what: string,
): Promise<{ id: string; login: Login }> {
  const { client, findings, project_id } = tour
  const created = (await client.call(name, parameters)) as CallResult<Creating>
  const { service_id: id, initial_password: password = newPassword(tour), endpoint } = created
  if (endpoint === undefined)
    findings.differ(`${name}: no endpoint in the answer, where official clients read it`)
  await waitUntilListed(tour, id, what)
  const record = (await settle(tour, name, { project_id, service_id: id })) as Service
  if (created.initial_password === undefined) {
    findings.differ(`${name}: no initial_password in the answer`)
    await client.call('update-password', { project_id, service_id: id, password })
  }
  const login = { address: addressOf(record), password }
  await reach(tour, what, login)
  return { id, login }
}
