import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const parent = 'parent0001'

/** The record of a READY service, as docs/api.md has it. */
function renderService(serviceId: string, name: string) {
  return {
    service_id: serviceId,
    project_id: 'project1',
    name,
    region_code: 'us-east-1',
    service_type: 'TIMESCALEDB',
    created: new Date().toISOString(),
    status: 'READY',
    endpoint: { host: 'database.example', port: 5432 },
    metadata: { environment: 'DEV' },
    resources: [],
    ...(serviceId !== parent && {
      initial_password: 'password-of-the-fork',
      forked_from: { project_id: 'project1', service_id: parent, is_standby: false },
    }),
  }
}

/** The service of the API for a benchmark: every call is answered at once, and every POST makes a fork. */
export async function startStub() {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      const { name = 'parent' } = body === '' ? {} : (JSON.parse(body) as { name?: string })
      const id = request.method === 'POST' ? 'fork000001' : request.url?.split('/').at(-1)
      response.writeHead(request.method === 'POST' ? 202 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(renderService(id ?? parent, name)))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    parent,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise(resolve => server.close(resolve)),
  }
}
