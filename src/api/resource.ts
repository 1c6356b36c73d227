/** The kinds of record that the API creates and deletes. */
export type Resource = 'service' | 'replica_set' | 'vpc' | 'peering'

/** How each kind of record is addressed, read again, listed and deleted. */
export const resources = {
  service: {
    label: 'service',
    id: 'service_id',
    get: 'get-service',
    list: 'list-services',
    delete: 'delete-service',
  },
  // There is no GET for one replica set: it is picked from the list (docs/api.md, "Read replica sets").
  replica_set: {
    label: 'replica set',
    id: 'replica_set_id',
    get: undefined,
    list: 'list-replicas',
    delete: 'delete-replica',
  },
  vpc: { label: 'VPC', id: 'vpc_id', get: 'get-vpc', list: 'list-vpcs', delete: 'delete-vpc' },
  peering: {
    label: 'peering',
    id: 'peering_id',
    get: 'get-peering',
    list: 'list-peerings',
    delete: 'delete-peering',
  },
} as const satisfies Record<
  Resource,
  { label: string; id: string; get: string | undefined; list: string; delete: string }
>

/** Names a record, for people: `service s1`. */
export const describeRecord = (resource: Resource, ids: Readonly<Record<string, unknown>>): string =>
  `${resources[resource].label} ${ids[resources[resource].id]}`
