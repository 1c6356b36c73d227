/** Tests that the keys stay hidden. */
import { createServer } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Fault } from '../../emulator/http/faults/faults.ts'
import { answer, onOperations } from '../support/api-faults.ts'
import { disguise } from '../support/disguises.ts'
import { LocalServers } from '../support/local-servers.ts'
import { errorOf, type Inputs, useWorkbench } from '../support/workbench.ts'

/** All that a key may consist of, and that some writer of texts escapes. */
const secretKey = `k3y"'%2B&+\\/<x>=~\`!***(z)|?`
/** Every step here fails its test where it shows a secret: see SecretWatch. */
const bench = useWorkbench({ databases: 'invented', secretKey })
beforeEach(() => bench.injectFaults(() => undefined))

const project_id = 'em00000001'
const list: Inputs = { operation: 'list-services', project_id, max_attempts: '2' }

const refuse = (message: string, status = 400) => answer(status, { code: 'NO', message })

/** The characters that a header may contain. */
const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, '')

const told: [string, (text: string) => Fault][] = [
  ['message', text => refuse(text)],
  ['message of a 401', text => refuse(text, 401)],
  ['message of a 500', text => refuse(text, 500)],
  ['code', text => answer(400, { code: text, message: 'no' })],
  [
    'details',
    text => answer(400, { code: 'NO', message: 'no', details: { [text]: [text, JSON.stringify({ text })] } }),
  ],
  ['content type', text => answer(200, '<html>', { headers: { 'content-type': headerText(text) } })],
  ['message, where a line is cut', text => refuse(`${'x'.repeat(3900)}${text}`)],
]

const untold: [string, (text: string) => Fault][] = [
  ['message, far into a long line', text => refuse(`${'x'.repeat(15_900)}${text}`)],
  ['page', text => answer(502, `<h1>${text}</h1>`)],
  ['page in the place of the list', text => answer(200, `<h1>${text}</h1>`)],
  ['page that is not found', text => answer(404, `<h1>${text}</h1>`)],
  ['redirect', text => answer(307, text, { headers: { location: `https://host/${headerText(text)}` } })],
  [
    'Retry-After',
    text => answer(429, { code: 'NO', message: 'no' }, { headers: { 'retry-after': headerText(text) } }),
  ],
  [
    'body that is no JSON',
    text => answer(200, `{"text": ${text}`, { headers: { 'content-type': 'application/json' } }),
  ],
  ['record that is none', text => answer(200, [{ [text]: text }])],
]

describe('a server that puts the secret key into its', () => {
  it.each(told)('%s has it removed', async (_, fault) => {
    bench.injectFaults(() => fault(disguise(secretKey)))
    const result = await bench.step(list)
    expect(result.exitCode).toBe(1)
    expect(result.stdout).toContain('***')
  })

  it.each(untold)('%s shows nothing of it', async (_, fault) => {
    bench.injectFaults(() => fault(disguise(secretKey)))
    expect((await bench.step(list)).exitCode).toBe(1)
  })

  it('records has it removed from log, summary and result', async () => {
    const text = disguise(secretKey)
    const record = { service_id: 'd1k5vk7hf2', name: text, status: text, region_code: text, [text]: [text] }
    bench.injectFaults(() => answer(200, { ...record, endpoint: { host: text, port: 5432 } }))
    const result = await bench.runSuccessfully({
      operation: 'get-service',
      project_id,
      service_id: 'd1k5vk7hf2',
    })
    expect(JSON.parse(result.outputs.result as string).name).toContain('***')
    expect(result.summary).toContain('&#42;&#42;&#42;')
  })

  it('status line shows nothing of it, in any encoding', async () => {
    const servers = new LocalServers()
    const server = createServer(({ headers }, response) => {
      const sent = headers.authorization ?? ''
      const text = disguise(sent, Buffer.from(sent.slice('Basic '.length), 'base64').toString())
      response.writeHead(400, headerText(text), { 'x-key': headerText(text) })
      response.end(JSON.stringify({ code: sent, message: text }))
    })
    try {
      const port = await servers.listen(server)
      const result = await bench.step({ ...list, base_url: `http://127.0.0.1:${port}/public/api/v1` })
      expect(errorOf(result)).toContain('failed with 400 ***: ***')
    } finally {
      await servers.close()
    }
  })
})

it('the message about a wrong input that holds the key omits the key', async () => {
  const result = await bench.step({ ...list, project_id: secretKey, wait: disguise(secretKey) })
  expect(errorOf(result)).toContain('project_id: expected an id')
  expect(errorOf(result)).toContain('***')
})

it('an uncaught exception is reported without the key', async () => {
  bench.injectFaults(() => ({ kind: 'hang', when: 'before' }))
  const code = 'setTimeout(() => { throw new Error(process.env.INPUT_TEXT) }, 700)'
  const result = await bench.step(
    { ...list, text: disguise(secretKey) },
    {
      as: 'process',
      environment: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` },
    },
  )
  expect([result.exitCode, result.stderr]).toEqual([1, ''])
  expect(errorOf(result)).toMatch(/\*\*\*.* — this is a defect of the action/)
})

describe('the state holds no secret', () => {
  /** One that an id may consist of as well. */
  const secretKey = 'k3yOfLettersAndDigits'
  const bench = useWorkbench({ databases: 'invented', secretKey })

  const create: Inputs = { operation: 'create-service', name: 'hidden', wait: 'false' }

  it('if a server returns the key as the id of a new record', async () => {
    const record = { service_id: secretKey, name: 'hidden', status: 'QUEUED' }
    bench.injectFaults(onOperations({ 'create-service': answer(202, record) }))
    const { state } = await bench.runSuccessfully({ ...create, project_id })
    expect(Object.keys(state)).toEqual(['intent'])
  })

  it('if a server returns the key as the id of the project: nothing is created', async () => {
    const project = { id: secretKey, name: 'p' }
    bench.injectFaults(
      onOperations({
        'get-auth-info': answer(200, { type: 'apiKey', apiKey: { public_key: 'p', project } }),
        'list-services': answer(200, []),
      }),
    )
    const mark = bench.emulator.requests.length
    const result = await bench.step(create)
    expect(errorOf(result)).toContain('the state of the step would contain a secret')
    expect(bench.operationsSince(mark)).not.toContain('create-service')
    expect(result.state).toEqual({})
  })
})
