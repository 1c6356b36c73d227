/** Tests that the emulator uses every field of a request: a handler that ignores one would make a scenario pass for nothing. */
import { expect, test } from 'vitest'
import type { Endpoint } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { allFields } from '../../support/valid-inputs.ts'
import { timing, VirtualStore } from '../support/virtual-store.ts'

const rows = Object.entries<Endpoint>(endpoints).filter(([, { query, body }]) => query ?? body)

/** Fields with examples that exclude each other. */
const asked: Partial<Record<EndpointName, object>> = {
  'create-service': { addons: ['time-series'], cpu_millis: '500', memory_gbs: '2' },
  'fork-service': { fork_strategy: 'PITR' },
  'get-service-logs': { cursor: '1-1' },
}

/** These send their fields to the vendor's statistics, which the emulator does not have. */
const unused = ['identify-user', 'track-event']

test.each(rows.filter(([name]) => !unused.includes(name)))(
  'the handler of %s reads every field',
  (name, row) => {
    const store = new VirtualStore()
    const service_id = store.readyService()
    const { id: replica_set_id } = store.call('create-replica', {
      ...{ service_id, name: 'reader', nodes: 1, cpu_millis: 500, memory_gbs: 2 },
    })
    const vpc_id = store.readyVpc()
    if (name === 'detach-vpc') store.call('attach-vpc', { service_id, vpc_id })
    store.pass(timing.readyAfter)
    const read = new Set<string>()
    const given = { ...allFields(row), ...asked[name as EndpointName], service_id, replica_set_id, vpc_id }
    const watched = new Proxy(
      { project_id: store.store.project.id, ...given },
      {
        get(target, field, receiver) {
          read.add(String(field))
          return Reflect.get(target, field, receiver)
        },
      },
    )
    const { status } = store.store.call(name as EndpointName, watched as never)
    const fields = Object.keys({ ...row.query?.shape, ...row.body?.shape })
    expect({ status, ignored: fields.filter(field => !read.has(field)) }).toEqual({
      status: row.status,
      ignored: [],
    })
  },
)
