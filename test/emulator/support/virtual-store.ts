/** A store in virtual time. */
import type { Answer, EndpointParameters } from '#api/endpoint'
import type { EndpointName, Endpoints } from '#api/endpoints'
import type { Effect } from '../../../emulator/store/effect.ts'
import { type ErrorBody, type Reply, Store, type StoreOptions } from '../../../emulator/store/store.ts'
import { Chance } from '../../simulator/chance.ts'
import { problemsOfAnswer } from '../../support/api-description.ts'

export const timing = {
  readyAfter: 1000,
  changeAfter: 400,
  deleteAfter: 300,
  snapshotAfter: 500,
  peeringAfter: 600,
  vpcBusyFor: 700,
}

/** A seeded source of numbers: the same seed, the same ids and passwords. */
export function seeded(seed: number): () => number {
  const chance = new Chance(seed)
  return () => chance.next()
}

export const start = Date.parse('2026-01-31T12:00:00Z')

/** The fields of a read replica set, a VPC and a peering. */
export const replica = { name: 'reader', nodes: 1, cpu_millis: 500, memory_gbs: 2 }
export const network = { name: 'office', cidr: '10.0.0.0/16', region_code: 'us-east-1' }
export const peer = { peer_account_id: '123456789012', peer_region_code: 'us-east-1', peer_vpc_id: 'vpc-1' }
export const address = { host: '127.0.0.1', port: 5433 }

/** The parameters of an operation. The project may be missing. */
type Params<Name extends EndpointName> = Omit<EndpointParameters<Endpoints[Name]>, 'project_id'> & {
  project_id?: string
}

/** A store in virtual time, called without repeating the project. */
export class VirtualStore {
  now = start
  readonly store: Store

  constructor(options: Partial<StoreOptions> = {}) {
    this.store = new Store({ now: () => this.now, random: seeded(1), timing, ...options })
  }

  pass(ms: number): void {
    this.now += ms
  }

  reply<Name extends EndpointName>(
    name: Name,
    params: Params<Name>,
    databases = {},
  ): Reply<Answer<Endpoints[Name]> | ErrorBody> {
    const reply = this.store.call(
      name,
      { project_id: this.store.project.id, ...params } as never as EndpointParameters<Endpoints[Name]>,
      databases,
    )
    const problems = problemsOfAnswer(name, reply.status, reply.body)
    if (problems.length > 0) throw new Error(problems.join('\n'))
    return reply
  }

  /** A call that must succeed, with its effects. */
  accepted<Name extends EndpointName>(
    name: Name,
    params: Params<Name>,
    databases = {},
  ): Reply<Answer<Endpoints[Name]>> {
    const reply = this.reply(name, params, databases)
    if (reply.status >= 300) throw new Error(`${name}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply as Reply<Answer<Endpoints[Name]>>
  }

  /** The answer of a call that must succeed. */
  call<Name extends EndpointName>(name: Name, params: Params<Name>, databases = {}): Answer<Endpoints[Name]> {
    return this.accepted(name, params, databases).body
  }

  /** Reports effects as real, each with the address. */
  complete(effects: Effect[]): void {
    for (const { id } of effects) this.store.completed(id, { address })
  }

  /** Status and message of a call that must be turned down. */
  refusal<Name extends EndpointName>(name: Name, params: Params<Name>, databases = {}) {
    const { status, body } = this.reply(name, params, databases)
    return { status, message: (body as ErrorBody | undefined)?.message }
  }

  /** The id of a service that is READY. */
  readyService(name = 'shop'): string {
    const { body, effects } = this.accepted('create-service', { name })
    this.complete(effects)
    this.pass(timing.readyAfter)
    return body.service_id
  }

  /** The id of a VPC that is CREATED. */
  readyVpc(more: object = {}): string {
    const { id } = this.call('create-vpc', { ...network, ...more })
    this.pass(timing.changeAfter)
    return id
  }

  service(service_id: string) {
    return this.call('get-service', { service_id })
  }
}

/** A store with a service that is READY, and its id. */
export function readyStore(options: Partial<StoreOptions> = {}) {
  const store = new VirtualStore(options)
  return { store, service_id: store.readyService() }
}
