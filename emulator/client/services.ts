/** Creates and finds the services of a running emulator. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmulatorAccess, ForkOptions, ReadyService, ServiceOptions, Services } from '../library-types.ts'
import { controlUrl, findCertificate, readProjectId, sendRequest } from './access.ts'
import { copyDatabase } from './copy-database.ts'
import { fillDatabase, findSources } from './seeds.ts'

/** The used fields of a record. */
interface Service {
  service_id: string
  name: string
  status: string
  initial_password?: string
  endpoint?: { host: string; port: number }
}

/** Milliseconds until a database is READY. A fork of many gigabytes takes a while. */
const patience = 600_000
const pause = 20

const user = 'tsdbadmin'
const database = 'tsdb'

class ServiceClient implements Services {
  readonly #access: EmulatorAccess
  #projectAccess: Promise<{ path: string; certificate: string | undefined }> | undefined

  constructor(access: EmulatorAccess) {
    this.#access = access
  }

  async createService({
    name = 'parent',
    addons = [],
    seed = [],
  }: ServiceOptions = {}): Promise<ReadyService> {
    const sources = await findSources([seed].flat())
    const { path } = await this.#readProject()
    const created = await sendRequest<Service>(this.#access, 'POST', path, { name, addons })
    return this.#prepare(created, async service => {
      for (const source of sources) await fillDatabase(service, source)
      // Forks by LAST_SNAPSHOT must have the data that was just inserted.
      await this.#takeSnapshot(service.id)
    })
  }

  async fork(
    serviceId: string,
    { name, strategy = 'NOW', targetTime }: ForkOptions = {},
  ): Promise<ReadyService> {
    const { path } = await this.#readProject()
    const created = await sendRequest<Service>(this.#access, 'POST', `${path}/${serviceId}/forkService`, {
      fork_strategy: strategy,
      ...(name !== undefined && { name }),
      ...(targetTime && { target_time: targetTime.toISOString() }),
    })
    return this.#prepare(created)
  }

  async find(nameOrId: string): Promise<ReadyService> {
    const { path } = await this.#readProject()
    const all = await sendRequest<Service[]>(this.#access, 'GET', path)
    const [service, ...others] = all.filter(one => [one.service_id, one.name].includes(nameOrId))
    if (service === undefined) throw new Error(`the emulator has no service ${nameOrId}`)
    if (others.length > 0) {
      const ids = [service, ...others].map(one => one.service_id).join(', ')
      throw new Error(`the emulator has several services ${nameOrId}: give the id of one (${ids})`)
    }
    const url = controlUrl(this.#access, `services/${service.service_id}/password`)
    const { password } = await sendRequest<{ password: string }>(this.#access, 'GET', url)
    return this.#toReadyService(service, password)
  }

  /** Waits until the created service is READY, then prepares it. If either fails, deletes the service. */
  async #prepare(created: Service, prepare = async (_: ReadyService) => {}): Promise<ReadyService> {
    const { path } = await this.#readProject()
    try {
      const record = await this.#waitUntilReady(`${path}/${created.service_id}`)
      const service = await this.#toReadyService(record, created.initial_password ?? '')
      await prepare(service)
      return service
    } catch (error) {
      await sendRequest(this.#access, 'DELETE', `${path}/${created.service_id}`).catch(() => {})
      throw error
    }
  }

  async #waitUntilReady(path: string): Promise<Service> {
    for (const start = performance.now(); performance.now() - start < patience; await sleep(pause)) {
      const service = await sendRequest<Service>(this.#access, 'GET', path)
      if (service.status === 'READY') return service
      if (service.status === 'UNSTABLE') break
    }
    const { logs = [] } = await sendRequest<{ logs?: string[] }>(this.#access, 'GET', `${path}/logs`)
    throw new Error(`the service did not become READY: ${logs[0] ?? 'see the log of the emulator'}`)
  }

  async #toReadyService(
    { service_id: id, name, endpoint }: Service,
    password: string,
  ): Promise<ReadyService> {
    const { path, certificate } = await this.#readProject()
    const { host = '127.0.0.1', port = 0 } = endpoint ?? {}
    const trust = certificate ? `verify-full&sslrootcert=${encodeURIComponent(certificate)}` : 'require'
    const login = `${user}:${encodeURIComponent(password)}`
    const remove = async () => sendRequest<void>(this.#access, 'DELETE', `${path}/${id}`)
    const databaseUrl = `postgresql://${login}@${host}:${port}/${database}?sslmode=${trust}`
    const target = { host, port, user, database, password, databaseUrl }
    return {
      ...target,
      ...{ id, name },
      copyDatabase: () => copyDatabase(target),
      fork: options => this.fork(id, options),
      takeSnapshot: () => this.#takeSnapshot(id),
      delete: remove,
      [Symbol.asyncDispose]: remove,
    }
  }

  async #takeSnapshot(id: string): Promise<void> {
    const { certificate } = await this.#readProject()
    // Without databases there are no snapshots.
    if (certificate !== undefined)
      await sendRequest(this.#access, 'POST', controlUrl(this.#access, `services/${id}/snapshot`))
  }

  #readProject() {
    this.#projectAccess ??= Promise.all([readProjectId(this.#access), findCertificate(this.#access)]).then(
      ([projectId, certificate]) => ({ path: `/projects/${projectId}/services`, certificate }),
    )
    return this.#projectAccess
  }
}

/** Connects to a running emulator, in this process or in another one of this machine. */
export function connect(access: EmulatorAccess): Services {
  return new ServiceClient(access)
}
