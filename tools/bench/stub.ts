/** A stub of the API for benchmarks. */
import { once } from 'node:events'
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

/** The API with a parent, which can be read, listed and forked. */
export async function startStub() {
  const ids = new Set([parent])
  const answer = (method: string, id: string | undefined): [status: number, body: unknown] => {
    if (method === 'GET') return [200, id ? renderService(id) : [...ids].map(renderService)]
    ids.add('fork000001')
    return [202, { ...renderService('fork000001'), initial_password: 'password-of-the-fork' }]
  }
  const server = createServer(({ method = '', url = '' }, response) => {
    const [, id] = /\/services\/(\w+)/.exec(url) ?? []
    const [status, body] = answer(method, id)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { address, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
