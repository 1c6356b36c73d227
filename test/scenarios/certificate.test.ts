import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCertificate } from '../../emulator/clusters/certificate.ts'
import { errorOf, openWorkbench, type Workbench } from '../support/workbench.ts'

const https = makeCertificate()
let bench: Workbench
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  bench = await openWorkbench({ databases: 'invented', steps: 'process', https })
})
afterAll(() => Promise.all([bench.stop(), rm(folder, { recursive: true, force: true })]))

const list = { operation: 'list-services', max_attempts: '1' }

it('sends nothing to a server whose certificate is not trusted, and says how to trust it', async () => {
  const result = await bench.step(list)
  expect(result.exitCode).toBe(1)
  expect(errorOf(result)).toMatch(/certificate of the server is not trusted.* — .*NODE_EXTRA_CA_CERTS/)
  expect(bench.emulator.requests).toEqual([])
})

it('trusts the authorities that NODE_EXTRA_CA_CERTS names', async () => {
  const file = join(folder, 'authority.pem')
  await writeFile(file, https.certificate)
  const { outputs } = await bench.done(list, { environment: { NODE_EXTRA_CA_CERTS: file } })
  expect(outputs.count).toBe('0')
})
