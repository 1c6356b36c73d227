// A stub of the API for benchmarks.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export const parent = 'parent0001'

const renderService = (id: string) => ({
  service_id: id,
  project_id: 'project1',
  name: id,
  region_code: 'us-east-1',
  service_type: 'TIMESCALEDB',
  created: new Date().toISOString(),
  status: 'READY',
  paused: false,
  resources: [{ id: 'r1', spec: { cpu_millis: 500, memory_gbs: 2, volume_type: 'gp3' } }],
  metadata: { environment: 'DEV' },
  endpoint: { host: `${id}.project1.database.example`, port: 5432 },
  ha_replicas: { sync_replica_count: 0, replica_count: 0 },
  connection_pooler: { endpoint: { host: `${id}.project1.pooler.example`, port: 5433 } },
  read_replica_sets: [],
})

/** The API with a parent, which can be read and forked. */
export async function startStub() {
  const server = createServer(({ method = '', url = '' }, response) => {
    const [, id = ''] = /\/services\/(\w+)/.exec(url) ?? []
    const fork = { ...renderService('fork000001'), initial_password: 'password-of-the-fork' }
    const [status, body] = method === 'POST' ? [202, fork] : [200, renderService(id)]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise(resolve => server.close(resolve).closeAllConnections()),
  }
}
