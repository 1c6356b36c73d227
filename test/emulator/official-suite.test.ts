/** Runs the integration suite of the vendor's command line against the emulator. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openClusters } from '../../emulator/clusters/open-clusters.ts'
import type { Emulator } from '../../emulator/http/server.ts'
import { useWorkspace } from '../support/workspace.ts'
import { callOverHttp } from './support/http-caller.ts'
import { start, stopAll } from './support/running.ts'

/** A checkout of the vendor's command line, for its own integration suite. */
const checkout = process.env.TIGER_CLI ?? ''

const keys = { publicKey: 'official', secretKey: 'official-client-secret' }

const suite = 'internal/cmd/integration_test.go'

const { path: root } = useWorkspace()
let emulator: Emulator

/** Has Go read the suite with passwords kept in a file: a machine for tests has no keychain. */
async function overlay(): Promise<string> {
  const source = path.join(checkout, suite)
  const changed = path.join(root, 'integration_test.go')
  await writeFile(changed, (await readFile(source, 'utf8')).replaceAll('"keychain"', '"pgpass"'))
  const file = path.join(root, 'overlay.json')
  await writeFile(file, JSON.stringify({ Replace: { [source]: changed } }))
  return file
}

async function runSuite(serviceId: string) {
  const home = path.join(root, 'home')
  await mkdir(home)
  const { stdout: go } = await promisify(execFile)('go', ['env', 'GOCACHE', 'GOMODCACHE'])
  const [GOCACHE, GOMODCACHE] = go.split('\n')
  const env = {
    ...process.env,
    ...{ HOME: home, GOCACHE, GOMODCACHE },
    TIGER_PASSWORD_STORAGE: 'pgpass',
    TIGER_VERSION_CHECK: 'false',
    TIGER_API_URL_INTEGRATION: emulator.baseUrl,
    TIGER_PUBLIC_KEY_INTEGRATION: keys.publicKey,
    TIGER_SECRET_KEY_INTEGRATION: keys.secretKey,
    TIGER_EXISTING_SERVICE_ID_INTEGRATION: serviceId,
  }
  const args = [
    'test',
    '-json',
    '-count=1',
    '-timeout=20m',
    `-overlay=${await overlay()}`,
    '-run=Integration$',
  ]
  const options = { cwd: checkout, env, maxBuffer: 2 ** 26 }
  const ended = promisify(execFile)('go', [...args, './internal/cmd'], options)
  const { stdout } = await ended.catch((failed: { stdout: string }) => failed)
  const lines = stdout.split('\n').filter(line => line.startsWith('{'))
  const events = lines.map(line => JSON.parse(line) as { Action: string; Test?: string; Output?: string })
  const of = (action: string) =>
    events.flatMap(({ Action, Test }) => (Action === action && Test ? [Test] : []))
  return { passed: of('pass'), failed: of('fail'), skipped: of('skip'), events }
}

describe.skipIf(checkout === '')(
  "the official client's own integration suite (skipped if TIGER_CLI does not name a checkout)",
  () => {
    beforeAll(async () => {
      const atOnce = { readyAfter: 0, changeAfter: 200, deleteAfter: 0 }
      emulator = await start({
        ...keys,
        ...atOnce,
        dataPlane: await openClusters({ root, snapshotAfter: 50 }),
      })
    }, 120_000)

    afterAll(stopAll)

    it('passes completely', { timeout: 40 * 60_000 }, async () => {
      const { body } = await callOverHttp(emulator, 'create-service', { name: 'existing' })
      const { passed, failed, skipped, events } = await runSuite(body.service_id)
      const told = events.filter(({ Test = '' }) => failed.includes(Test)).map(({ Output }) => Output)
      expect(failed, told.join('')).toEqual([])
      // It looks at the vendor's downloads, and at no service.
      expect(skipped).toEqual(['TestUpgradeLiveCDNIntegration'])
      expect(passed.length).toBeGreaterThanOrEqual(74)
    })
  },
)
