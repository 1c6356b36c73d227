import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Fault, FaultRequest } from '../../src/emulator/faults.ts'
import { disguise } from '../support/disguises.ts'
import { errorOf, type Inputs, openWorkbench, type Workbench } from '../support/workbench.ts'

/** Every step here fails its test where it shows a secret: see SecretWatch. */
let bench: Workbench
/** All that a key may consist of, and that some writer of texts escapes. */
const secretKey = `k3y"'%2B&+\\/<x>=~\`!***(z)|?`
beforeAll(async () => {
  bench = await openWorkbench({ databases: 'invented', secretKey, readyAfter: 200 })
})
afterAll(() => bench.stop())
beforeEach(() => bench.strike(() => undefined))

const project_id = 'em00000001'
const list: Inputs = { operation: 'list-services', project_id, max_attempts: '2' }

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Fault {
  return { kind: 'answer', when: 'before', status, body, headers }
}
const refuse = (message: string, status = 400) => answer(status, { code: 'NO', message })

/** Answers an operation by a fault, all else as it should be. */
function on(operation: string, fault: (request: FaultRequest) => Fault) {
  bench.strike(request => (request.operation === operation ? fault(request) : undefined))
}

/** What a header may hold. */
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
  ['content type', text => answer(200, '<html>', { 'content-type': headerText(text) })],
  ['message, at the end of a long line', text => refuse(`${'x'.repeat(3990)}${text}`)],
  ['message, where a line is cut', text => refuse(`${'x '.repeat(7990)}${text}`)],
]

const untold: [string, (text: string) => Fault][] = [
  ['page', text => answer(502, `<h1>${text}</h1>`)],
  ['page in the place of the list', text => answer(200, `<h1>${text}</h1>`)],
  ['page that is not found', text => answer(404, `<h1>${text}</h1>`)],
  ['redirect', text => answer(307, text, { location: `https://host/${headerText(text)}` })],
  ['Retry-After', text => answer(429, { code: 'NO', message: 'no' }, { 'retry-after': headerText(text) })],
  ['body that is no JSON', text => answer(200, `{"text": ${text}`, { 'content-type': 'application/json' })],
  ['record that is none', text => answer(200, [{ [text]: text }])],
]

describe('a server that puts the secret key into its', () => {
  it.each(told)('%s has it taken out', async (_, fault) => {
    on('list-services', () => fault(disguise(secretKey)))
    const result = await bench.step(list)
    expect(result.exitCode).toBe(1)
    expect(errorOf(result) + result.stdout).toContain('x***'.slice(1))
  })

  it.each(untold)('%s shows nothing of it', async (_, fault) => {
    on('list-services', () => fault(disguise(secretKey)))
    expect((await bench.step(list)).exitCode).toBe(1)
  })
})
