/** Tests that passwords of services stay hidden. */
import { createServer } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Fault } from '../../emulator/http/faults/faults.ts'
import { answer, onOperations } from '../support/api-faults.ts'
import { disguise } from '../support/disguises.ts'
import { LocalServers } from '../support/local-servers.ts'
import { errorOf, useWorkbench } from '../support/workbench.ts'

/** Every step here fails its test where it shows a secret: see SecretWatch. */
const bench = useWorkbench({ databases: 'invented' })
beforeEach(() => bench.injectFaults(() => undefined))

const ids = { project_id: 'em00000001', service_id: 'd1k5vk7hf2' }

/** Answers each operation by its script. */
const script = (faults: Record<string, Fault>) => bench.injectFaults(onOperations(faults))

const endpoint = { host: 'db.example', port: 5432 }
const record = (fields: object) => ({ ...ids, name: 'hostile', status: 'QUEUED', ...fields })

const passwords: [string, string][] = [
  ['of special characters', `p"w'%2B&+\\/<x>=~\`!***$(z)|?`],
  ['that begins and ends with a blank', '  two blanks at its end  '],
  ['that ends as the runner cannot mask it', 'sesame&+'],
  ['in several lines', 'the first line\nthe second "line"\r\n  the third&+\n'],
  ['of letters of many bytes', 'pässwörd🐘€漢字'],
  ['that looks like a mask', '***x***'],
  ['of four characters', 'q7#z'],
]

describe.each(passwords)('a password %s', (_, password) => {
  it('given at creation is only in its outputs, even if the server repeats it', async () => {
    const text = disguise(password)
    script({
      'create-service': answer(202, record({ initial_password: password, region_code: text })),
      'get-service': answer(200, record({ endpoint, name: text, status: 'READY', [text]: text })),
    })
    const { outputs } = await bench.runSuccessfully({ operation: 'create-service', name: 'hostile' })
    expect(outputs.initial_password).toBe(password)
    expect(outputs.result).toContain('***')
  })

  it('given at creation is removed from the log of the service after a failed wait', async () => {
    script({
      'create-service': answer(202, record({ initial_password: password })),
      'get-service': answer(200, record({ status: 'DELETED' })),
      'get-service-logs': answer(200, { logs: disguise(password).split(' , ') }),
    })
    const result = await bench.step({ operation: 'create-service', name: 'hostile' })
    expect(result.exitCode).toBe(1)
    expect(result.summary).toContain('Last lines of the log of the service')
  })

  it.each([400, 500])('refused by the server with %i is not printed', async status => {
    script({ 'update-password': answer(status, { code: 'NO', message: disguise(password) }) })
    const result = await bench.step({ ...ids, operation: 'update-password', password, max_attempts: '1' })
    expect(errorOf(result)).toContain(`failed with ${status} NO: `)
    expect(errorOf(result)).toContain('***')
  })
})

describe('a password given at creation', () => {
  const password = 'Hu5h"hush/now'
  const create = { operation: 'create-service', project_id: ids.project_id, name: 'hostile' }

  it('is not shown if the answer breaks off', async () => {
    script({ 'create-service': { kind: 'truncate' } })
    // The service is found by its name, and its password is set to another one.
    const { outputs } = await bench.runSuccessfully({ ...create, name: 'hostile-*' })
    expect(outputs.initial_password).toBeUndefined()
  })

  it.each<[string, object]>([
    ['without an id', { initial_password: password, name: disguise(password) }],
    ['with an id that is none', record({ initial_password: password, service_id: { [password]: password } })],
    ['with a status that is none', record({ initial_password: password, status: [disguise(password)] })],
    ['that is the password', [password]],
  ])('is not printed if the answer is one %s', async (_, body) => {
    script({ 'create-service': answer(202, body) })
    const result = await bench.step({ ...create, wait_timeout: '2s' })
    expect(result.exitCode).toBe(1)
  })

  it('is known from an answer that is refused, and not shown later', async () => {
    script({
      'get-auth-info': answer(200, {
        type: 'apiKey',
        initial_password: password,
        apiKey: { project: { id: 'p' } },
      }),
      'list-services': answer(400, { code: 'NO', message: disguise(password) }),
    })
    const result = await bench.step({ operation: 'list-services' })
    expect(errorOf(result)).toContain('failed with 400 NO: ***')
  })

  it('is not printed if a server repeats it in every record', async () => {
    script({
      'get-service': answer(200, record({ initial_password: password, name: disguise(password) })),
    })
    const { outputs } = await bench.runSuccessfully({ ...ids, operation: 'get-service' })
    expect(JSON.parse(outputs.result as string)).not.toHaveProperty('initial_password')
  })

  it('of three characters is masked by the runner', async () => {
    script({
      'create-service': answer(202, record({ initial_password: 'q7#' })),
      'get-service': answer(200, record({ endpoint, status: 'READY' })),
    })
    expect((await bench.runSuccessfully(create)).stdout).toMatch(/^::add-mask::q7#$/m)
  })
})

/** A PostgreSQL that asks for the password in clear text and refuses it by its name (PostgreSQL documentation, 55.7). */
function repeatPasswords(): ReturnType<typeof createServer> {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  return createServer(socket => {
    socket.once('data', () => {
      socket.write(message('R', Buffer.from([0, 0, 0, 3])))
      socket.once('data', sent => {
        const text = disguise(sent.subarray(5, -1).toString()).replaceAll('\0', '')
        socket.end(message('E', Buffer.from(`SFATAL\0C28P01\0M${text}\0\0`)))
      })
    })
  })
}

it('removes a password that a database repeats in its error', async () => {
  const servers = new LocalServers()
  try {
    const endpoint = { host: '127.0.0.1', port: await servers.listen(repeatPasswords()) }
    script({
      'create-service': answer(202, record({ initial_password: 'Hu5h"hush/now' })),
      'get-service': answer(200, record({ status: 'READY', endpoint })),
    })
    const inputs = { operation: 'create-service', name: 'hostile', sslmode: 'disable', wait_timeout: '2s' }
    const result = await bench.step({ ...inputs, wait_for_connection: 'true' })
    expect(errorOf(result)).toContain('accepts no connection: ***')
  } finally {
    await servers.close()
  }
})
