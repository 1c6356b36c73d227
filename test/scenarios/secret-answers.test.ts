/** Tests that passwords in answers stay hidden. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Service } from '#api/records'
import type { Fault } from '../../emulator/http/faults/faults.ts'
import { answer, changeBody, onOperations } from '../support/api-faults.ts'
import { useRepository } from '../support/pull-request.ts'
import { errorOf } from '../support/workbench.ts'

/** Every step here fails its test where it shows a secret, in its comment too: see SecretWatch and examineRequests. */
const repository = useRepository({ databases: 'invented', readyAfter: 600_000 })
beforeAll(async () => {
  // The list shows READY no earlier than the records that the tests return.
  // By itself, the watch finds only values of password fields, in JSON that is not nested in strings.
  repository.bench.watch.know({ label: 'the secret of the server', text: hush, user: 'tsdbadmin' })
})
beforeEach(() => repository.bench.injectFaults(() => undefined))

/** With all that is escaped in JSON, in SQL and in a URL. */
const hush = `Hu5h"it's\\a%2F/now`
const inSql = hush.replaceAll("'", "''")
const inUrl = encodeURIComponent(hush)
const nested = (value: unknown, depth: number): string =>
  depth === 0 ? JSON.stringify(value) : nested(nested(value, 0), depth - 1)

const ids = { project_id: 'em00000001', service_id: 'd1k5vk7hf2' }

const strike = (faults: Record<string, Fault>) => repository.bench.injectFaults(onOperations(faults))

/** Answers in which a server discloses a password by accident. */
const slips: [string, string][] = [
  ['JSON', `no room for ${nested({ initial_password: hush, name: 'a' }, 0)}`],
  ['JSON within JSON', `no room for ${nested({ body: { dbPassword: hush } }, 1)}`],
  ['JSON within JSON within JSON', `no room for ${nested({ token: hush }, 2)}`],
  ['half of JSON', `no room for ${nested({ secret: hush }, 0).slice(0, -2)}`],
  ['SQL', `syntax error at: ALTER USER tsdbadmin PASSWORD '${inSql}'`],
  ['a connection URL', `cannot connect to postgres://tsdbadmin:${inUrl}@db.example:5432/tsdb`],
  ['a query', `cannot connect to jdbc:postgresql://db.example/tsdb?user=a&password=${inUrl}&sslmode=require`],
]

describe.each(slips)('a server that leaks a password as %s', (_, message) => {
  it.each([400, 500])('has it removed from an error of %i', async status => {
    const details = { [message]: [message, { message }], why: nested({ message }, 1) }
    strike({ 'list-services': answer(status, { code: message, message, details }) })
    const { bench } = repository
    const result = await bench.step({ ...ids, operation: 'list-services', max_attempts: '2' })
    expect(errorOf(result)).toContain(`failed with ${status} `)
    expect(errorOf(result)).toContain('***')
    expect(result.stdout).toMatch(/^details: .*\*\*\*/m)
  })

  it('has it removed from the lines of a log, and later where it stands alone', async () => {
    strike({
      'get-service-logs': answer(200, { logs: [message, `again: ${hush}`], entries: [{ message }] }),
    })
    const { outputs } = await repository.bench.runSuccessfully({ ...ids, operation: 'get-service-logs' })
    const { logs } = JSON.parse(outputs.result as string)
    expect(logs).toEqual([expect.stringContaining('***'), 'again: ***'])
  })

  it('has it removed from the comment after an error about a preview', async () => {
    const number = repository.github.openPullRequest()
    strike({ 'create-service': answer(400, { code: 'NO', message }) })
    const inputs = { operation: 'preview', empty: 'true', wait_for_connection: 'false' }
    const result = await repository.on('opened', number, inputs)
    expect(result.exitCode).toBe(1)
    expect(repository.github.commentsOf(number).at(-1)?.body).toContain('***')
  })
})

it('removes the last of many passwords in an answer', async () => {
  const many = Array.from({ length: 200 }, (_, index) => ({ password: `of-number-${index}` }))
  const details = [...many, { password: hush }, { why: `it is not ${hush}` }]
  strike({ 'list-services': answer(400, { code: 'NO', message: `bad: ${hush}`, details }) })
  const result = await repository.bench.step({ ...ids, operation: 'list-services' })
  expect(errorOf(result)).toContain('bad: ***')
  expect(result.stdout).toContain('it is not ***')
})

describe('fields that are not in the specification', () => {
  const strangers = {
    password: hush,
    rootPassword: hush,
    pg_pwd: hush,
    clientSecret: hush,
    'access-token': hush,
    credentials: { user: 'tsdbadmin', value: hush },
    private_key: [hush],
    connectionString: `postgres://tsdbadmin:${inUrl}@db.example/tsdb`,
    // Their names are no hint: VPCs and their addresses keep such fields, without the values.
    note: hush,
    extra: { deep: [{ er: hush }] },
    [hush]: 'x',
  }
  const address = { host: 'db.example', port: 5432, ...strangers }
  const record = {
    ...strangers,
    ...ids,
    name: 'hostile',
    status: 'READY',
    endpoint: address,
    vpc_endpoint: address,
    connection_pooler: { endpoint: address, ...strangers },
    resources: [{ id: '1', spec: { cpu_millis: 500, ...strangers }, ...strangers }],
    read_replica_sets: [{ id: 'r1', metadata: { environment: 'DEV', ...strangers }, ...strangers }],
  }
  const key = { public_key: 'public', name: 'ci', project: { id: 'p', ...strangers }, ...strangers }

  it.each<[string, unknown]>([
    ['get-service', record],
    ['list-services', [record, record]],
    ['start-service', record],
    ['list-replicas', [{ id: 'r1', endpoint: address, ...strangers }]],
    ['get-vpc', { id: 7, name: 'net', ...strangers }],
    ['get-auth-info', { type: 'apiKey', apiKey: key, api_key: key, ...strangers }],
    ['rename-vpc', { message: 'done', ...strangers }],
  ])('are in nothing that %s leaves', async (operation, body) => {
    strike({
      'get-service': answer(200, record),
      'get-vpc': answer(200, body),
      [operation]: answer(200, body),
    })
    const { project_id } = ids
    const needed = operation.endsWith('-vpc') ? { project_id, vpc_id: '7' } : ids
    const name = operation === 'rename-vpc' ? { name: 'net' } : {}
    const { outputs, summary } = await repository.bench.runSuccessfully({ ...needed, ...name, operation })
    expect(outputs.result).toMatch(/^\[?\{"/)
    expect(`${outputs.result}${summary}`).not.toMatch(/tsdbadmin:|"(?:root)?[pP]assword/)
    const withoutVpcs = JSON.stringify(JSON.parse(outputs.result ?? ''), (name, value) =>
      /^vpc_?endpoint$/i.test(name) ? undefined : value,
    )
    if (operation !== 'get-vpc') expect(withoutVpcs).not.toMatch(/note|extra/)
  })

  it('are in no output, log or state of a created service', async () => {
    strike({ 'create-service': answer(202, record), 'get-service': answer(200, record) })
    const result = await repository.bench.runSuccessfully({ operation: 'create-service', name: 'hostile' })
    expect(JSON.parse(result.state.created ?? '')).toEqual({ resource: 'service', ids, certain: true })
    expect(JSON.parse(result.outputs.result ?? '')).toMatchObject({ service_id: ids.service_id })
  })

  it('are in no output, log, state or comment of a preview', async () => {
    const { github, on, bench } = repository
    const number = github.openPullRequest()
    let name: unknown
    const disguiseOne = (service: Service) =>
      service.name === name ? { ...record, name, service_id: service.service_id } : service
    bench.injectFaults(({ operation, path, body }) => {
      if (operation === 'create-service') name = (body as { name: string }).name
      if (operation === 'update-password') return answer(204, '')
      if (operation === 'list-services') return changeBody<Service[]>(listed => listed.map(disguiseOne))
      const service_id = path.split('/').at(-1)
      return operation === 'get-service' ? answer(200, { ...record, name, service_id }) : undefined
    })
    const result = await on('opened', number, {
      operation: 'preview',
      empty: 'true',
      wait_for_connection: 'false',
    })
    expect(result.exitCode).toBe(0)
    expect(github.commentsOf(number).at(-1)?.body).toContain('db.example')
  })
})
