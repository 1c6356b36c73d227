import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Fault, FaultRequest } from '../../emulator/http/faults/faults.ts'
import type { Payload } from '../../emulator/http/payload.ts'
import { errorOf, type Inputs, openWorkbench, type Workbench } from '../support/workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await openWorkbench({ databases: 'invented' })
})
afterAll(() => bench.stop())
beforeEach(() => bench.strike(() => undefined))

/** The fault on the first `times` requests of an operation. */
function first(operation: string, times: number, fault: Fault): (request: FaultRequest) => Fault | undefined {
  let left = times
  return request => (request.operation === operation && left-- > 0 ? fault : undefined)
}

const answer = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
  when: 'before' | 'after' = 'before',
): Fault => ({
  kind: 'answer',
  when,
  status,
  body,
  headers,
})
const creations = (mark: number) =>
  bench.requested(mark).filter(operation => operation === 'create-service').length
const html = '<!doctype html><title>Welcome</title>'
const list: Inputs = { operation: 'list-services', project_id: 'em00000001' }
const create: Inputs = { operation: 'create-service', project_id: 'em00000001', name: 'doubtful' }

const refusals: [number, string][] = [
  [400, 'correct the input that the message names'],
  [401, 'check public_key and secret_key'],
  [403, 'check that the key may do this'],
  [404, 'check project_id: these keys see no project em00000001'],
  [409, 'the message says what is in the way'],
]

it.each(refusals)(
  'a %i is told with code, message, details and what to do next, and not repeated',
  async (status, advice) => {
    const mark = bench.emulator.requests.length
    bench.strike(
      first(
        'list-services',
        9,
        answer(status, {
          code: 'SOME_CODE',
          message: 'words of the server',
          details: { hint: 'the small print' },
        }),
      ),
    )
    const result = await bench.step(list)
    expect(result.exitCode).toBe(1)
    expect(errorOf(result)).toContain(
      `list-services (GET /projects/em00000001/services) failed with ${status} SOME_CODE: words of the server`,
    )
    expect(errorOf(result)).toContain(advice)
    expect(result.stdout).toContain('the small print')
    expect(result.summary).toContain('words of the server')
    expect(bench.requested(mark)).toEqual(['list-services'])
  },
)

it('a wrong key is a 401 of the server itself', async () => {
  const result = await bench.step({ ...list, api_key: 'public-test:not-the-secret' })
  expect(errorOf(result)).toMatch(/failed with 401 .*check public_key and secret_key/)
})

it('a refusal of the key in other words than those of the API ends a creation at once, and is quoted', async () => {
  const mark = bench.emulator.requests.length
  const body = `key\u001b[31m ${bench.secretKey} ${'is not known here '.repeat(30)}`
  bench.strike(first('create-service', 9, { ...answer(401, body), contentType: 'text/plain' } as Fault))
  const result = await bench.step({ ...create, name: 'refused-*' })
  expect(result.exitCode).toBe(1)
  expect(bench.requested(mark)).toEqual(['create-service'])
  expect(errorOf(result)).toMatch(
    /status 401.*key \[31m \*{3} is not known here .{100,170}….*check public_key and secret_key/,
  )
})

it('an error without a message shows what there is', async () => {
  bench.strike(first('list-services', 9, answer(400, { error: 'nope' })))
  const result = await bench.step(list)
  expect(errorOf(result)).toContain('failed with 400: no message, but {"error":"nope"}')
  expect(errorOf(result)).not.toContain('that the message names')
})

const passing: [string, Fault][] = [
  ['429', answer(429, { code: 'SLOW_DOWN', message: 'too many' }, { 'retry-after': '1' })],
  ['500', answer(500, { code: 'OOPS', message: 'broken' })],
  ['502 with HTML', answer(502, html)],
  ['503', answer(503, '')],
  ['a reset', { kind: 'reset', when: 'before' }],
  ['half an answer', { kind: 'truncate' }],
]

it.each(passing)('a read goes on after %s', async (_, fault) => {
  const mark = bench.emulator.requests.length
  bench.strike(first('list-services', 1, fault))
  const result = await bench.step(list)
  expect(result.exitCode).toBe(0)
  expect(result.stdout).toContain('trying again in')
  expect(bench.requested(mark)).toEqual(['list-services', 'list-services'])
})

it('a 429 is told with the pause that the server asks for, in the log and in the error', async () => {
  const tooMany = (pause: string) => answer(429, { code: 'SLOW', message: 'slow' }, { 'retry-after': pause })
  bench.strike(first('list-services', 1, tooMany('1')))
  const { stdout } = await bench.done(list)
  expect(stdout).toContain('failed with 429 SLOW: slow (Retry-After: 1); trying again in 1.0s')
  bench.strike(first('list-services', 9, tooMany('86400')))
  expect(errorOf(await bench.step(list))).toContain('failed with 429 SLOW: slow (Retry-After: 86400)')
})

it('an answer may begin with a mark of the byte order', async () => {
  const change = (intended: Payload) => ({ ...intended, body: `\uFEFF${intended.body}` })
  bench.strike(first('list-services', 1, { kind: 'change', change }))
  expect((await bench.done(list)).outputs.count).toBeDefined()
})

it('a read gives up after max_attempts', async () => {
  const mark = bench.emulator.requests.length
  bench.strike(first('list-services', 9, answer(503, { code: 'DOWN', message: 'maintenance' })))
  const result = await bench.step({ ...list, max_attempts: '2' })
  expect(errorOf(result)).toContain('failed with 503 DOWN: maintenance')
  expect(bench.requested(mark)).toEqual(['list-services', 'list-services'])
})

it.each<[string, Fault, string]>([
  ['an HTML page', answer(200, html), 'content type text/html'],
  ['an HTML 404', answer(404, html), 'base_url'],
  ['a redirect', answer(307, '', { location: 'https://example.com/' }), 'a redirect, which is not followed'],
  ['a list of strangers', answer(200, [{ title: 'no service' }]), '0.service_id is missing'],
])('%s in the place of the API is told with its endpoint', async (_, fault, expected) => {
  bench.strike(first('list-services', 9, fault))
  const result = await bench.step({ ...list, max_attempts: '1' })
  expect(result.exitCode).toBe(1)
  expect(errorOf(result)).toContain(
    'list-services (GET /projects/em00000001/services) got an unreadable answer',
  )
  expect(errorOf(result)).toContain(expected)
})

it('a malformed entry does not fail a list: the outputs hold its known fields, with a warning', async () => {
  const odd = {
    service_id: 's2',
    name: { en: 'odd' },
    status: 'READY',
    note: 'hush-hush-2',
    initial_password: 'hush-hush-1',
  }
  const readable = { service_id: 's1', name: 'fine', status: 'READY', unknown: 'x' }
  bench.strike(first('list-services', 1, answer(200, [readable, odd, null, 'hush-hush-3'])))
  const { outputs, stdout } = await bench.done(list)
  const { unknown: __, ...known } = readable
  expect(JSON.parse(outputs.result as string)).toEqual([
    known,
    { service_id: 's2', status: 'READY' },
    null,
    null,
  ])
  expect(outputs.count).toBe('4')
  const warnings = stdout.split('\n').filter(line => line.startsWith('::warning'))
  expect(warnings).toEqual([expect.stringContaining('3 entries of the list cannot be read')])
  expect(warnings[0]).toContain('1.name is missing or not what the specification says')
})

describe('a creating POST', () => {
  it.each<[string, Fault]>([
    ['a 500', answer(500, { code: 'OOPS', message: 'broken' }, {}, 'after')],
    ['a reset', { kind: 'reset', when: 'after' }],
    ['half an answer', { kind: 'truncate' }],
  ])('is found in the list after %s, and sent no second time', async (_, fault) => {
    const mark = bench.emulator.requests.length
    bench.strike(first('create-service', 9, fault))
    const result = await bench.done({ ...create, name: 'found-again-*' })
    expect(creations(mark)).toBe(1)
    expect(result.stdout).toMatch(/::warning title=[^:]*::the answer of create-service was lost/)
    expect(result.outputs).toMatchObject({ status: 'READY', created: 'true' })
    expect(result.outputs.name).toMatch(/^found-again-\w{8}$/)
    expect(JSON.parse(result.state.created ?? '').ids.service_id).toBe(result.outputs.service_id)
    // The password of the answer is lost for good; the new one is known.
    expect(bench.requested(mark)).toContain('update-password')
    expect(result.outputs.password).toMatch(/^\w{20,}$/)
    expect(result.outputs.initial_password).toBeUndefined()
  })

  it('that may have been processed is not sent again before that is known', async () => {
    const mark = bench.emulator.requests.length
    bench.strike(first('create-service', 9, answer(500, { code: 'OOPS', message: 'broken' })))
    const result = await bench.step({ ...create, wait_timeout: '3s' })
    expect(result.exitCode).toBe(1)
    expect(creations(mark)).toBe(1)
    expect(errorOf(result)).toMatch(/500 OOPS: broken; sent once, service "doubtful" could not be looked for/)
    expect(result.state.intent).toContain('doubtful')
  })

  it.each([400, 403, 409, 429])('that is refused with %i leaves nothing to clean up', async status => {
    const mark = bench.emulator.requests.length
    bench.strike(first('create-service', 9, answer(status, { code: 'NO', message: 'no' })))
    const result = await bench.step(create)
    expect(result.exitCode).toBe(1)
    expect(result.state.intent).toBe('')
    expect(creations(mark)).toBe(status === 429 ? 2 : 1)
  })

  it('is not sent where the state of the step cannot be written', async () => {
    const mark = bench.emulator.requests.length
    const result = await bench.step(create, { environment: { GITHUB_STATE: '/nowhere/state' } })
    expect(errorOf(result)).toContain('the state of the step cannot be written')
    expect(creations(mark)).toBe(0)
  })
})

it('nobody listening is told with the address to check', async () => {
  const result = await bench.step({
    ...list,
    base_url: 'http://127.0.0.1:1/public/api/v1',
    max_attempts: '1',
  })
  expect(errorOf(result)).toMatch(/ECONNREFUSED.*check base_url/)
})

it('a hostile message is no command', async () => {
  const message = 'x\n::set-output name=host::evil\r##[error]boo\u202e'
  bench.strike(first('list-services', 1, answer(400, { code: '::error::', message })))
  const result = await bench.step(list)
  const commands = result.stdout
    .split('\n')
    .filter(line => /^\s*::(?!add-mask|error|debug)/.test(line) || line.includes('##['))
  expect(commands).toEqual([])
  expect(result.outputs).toEqual({})
})
