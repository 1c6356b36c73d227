/** Limits the bytes of the bundle, and the files and modules of Node.js that a step loads. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { useWorkbench } from '../support/workbench.ts'
import { useWorkspace } from '../support/workspace.ts'

// Every step and post step loads the bundle. Raise the limit only for a benefit to users.
const dist = resolve(import.meta.dirname, '../../dist')
const reporter = resolve(import.meta.dirname, '../support/report-loaded.cjs')

const sizeOf = (files: string[]) => files.reduce((sum, file) => sum + statSync(join(dist, file)).size, 0)

// Of these, 60 KB are for migrations and 53 KB for proposed masking rules: only the steps that need them load these.
test('the code of dist is no longer than 900 KB', () => {
  expect(sizeOf(readdirSync(dist).filter(file => file.endsWith('.js')))).toBeLessThanOrEqual(900_000)
})

test('each file of dist has the name of a module', () => {
  expect(readdirSync(dist).filter(file => /\d/.test(file))).toEqual([])
})

/** Parts of Node.js that no step needs, or only over TLS: some of them take longer than a request. */
const neverLoaded = [
  ...['http', 'http2', 'https', 'tls', 'child_process', 'readline', 'sqlite'],
  ...['perf_hooks', 'worker_threads', 'fs/promises'],
]

describe('loaded code', () => {
  const bench = useWorkbench({ databases: 'invented', steps: 'process' })
  const folder = useWorkspace()
  let serviceId: string

  beforeAll(async () => {
    const created = await bench.runSuccessfully({ operation: 'create-service', region_code: 'us-east-1' })
    serviceId = created.outputs.service_id as string
  })

  async function loadedBy(entry: 'index' | 'post', inputs: Record<string, string>) {
    const file = join(folder.path, 'loaded.json')
    const environment = {
      GITHUB_REPOSITORY_ID: '1',
      NODE_OPTIONS: `--require ${JSON.stringify(reporter)}`,
      LOADED_FILE: file,
    }
    await bench.runSuccessfully(inputs, { entry, environment })
    const { files, builtins } = JSON.parse(readFileSync(file, 'utf8')) as Record<
      'files' | 'builtins',
      string[]
    >
    return { files: files.map(path => basename(path)), builtins }
  }

  test.each([
    ['fork-service', { wait: 'false', fork_strategy: 'NOW' }, []],
    [
      'get-connection',
      { wait_for_connection: 'false' },
      [
        'shared-by-event-create-masked-parent-operations-on-demand.js',
        'shared-by-event-operations-on-demand.js',
        'by-event.js',
      ],
    ],
  ])(
    'of %s includes neither the client of GitHub nor that of the database',
    async (operation, more, parts) => {
      const { files, builtins } = await loadedBy('index', { operation, service_id: serviceId, ...more })
      const core = ['index.js', 'llhttp-constants.js', 'llhttp.js', 'run.js']
      expect(files.toSorted()).toEqual([...core, ...parts].toSorted())
      for (const name of neverLoaded) expect(builtins).not.toContain(name)
    },
  )

  test('of the post step is nothing if the step created nothing', async () => {
    const { files, builtins } = await loadedBy('post', { operation: 'fork-service', service_id: serviceId })
    expect(files).toEqual(['post.js'])
    for (const name of ['http', 'crypto']) expect(builtins).not.toContain(name)
  })
})
