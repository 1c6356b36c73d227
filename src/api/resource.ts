/** The kinds of record of the API, and the operations on each. */
import type * as z from 'zod/mini'
import { keysOf } from '#base/table'
import { Peering, ReadReplicaSet, Service, Vpc } from './records.ts'

/** The schema, the id parameter and the operations of each kind of record. */
export const resources = {
  service: {
    label: 'service',
    schema: Service,
    id: 'service_id',
    get: 'get-service',
    list: 'list-services',
    delete: 'delete-service',
  },
  // The API has no GET for a single replica set, so the action finds it in the list (docs/internals/api.md, "Read
  // replica sets").
  replica_set: {
    label: 'replica set',
    schema: ReadReplicaSet,
    id: 'replica_set_id',
    get: undefined,
    list: 'list-replicas',
    delete: 'delete-replica',
  },
  vpc: {
    label: 'VPC',
    schema: Vpc,
    id: 'vpc_id',
    get: 'get-vpc',
    list: 'list-vpcs',
    delete: 'delete-vpc',
  },
  peering: {
    label: 'peering',
    schema: Peering,
    id: 'peering_id',
    get: 'get-peering',
    list: 'list-peerings',
    delete: 'delete-peering',
  },
} as const

/** The kinds of record that the API creates and deletes. */
export type Resource = keyof typeof resources

export type Records = { [Name in Resource]: z.output<(typeof resources)[Name]['schema']> }

export type AnyRecord = Records[Resource]

const kinds = keysOf(resources)

/** The kind of record with this id parameter; undefined for `project_id`. */
export const resourceOfId = (name: string | undefined): Resource | undefined =>
  kinds.find(resource => resources[resource].id === name)

/** The kind of record with this schema; undefined for lists and other answers. */
export const resourceOfSchema = (schema: z.ZodMiniType | undefined): Resource | undefined =>
  kinds.find(resource => resources[resource].schema === schema)

export const isService = (resource: Resource | undefined, record: AnyRecord | undefined): record is Service =>
  resource === 'service' && record !== undefined

/** Type guard for a record that accepts connections. */
export const isDatabase = (kind?: Resource, record?: AnyRecord): record is Service | ReadReplicaSet =>
  (kind === 'service' || kind === 'replica_set') && record !== undefined

/** Names a record for readers: `service s1`. */
export const describeRecord = (resource: Resource, ids: Readonly<Record<string, unknown>>): string =>
  `${resources[resource].label} ${ids[resources[resource].id]}`
