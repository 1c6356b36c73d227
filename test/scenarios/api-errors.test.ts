/** Runs steps against an API that returns errors. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Fault, FaultRequest } from '../../emulator/http/faults/faults.ts'
import { answer } from '../support/api-faults.ts'
import { errorOf, type Inputs, useWorkbench } from '../support/workbench.ts'

const bench = useWorkbench({ databases: 'invented' })
beforeEach(() => bench.injectFaults(() => undefined))

/** The fault on the first `times` requests of an operation. */
function first(operation: string, times: number, fault: Fault): (request: FaultRequest) => Fault | undefined {
  let left = times
  return request => (request.operation === operation && left-- > 0 ? fault : undefined)
}

const creations = (mark: number) =>
  bench.operationsSince(mark).filter(operation => operation === 'create-service').length
const list: Inputs = { operation: 'list-services', project_id: 'em00000001' }
const create: Inputs = { operation: 'create-service', project_id: 'em00000001', name: 'doubtful' }

it('fails at once if a proxy refuses the key, and quotes the refusal', async () => {
  const mark = bench.emulator.requests.length
  const body = `key\u001b[31m ${bench.secretKey} ${'is not known here '.repeat(30)}`
  bench.injectFaults(first('create-service', 9, answer(401, body, { contentType: 'text/plain' })))
  const result = await bench.step({ ...create, name: 'refused-*' })
  expect(result.exitCode).toBe(1)
  expect(bench.operationsSince(mark)).toEqual(['create-service'])
  expect(errorOf(result)).toMatch(
    /status 401.*key \[31m \*{3} is not known here .{100,170}….*check public_key and secret_key/,
  )
})

it('keeps the valid fields of a malformed record in a list, with a warning', async () => {
  const odd = {
    service_id: 's2',
    name: { en: 'odd' },
    status: 'READY',
    note: 'hush-hush-2',
    initial_password: 'hush-hush-1',
  }
  const readable = { service_id: 's1', name: 'fine', status: 'READY', unknown: 'x' }
  bench.injectFaults(first('list-services', 1, answer(200, [readable, odd, null, 'hush-hush-3'])))
  const { outputs, stdout } = await bench.runSuccessfully(list)
  const { unknown: __, ...known } = readable
  expect(JSON.parse(outputs.result as string)).toEqual([
    known,
    { service_id: 's2', status: 'READY' },
    null,
    null,
  ])
  expect(outputs.count).toBe('4')
  const warnings = stdout.split('\n').filter(line => line.startsWith('::warning'))
  expect(warnings).toEqual([expect.stringContaining('3 records of the list are malformed')])
  expect(warnings[0]).toContain('1.name is missing or differs from the specification')
})

describe('a creating POST', () => {
  it('is not sent if the state of the step cannot be written', async () => {
    const mark = bench.emulator.requests.length
    const result = await bench.step(create, { environment: { GITHUB_STATE: '/nowhere/state' } })
    expect(errorOf(result)).toContain('the state of the step cannot be written')
    expect(creations(mark)).toBe(0)
  })
})
