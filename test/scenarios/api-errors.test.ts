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

it('a 404 is reported with code, message, details and the next step, and not repeated', async () => {
  const mark = bench.emulator.requests.length
  const body = { code: 'SOME_CODE', message: 'words of the server', details: { hint: 'the small print' } }
  bench.injectFaults(first('list-services', 9, answer(404, body)))
  const result = await bench.step(list)
  expect(result.exitCode).toBe(1)
  expect(errorOf(result)).toContain(
    'list-services (GET /projects/em00000001/services) failed with 404 SOME_CODE: words of the server — check project_id: project em00000001 does not exist for these keys',
  )
  expect(result.stdout).toContain('the small print')
  expect(result.summary).toContain('words of the server')
  expect(bench.operationsSince(mark)).toEqual(['list-services'])
})

it('an unknown service is reported with the services that exist, the most similar first', async () => {
  const { outputs } = await bench.runSuccessfully({ ...create, name: 'shop', wait: 'false' })
  const id = outputs.service_id ?? ''
  const typed = `${id.slice(0, -1)}${id.endsWith('x') ? 'y' : 'x'}`
  const get = { operation: 'get-service', project_id: 'em00000001', service_id: typed }
  const advice = errorOf(await bench.step(get))
  expect(advice).toContain(`there is no service ${typed} in project em00000001`)
  expect(advice).toMatch(new RegExp(`\\. The project has ${id} \\(shop\\)(?:$|, | and )`))
  for (let index = 0; index < 5; index++)
    await bench.runSuccessfully({ ...create, name: 'more-*', wait: 'false' })
  expect(errorOf(await bench.step(get))).toMatch(/ has (?:\w+ \([\w-]+\), ){5}and \d+ more$/)

  bench.injectFaults(first('list-services', 9, answer(500, {})))
  expect(errorOf(await bench.step(get))).toMatch(/The operation list-services lists the services$/)
})

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
  it.each<[string, Fault]>([
    ['a reset', { kind: 'reset', when: 'after' }],
    ['half an answer', { kind: 'truncate' }],
  ])('is found in the list after %s, and sent no second time', async (_, fault) => {
    const mark = bench.emulator.requests.length
    bench.injectFaults(first('create-service', 9, fault))
    const result = await bench.runSuccessfully({ ...create, name: 'found-again-*' })
    expect(creations(mark)).toBe(1)
    expect(result.stdout).toMatch(/::warning title=[^:]*::the answer of create-service was lost/)
    expect(result.outputs).toMatchObject({ status: 'READY', created: 'true' })
    expect(result.outputs.name).toMatch(/^found-again-\w{8}$/)
    expect(JSON.parse(result.state.created ?? '').ids.service_id).toBe(result.outputs.service_id)
    // The password of the answer is lost for good; the new one is known.
    expect(bench.operationsSince(mark)).toContain('update-password')
    expect(result.outputs.password).toMatch(/^\w{20,}$/)
    expect(result.outputs.initial_password).toBeUndefined()
  })

  it('is not sent if the state of the step cannot be written', async () => {
    const mark = bench.emulator.requests.length
    const result = await bench.step(create, { environment: { GITHUB_STATE: '/nowhere/state' } })
    expect(errorOf(result)).toContain('the state of the step cannot be written')
    expect(creations(mark)).toBe(0)
  })
})
