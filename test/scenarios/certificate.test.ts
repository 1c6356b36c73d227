/** Runs steps against servers with various certificates. */
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createCertificate } from '../../emulator/clusters/installation/certificate.ts'
import { useServers } from '../support/local-servers.ts'
import { errorOf, useWorkbench } from '../support/workbench.ts'
import { useWorkspace } from '../support/workspace.ts'

const https = createCertificate()
const servers = useServers()
const bench = useWorkbench({ databases: 'invented', steps: 'process', https })
const workspace = useWorkspace()
workspace.write({ 'authority.pem': https.certificate, 'empty.pem': '' })
const fileAt = (name: string) => join(workspace.path, name)

const list = { operation: 'list-services', max_attempts: '1' }

it('sends nothing to a server with an untrusted certificate, and explains how to trust it', async () => {
  const result = await bench.step({ operation: 'list-services' })
  expect(result.exitCode).toBe(1)
  expect(result.stdout).not.toContain('trying again')
  expect(errorOf(result)).toMatch(/certificate of the server is not trusted.* — .*NODE_EXTRA_CA_CERTS/)
  expect(bench.emulator.requests).toEqual([])
})

it('trusts the authorities that NODE_EXTRA_CA_CERTS names', async () => {
  const environment = { NODE_EXTRA_CA_CERTS: fileAt('authority.pem') }
  const { outputs } = await bench.runSuccessfully(list, { environment })
  expect(outputs.count).toBe('0')
})

it('warns if NODE_TLS_REJECT_UNAUTHORIZED=0 accepts any certificate', async () => {
  const { stdout } = await bench.runSuccessfully(list, { environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } })
  expect(stdout).toMatch(
    /^::warning [^:]*certificates not checked::NODE_TLS_REJECT_UNAUTHORIZED=0 disables all checks/m,
  )
})

it.each([
  ['missing.pem', 'ENOENT'],
  ['empty.pem', 'no certificate in it'],
])('warns if NODE_EXTRA_CA_CERTS names %s', async (name, reason) => {
  const file = fileAt(name)
  const { stdout } = await bench.step(list, { environment: { NODE_EXTRA_CA_CERTS: file } })
  expect(stdout).toContain(
    `certificate authority ignored::the file ${file} in NODE_EXTRA_CA_CERTS is unreadable (${reason}): correct the path`,
  )
})

it('goes through the tunnel of a proxy, with any parser of undici', async () => {
  const asked: (string | undefined)[] = []
  const proxy = createServer().on('connect', (request, client) => {
    asked.push(request.url)
    const onward = connect(Number(new URL(bench.emulator.baseUrl).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(client).pipe(onward)
    })
  })
  const HTTPS_PROXY = `http://127.0.0.1:${await servers.listen(proxy)}`
  // The bundle leaves out the unused parts of undici, which the tests of src would not miss.
  const environment = {
    ...{ HTTPS_PROXY, https_proxy: HTTPS_PROXY, NO_PROXY: '', no_proxy: '' },
    ...{ NODE_EXTRA_CA_CERTS: fileAt('authority.pem'), UNDICI_USE_MILO: '1' },
  }
  const { outputs } = await bench.runSuccessfully(list, { environment })
  expect(outputs.count).toBe('0')
  expect(asked).toEqual([new URL(bench.emulator.baseUrl).host])
})
