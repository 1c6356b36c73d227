/** Tests the advice about refused requests. */
import { expect, test } from 'vitest'
import type { EndpointName } from '#api/endpoints'
import { type ActionError, withoutRequest } from '#base/errors'
import { createClient } from '#client/client'
import { clientOptions } from '../support/client-options.ts'
import { FakeSeam, refusal } from '../support/fake-seam.ts'

interface Given {
  message?: string
  baseUrl?: string
  keys?: [publicKey: string, secretKey: string]
}

/** The error of a call that is refused with the status. */
async function refuse(
  status: number,
  operation: EndpointName,
  parameters: Record<string, string>,
  {
    message = 'no',
    baseUrl = 'https://api.example/public/api/v1',
    keys: [publicKey, secretKey] = ['pub', 'hush-hush'],
  }: Given = {},
): Promise<ActionError> {
  const seam = new FakeSeam([refusal(status, message)])
  const given = { baseUrl, credentials: { publicKey, secretKey }, maxAttempts: 1 }
  const client = createClient({ ...clientOptions(), seam, ...given })
  const failure: unknown = await client.callAny(operation, parameters).catch(error => error)
  return failure as ActionError
}

const adviceOn = async (...given: Parameters<typeof refuse>) => (await refuse(...given)).next

const at = { project_id: 'p1', service_id: 's1' }

/** The advice on one missing record of the project. */
const absent = (input: string, record: string, list: string, kind: string) =>
  `check ${input}, or use a key of the right project: there is no ${record} in project p1. The operation ${list} lists the ${kind}s`
const noService = absent('service_id', 'service s1', 'list-services', 'service')
const noVpc = absent('vpc_id', 'VPC 7', 'list-vpcs', 'VPC')
const noProject =
  'check project_id: project p1 does not exist for these keys. The operation get-auth-info shows their project'

test.each<[EndpointName, Record<string, string>, string]>([
  ['list-services', { project_id: 'p1' }, noProject],
  ['get-service', at, noService],
  [
    'delete-replica',
    { ...at, replica_set_id: 'r1' },
    'check service_id and replica_set_id, or use a key of the right project: there is no replica set r1 of service s1 in project p1. The operation list-replicas lists the replica sets',
  ],
  [
    'attach-vpc',
    { ...at, vpc_id: '7' },
    'check service_id and vpc_id, or use a key of the right project: there is no service s1, or no VPC 7 in project p1. The operation list-vpcs lists the VPCs',
  ],
  [
    'create-peering',
    { project_id: 'p1', vpc_id: '7', peer_account_id: '1', peer_region_code: 'r', peer_vpc_id: 'v' },
    noVpc,
  ],
  ['fork-service', at, absent('service_id', 'parent s1', 'list-services', 'service')],
  ['get-auth-info', {}, 'check that base_url is the address of the API, like https://host/public/api/v1'],
])('a 404 to %s names the inputs with the ids', async (operation, parameters, advice) => {
  expect(await adviceOn(404, operation, parameters)).toBe(advice)
})

test.each<[string, string]>([
  ['VPC 7 not found', noVpc],
  ['no service with that id exists', noService],
  ['project p1 not found', noProject],
  [
    'service s1 cannot join VPC 7',
    'check service_id and vpc_id, or use a key of the right project: there is no service s1, or no VPC 7',
  ],
])('a 404 with "%s" names only the input of this record', async (message, advice) => {
  expect(await adviceOn(404, 'attach-vpc', { ...at, vpc_id: '7' }, { message })).toContain(advice)
})

test('a 404 about a replica set names its service', async () => {
  const parameters = { ...at, replica_set_id: 'r1' }
  const message = 'replica set r1 not found'
  expect(await adviceOn(404, 'delete-replica', parameters, { message })).toBe(
    'check replica_set_id, or use a key of the right project: there is no replica set r1 of service s1 in project p1. The operation list-replicas lists the replica sets',
  )
})

test.each([
  'https://api.example',
  'https://api.example/public/api',
  'https://api.example/public/api/v1/projects',
])('a 404 below %s blames the address', async baseUrl => {
  const advice = `correct base_url: it must end with /public/api/v1, but ends with ${new URL(baseUrl).pathname}`
  expect(await adviceOn(404, 'get-service', at, { baseUrl })).toBe(advice)
  expect(await adviceOn(404, 'get-auth-info', {}, { baseUrl })).toBe(advice)
})

test.each<[string, [string, string], string]>([
  [
    'a public key longer than the secret one',
    ['hush-hush-hush', 'pub'],
    'swap public_key and secret_key if they are in the wrong order: public_key has 14 characters, secret_key only 3',
  ],
  [
    'the same key twice',
    ['pub', 'pub'],
    'set public_key and secret_key to the two parts of a key: both have the same value',
  ],
  ['both keys in quotes', ['"pub"', '"hush-hush"'], 'remove the quotes around public_key and secret_key'],
  ['the secret key in quotes', ['pub', '"hush-hush"'], 'remove the quotes around secret_key'],
  ['api_key in quotes', ["'pub", "hush-hush'"], 'remove the quotes around api_key'],
  ['an expression', ['{{secrets.P}}', '{{secrets.SECRET}}'], `write \${{ secrets.NAME }}`],
  [
    'nothing visible',
    ['pub', 'hush-hush'],
    'check public_key and secret_key (or api_key): both must belong to one key',
  ],
])('a 401 to %s names the problem, and shows no key', async (_, keys, advice) => {
  const shown = await adviceOn(401, 'list-services', { project_id: 'p1' }, { keys })
  expect(shown).toContain(advice)
  expect(shown).not.toContain('hush')
})

test.each<[number, [string, string], string]>([
  [401, ['PUBLICKEY', 'hush-hush-hush'], ' at api.example with the public key PUBL…) failed with 401'],
  [403, ['PUBLICKEY', 'hush-hush-hush'], ' at api.example with the public key PUBL…) failed with 403'],
  // Each of these may be the secret key.
  [401, ['hush-hush-hush', 'pub'], ' at api.example) failed with 401'],
  [401, ['hush-hush', 'hush-hush'], ' at api.example) failed with 401'],
  [409, ['PUBLICKEY', 'hush-hush-hush'], '/services/s1) failed with 409'],
])('a %i to the key %j ends with: %s', async (status, keys, end) => {
  const { message } = await refuse(status, 'get-service', at, { keys })
  expect(message).toContain(end)
  expect(message).not.toContain('hush')
  expect(withoutRequest(message)).toMatch(/^get-service failed with \d+/)
})

const notASize = 'cpu_millis: no such size'
const size = (cpu_millis: string, memory_gbs: string) => ({ cpu_millis, memory_gbs })
const resized = { ...at, replica_set_id: 'r1' }
test.each<[EndpointName, Record<string, string>, string, string]>([
  ['create-service', size('600', '2'), notASize, 'cpu_millis to 500 and memory_gbs to 2: '],
  ['fork-service', { cpu_millis: '3000' }, '', 'cpu_millis to 4000 and memory_gbs to 16: '],
  ['resize-service', size('1500', '8'), notASize, 'cpu_millis to 2000 and memory_gbs to 8: '],
  ['resize-replica', size('200', '1'), notASize, 'cpu_millis to 250 and memory_gbs to 1: '],
  ['create-service', size('64000', '256'), notASize, 'cpu_millis to 32000 and memory_gbs to 128: '],
  ['create-service', size('500', '2'), notASize, 'correct the input'],
  ['create-service', size('600', '2'), 'region_code: unknown', 'correct the input'],
  ['create-service', size('shared', '2'), notASize, 'correct the input'],
  ['create-service', {}, notASize, 'correct the input'],
])('a 400 to %s with %j and the message "%s" advises: %s', async (operation, sizes, message, advice) => {
  expect(await adviceOn(400, operation, { ...resized, ...sizes }, { message })).toContain(advice)
})

test.each([400, 403, 409])('the advice on a %i depends on its status', async status => {
  const shown = await adviceOn(status, 'get-service', at, { keys: ['hush-hush-hush', 'pub'] })
  expect(shown).not.toMatch(/exchanged|there is no/)
})

test.each<[string, string]>([
  [
    'cannot fork: service s1 is PAUSING; it must be running or paused',
    'wait a few minutes until this status has passed, and run the step again',
  ],
  ['service s1 is resuming', 'wait a few minutes until this status has passed'],
  ["s1 doesn't yet have any backups or snapshots available", 'wait a few minutes for the first snapshot'],
  ['cannot enable the pooler: service s1 is PAUSED', 'start the service with the operation start-service'],
  ['the quota of services is used up', 'delete services that you no longer need'],
])('a refusal with "%s" is explained by its message', async (message, advice) => {
  for (const status of [400, 404, 409]) {
    expect(await adviceOn(status, 'fork-service', at, { message })).toContain(advice)
  }
})
