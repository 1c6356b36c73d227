import { renderSize } from './formats.js'

/** An overview as rows of the tables. */
export function rowsOf({ services, facts, vpcs }) {
  const names = new Map(services.map(service => [service.service_id, service.name]))
  const parentOf = id => (id === undefined ? '–' : (names.get(id) ?? `${id}, gone`))
  const all = services.map(service => {
    const spec = service.resources?.[0]?.spec ?? {}
    return {
      ...facts[service.service_id],
      id: service.service_id,
      name: service.name,
      status: service.status,
      parent: parentOf(service.forked_from?.service_id),
      size: renderSize(spec.cpu_millis, spec.memory_gbs),
      endpoint: service.endpoint,
      passwordOf: service.service_id,
    }
  })
  const replicas = services.flatMap(service =>
    (service.read_replica_sets ?? []).map(set => ({
      ...facts[set.id],
      id: set.id,
      name: set.name,
      status: set.status,
      parent: service.name,
      size: `${set.nodes} × ${renderSize(set.cpu_millis, set.memory_gbs)}`,
      endpoint: set.endpoint,
      passwordOf: service.service_id,
    })),
  )
  const networks = vpcs.flatMap(vpc => {
    const row = { id: vpc.id, name: vpc.name, cidr: vpc.cidr, region: vpc.region_code }
    if (vpc.peerings.length === 0) return [{ ...row, peering: 'none', status: vpc.status }]
    return vpc.peerings.map(peering => ({
      ...row,
      id: `${vpc.id} ${peering.id}`,
      peering: `${peering.peer_vpc_id} of ${peering.peer_account_id}, ${peering.peer_region_code}`,
      status: peering.status,
    }))
  })
  return { all, replicas, networks }
}
