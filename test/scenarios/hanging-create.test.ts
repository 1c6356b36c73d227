/** Runs creating steps whose requests hang. */
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { createCertificate } from '../../emulator/clusters/installation/certificate.ts'
import type { StepOptions } from '../../tools/runner/run-step.ts'
import { useServers } from '../support/local-servers.ts'
import { errorOf, useWorkbench } from '../support/workbench.ts'
import { useWorkspace } from '../support/workspace.ts'

const https = createCertificate()
const servers = useServers()
const bench = useWorkbench({ databases: 'invented', steps: 'process', https })
const workspace = useWorkspace()
beforeAll(() => {
  workspace.write({ 'authority.pem': https.certificate })
  // So that each request needs a tunnel of its own.
  bench.injectFaults(() => ({
    kind: 'change',
    change: payload => ({ ...payload, headers: { ...payload.headers, connection: 'close' } }),
  }))
})
afterEach(() => servers.close())

const opened = 'HTTP/1.1 200 OK\r\n\r\n'

/** A proxy that opens the first tunnel, and lets the others wait until they are released. */
async function startProxy() {
  const reached = Promise.withResolvers<void>()
  const held: Socket[] = []
  const left: Promise<unknown>[] = []
  const open = (client: Socket) => {
    const onward = connect(bench.emulator.port, '127.0.0.1')
    onward.on('error', () => client.destroy())
    client.write(opened)
    client.pipe(onward).pipe(client)
  }
  let tunnels = 0
  const server = createServer(client => {
    left.push(new Promise(resolve => client.once('close', resolve)))
    client.once('data', () => {
      tunnels += 1
      if (tunnels === 1) return open(client)
      held.push(client)
      reached.resolve()
    })
  })
  const port = await servers.listen(server)
  return {
    address: `127.0.0.1:${port}`,
    reached: reached.promise,
    /** Continues the held connections once the step has closed all of them. */
    async release() {
      await Promise.all(left)
      for (const client of held) open(client)
    },
  }
}

const authority = () => ({ NODE_EXTRA_CA_CERTS: join(workspace.path, 'authority.pem') })

/** A step whose creating request waits for a tunnel, and the requests that the server received. */
async function createThrough(proxy: Awaited<ReturnType<typeof startProxy>>, more: Partial<StepOptions>) {
  const mark = bench.emulator.requests.length
  const { project } = bench.emulator.store
  const inputs = { operation: 'create-service', name: 'hung', project_id: project.id, wait_timeout: '3s' }
  const environment = { ...authority(), HTTPS_PROXY: `http://${proxy.address}`, NO_PROXY: undefined }
  const result = await bench.step(inputs, { ...more, environment })
  await proxy.release()
  await bench.runSuccessfully({ operation: 'get-auth-info' }, { environment: authority() })
  return { result, requested: bench.operationsSince(mark) }
}

const onlyLooked = ['list-services', 'get-auth-info']

it('sends no creating request if the tunnel is not open by the deadline', async () => {
  const proxy = await startProxy()
  const { result, requested } = await createThrough(proxy, {})
  expect([result.exitCode, errorOf(result)]).toEqual([
    1,
    expect.stringMatching(/^create-service .* no tunnel through the proxy 127.0.0.1:\d+ within \d(\.\d+)? s/),
  ])
  expect(requested).toEqual(onlyLooked)
})

it('leaves at a signal, and never sends the request that waits for a tunnel', async () => {
  const proxy = await startProxy()
  const { result, requested } = await createThrough(proxy, {
    onStart: kill => void proxy.reached.then(() => kill('SIGTERM')),
  })
  expect([result.exitCode, errorOf(result)]).toEqual([143, expect.stringMatching(/^cancelled by SIGTERM — /)])
  expect(requested).toEqual(onlyLooked)
})
