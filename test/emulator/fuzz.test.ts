/** Tests the emulator with random requests. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openClusters } from '../../emulator/clusters/open-clusters.ts'
import type { Emulator } from '../../emulator/http/server.ts'
import { useWorkspace } from '../support/workspace.ts'
import { callOverHttp } from './support/http-caller.ts'
import { start, stopAll } from './support/running.ts'

/**
 * The program of Schemathesis; the checkout of the vendor's command line, which holds an older description; and a file with
 * the newer one, stainless/openapi.yml of the vendor's documentation.
 */
const { SCHEMATHESIS: fuzzer = '', TIGER_CLI: checkout = '', API_DESCRIPTION: newer = '' } = process.env

const descriptions = [...(checkout ? [path.join(checkout, 'openapi.yaml')] : []), ...(newer ? [newer] : [])]

/** Each answer must be free of server errors and match the vendor's description. */
const checks = 'not_a_server_error,response_schema_conformance,content_type_conformance'

const { path: root } = useWorkspace()
const { path: folder } = useWorkspace()
let emulator: Emulator

/** Records to work on: their ids, by the name that path parameters have. */
async function furnish(name: string): Promise<Record<string, string>> {
  const create = async (operation: Parameters<typeof callOverHttp>[1], params: object): Promise<string> => {
    const { body } = await callOverHttp(emulator, operation, { name, ...params })
    return body.service_id ?? body.id
  }
  const service_id = await create('create-service', { addons: ['time-series'] })
  await expect
    .poll(async () => (await callOverHttp(emulator, 'get-service', { service_id })).body.status, {
      timeout: 30_000,
    })
    .toBe('READY')
  const replica = { service_id, nodes: 1, cpu_millis: 250, memory_gbs: 1 }
  const vpc_id = await create('create-vpc', { cidr: '10.0.0.0/16', region_code: 'us-east-1' })
  const peer = {
    vpc_id,
    peer_account_id: '123456789012',
    peer_region_code: 'us-east-1',
    peer_vpc_id: 'vpc-1',
  }
  return {
    ...{ service_id, vpc_id, metric_name: 'timescale_cloud_database_qps' },
    replica_set_id: await create('create-replica', replica),
    peering_id: await create('create-peering', peer),
  }
}

const lines = (ids: Record<string, string>) =>
  Object.entries(ids).map(([name, id]) => `"path.${name}" = "${id}"\n`)

/** Deletions use separate records, since the other requests need theirs. */
async function writeConfiguration(): Promise<string> {
  const file = path.join(folder, 'schemathesis.toml')
  const project = { project_id: emulator.store.project.id }
  const [kept, deleted] = [await furnish('kept'), await furnish('deleted')]
  const parts = [
    ...['[parameters]\n', ...lines({ ...project, ...kept })],
    ...[
      '[[operations]]\ninclude-method = "DELETE"\n',
      '[operations.parameters]\n',
      ...lines({ ...project, ...deleted }),
    ],
  ]
  await writeFile(file, parts.join(''))
  return file
}

describe.skipIf(fuzzer === '' || descriptions.length === 0)(
  'Schemathesis (skipped where SCHEMATHESIS does not name it, or neither TIGER_CLI nor API_DESCRIPTION a description)',
  () => {
    beforeEach(async () => {
      const times = { readyAfter: 0, changeAfter: 0, deleteAfter: 0 }
      const dataPlane = await openClusters({ root, snapshotAfter: 50 })
      emulator = await start({ ...times, timeSeriesType: 'TIMESCALEDB', maxServices: 8, dataPlane })
    }, 120_000)

    afterEach(stopAll)

    it.each(descriptions)(
      'finds no answer that %s does not allow',
      { timeout: 300_000 },
      async description => {
        const { publicKey, secretKey } = emulator.keys
        const configuration = await writeConfiguration()
        const run = promisify(execFile)(
          fuzzer,
          [
            ...['--config-file', configuration, 'run', description],
            ...['--url', emulator.baseUrl, '--auth', `${publicKey}:${secretKey}`, '--checks', checks],
            ...[
              '--phases',
              'examples,coverage,fuzzing',
              '--max-time',
              process.env.FUZZ_SECONDS ?? '120',
              '--no-color',
            ],
          ],
          { cwd: folder, maxBuffer: 2 ** 26 },
        )
        const told = await run.then(
          ({ stdout }) => stdout,
          (failed: { stdout: string }) => failed.stdout,
        )
        expect(told).toMatch(/(\d+) generated, \1 passed/)
      },
    )
  },
)
