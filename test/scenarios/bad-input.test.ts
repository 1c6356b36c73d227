/** Runs steps with wrong inputs. */
import { describe, expect, it } from 'vitest'
import { changeBody, onOperations } from '../support/api-faults.ts'
import { errorOf, type Inputs, useWorkbench } from '../support/workbench.ts'

const bench = useWorkbench({ databases: 'invented' })

const fork = { operation: 'fork-service', service_id: 'd1k5vk7hf2', fork_strategy: 'NOW' }

const cases: [string, Inputs, string[]][] = [
  ['no operation', {}, ['operation: expected the name of an operation, got nothing']],
  [
    'a quarantine of a fork that is not waited for',
    { ...fork, quarantine: 'strict', wait: 'false' },
    ['wait: expected true, because the quarantine starts when the fork is READY, got "false"'],
  ],
  [
    'a quarantine that is no such word',
    { ...fork, quarantine: 'strickt' },
    ['quarantine: expected true, false or strict, got "strickt"'],
  ],
  [
    'several problems at once',
    { operation: 'fork-service', wait: 'maybe', cleanup: 'sometimes' },
    [
      '4 problems',
      'service_id',
      'fork_strategy',
      'wait: expected',
      'cleanup: expected never, always or on-failure',
    ],
  ],
]

describe.each(cases)('%s', (_, inputs, expected) => {
  it('is reported in one line, without a request', async () => {
    const mark = bench.emulator.requests.length
    const result = await bench.step(inputs)
    expect(result.exitCode).toBe(1)
    for (const text of expected) expect(errorOf(result)).toContain(text)
    expect(result.stdout.match(/^::error title=[^:]*::/gm)).toHaveLength(1)
    expect(bench.operationsSince(mark)).toEqual([])
    expect(result.outputs).toEqual({})
  })
})

it('warns of an add-on without effect and of a deprecated service type', async () => {
  const asAi = { operation: 'create-service', name: 'vectors', addons: 'ai, time-series', wait: 'false' }
  const { stdout, outputs } = await bench.runSuccessfully(asAi)
  expect(stdout).toContain(
    '::warning title=create-service%3A value without effect::addons: ai has no effect anymore; run CREATE EXTENSION vector on the service',
  )
  expect(stdout).not.toContain('time-series has no effect')
  const vector = changeBody<object>(service => ({ ...service, service_type: 'VECTOR' }))
  bench.injectFaults(onOperations({ 'get-service': vector }))
  const { service_id = '' } = outputs
  const read = await bench.runSuccessfully({ operation: 'get-service', service_id })
  expect(read.stdout).toMatch(
    /::warning title=[^:]*::service \w+ has the deprecated type VECTOR: move its data/,
  )
  bench.injectFaults(() => undefined)
  expect((await bench.runSuccessfully({ operation: 'get-service', service_id })).stdout).not.toContain(
    'VECTOR',
  )
})
