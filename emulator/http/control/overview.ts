/** Builds the overview for the dashboard and `status`. */
import type { DataPlane } from '../../data-plane.ts'
import type { Project } from '../../store/handler.ts'
import type { PeeringRecord, ServiceRecord, VpcRecord } from '../../store/render.ts'
import type { Store } from '../../store/store.ts'
import { basePath } from '../router.ts'
import { StatisticsCache } from './statistics-cache.ts'
import type { Timeline, TimelineEvent } from './timeline.ts'

/** Facts about a service or replica set that its record does not contain. */
interface OverviewFacts {
  created: string
  /** Currently open, without the emulator's own. */
  sessions?: number
  diskBytes?: number
}

/** All data of the dashboard and `status`, without secrets. */
export interface Overview {
  now: string
  project: Project
  /** The prefix of the API's addresses. */
  basePath: string
  /** The kind of poolers; undefined if there are no databases. */
  poolers?: 'PgBouncer' | 'relay'
  /** Descriptions of the databases, a part of a sentence each; empty if there are none. */
  about: readonly string[]
  /** The file with their certificate, on the emulator's machine. */
  certificateFile?: string
  services: ServiceRecord[]
  /** By the id of each service and replica set. */
  facts: Record<string, OverviewFacts>
  vpcs: (VpcRecord & { peerings: PeeringRecord[] })[]
  /** Newest last. */
  events: TimelineEvent[]
}

function* ages({ state }: Store): Generator<[string, string]> {
  for (const service of state.services.values()) {
    for (const { id, created } of [service, ...service.replicaSets.values()]) {
      yield [id, new Date(created).toISOString()]
    }
  }
}

/** Builds overviews. */
export class Overviews {
  readonly #store: Store
  readonly #timeline: Timeline
  readonly #statistics: StatisticsCache
  readonly #now: () => number
  readonly #poolers: Overview['poolers']
  readonly #about: readonly string[]
  readonly #certificateFile: string | undefined

  constructor(store: Store, dataPlane: DataPlane | undefined, timeline: Timeline, now: () => number) {
    this.#store = store
    this.#timeline = timeline
    this.#statistics = new StatisticsCache(dataPlane)
    this.#now = now
    this.#poolers = dataPlane?.poolers
    this.#about = dataPlane?.about ?? []
    this.#certificateFile = dataPlane?.certificate.file
  }

  /** `after` is the number of the last event that the caller knows. */
  async read(after: number): Promise<Overview> {
    const store = this.#store
    const project_id = store.project.id
    // Taken from the store's answers, so that the overview shows the same as the API.
    const services = store.call('list-services', { project_id }).body as ServiceRecord[]
    const vpcs = store.call('list-vpcs', { project_id }).body as VpcRecord[]
    const running = services.flatMap(({ service_id, status, read_replica_sets = [] }) => [
      ...(status === 'READY' ? [service_id] : []),
      ...read_replica_sets.filter(({ status }) => status === 'active').map(({ id }) => id),
    ])
    const statistics = await this.#statistics.read(running)
    this.#timeline.collectLogs(store.state)
    const facts = [...ages(store)].map(([id, created]) => {
      const known = statistics.get(id)
      return [id, { created, ...(known && { sessions: known.connections, diskBytes: known.diskBytes }) }]
    })
    return {
      now: new Date(this.#now()).toISOString(),
      project: store.project,
      basePath,
      ...(this.#poolers && { poolers: this.#poolers }),
      about: this.#about,
      ...(this.#certificateFile && { certificateFile: this.#certificateFile }),
      services,
      facts: Object.fromEntries(facts),
      vpcs: vpcs.map(vpc => ({
        ...vpc,
        peerings: store.call('list-peerings', { project_id, vpc_id: vpc.id }).body as PeeringRecord[],
      })),
      events: this.#timeline.after(after),
    }
  }
}
