/** Tests the examples of the reference. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { yamlBlocks } from '../../tools/check-workflows/yaml-blocks.ts'
import { openWorkbench } from '../support/workbench.ts'
import { interpolateAll } from './support/expressions.ts'
import { repository } from './support/workflow-file.ts'

interface Step {
  id?: string
  with?: Record<string, string>
  env?: Record<string, string>
  run?: string
}

const reference = readFileSync(resolve(repository, 'docs/reference.md'), 'utf8')

it('the example that reads `result` with fromJSON shows the size of the database', async () => {
  const [block, ...others] = yamlBlocks(reference).filter(({ text }) => text.includes('fromJSON('))
  expect(others).toEqual([])
  const [asking, reading] = parse(block?.text ?? '') as [Step, Step]
  const bench = await openWorkbench({ databases: 'invented' })
  onTestFinished(() => bench.stop())
  const created = await bench.runSuccessfully({
    operation: 'create-service',
    cpu_millis: '1000',
    memory_gbs: '4',
  })
  const vars = { DATABASE_SERVICE_ID: created.outputs.service_id }
  const secrets = { DATABASE_PUBLIC_KEY: 'public-test', DATABASE_SECRET_KEY: bench.secretKey }
  const inputs = interpolateAll(asking.with, { vars, secrets })
  const { outputs } = await bench.runSuccessfully({
    ...inputs,
    base_url: bench.emulator.baseUrl,
    api_key: '',
  })
  const env = interpolateAll(reading.env, { steps: { [asking.id ?? '']: { outputs } } })
  const shown = execFileSync('bash', ['-c', reading.run ?? ''], { env, encoding: 'utf8' })
  expect(shown).toBe('the database has 4 GB of memory\n')
})
