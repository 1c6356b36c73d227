/** Tests the outputs of operations. */
import { describe, expect, it, test } from 'vitest'
import { connectionOf, type OutputSource } from '#action/outputs/output-source'
import { outputs, renderOutputs } from '#action/outputs/output-table'
import { Peering, ReadReplicaSet, Service, Vpc } from '#api/records'
import type { Outcome } from '#operations/base/outcome'

const login = { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' }

function sourceOf(outcome: Partial<Outcome>): OutputSource {
  return { login, outcome: { operation: 'get-service', ids: {}, ...outcome } }
}

/** The outputs of an outcome by their names. */
function outputsOf(outcome: Partial<Outcome>): Record<string, string> {
  return Object.fromEntries(renderOutputs(sourceOf(outcome)).map(({ name, value }) => [name, value]))
}

/** The outputs that describe a resource, not a change. */
function factsOf(outcome: Partial<Outcome>): Record<string, string> {
  const { created: _, deleted: __, changed: ___, skipped: ____, ...facts } = outputsOf(outcome)
  return facts
}

const namesOfSecrets = (outcome: Partial<Outcome>) =>
  renderOutputs(sourceOf(outcome)).flatMap(({ name, secret }) => (secret ? [name] : []))

const service = Service.parse({
  service_id: 's1',
  name: 'shop',
  status: 'READY',
  region_code: 'us-east-1',
  service_type: 'POSTGRES',
  created: '2026-01-31T12:00:00Z',
  metadata: { environment: 'DEV' },
  endpoint: { host: 'db.example', port: 5432 },
  connection_pooler: { endpoint: { host: 'pool.example', port: 6432 } },
  vpc_endpoint: { host: 'vpc.example', port: 5433, vpc_id: '7' },
})

const created: Partial<Outcome> = {
  operation: 'create-service',
  ids: { project_id: 'p1', service_id: 's1' },
  resource: 'service',
  record: service,
  result: { ...service, initial_password: 'p@ss w' },
  password: 'p@ss w',
  initialPassword: 'p@ss w',
  created: true,
  changed: true,
  timeline: { milliseconds: 20_000, waited: 12_345, spans: [] },
}

test('the measurements of violations are whole numbers above their limits', () => {
  const violation = { limit: 'max_read_block', measured: 500.2285109981894, allowed: 500 }
  expect(outputsOf({ outputs: { violations: [violation] } }).violations).toBe(
    '[{"limit":"max_read_block","measured":501,"allowed":500}]',
  )
})

describe('a secret in the answer of a server', () => {
  const secret = 'hush-hush'
  /** Like that of the step: takes the secret out of every text. */
  const redact = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(secret, '***'))
  const record = Service.parse({
    ...{ service_id: secret, name: `${secret}$`, status: secret, region_code: secret },
    ...{ service_type: secret, created: secret, metadata: { environment: secret }, unknown: secret },
    endpoint: { host: secret, port: 5432 },
    connection_pooler: { endpoint: { host: secret, port: 6432 } },
    vpc_endpoint: { host: secret, port: 5433, vpc_id: secret },
  })
  const ids = {
    project_id: secret,
    service_id: secret,
    replica_set_id: secret,
    vpc_id: secret,
    peering_id: secret,
  }
  const outcome: Outcome = {
    ...{ operation: 'get-service', resource: 'service', record, result: record, ids },
    ...{ deletedIds: [secret], keptIds: [secret], commentUrl: `https://git.example/${secret}` },
  }

  it('is in no output', () => {
    const rendered = renderOutputs({ login, outcome, redact, isSecret: text => text.includes(secret) })
    expect(rendered.filter(({ value }) => value.includes(secret))).toEqual([])
    expect(Object.fromEntries(rendered.map(({ name, value }) => [name, value]))).toMatchObject({
      ...{ service_id: '___', name: '____', deleted_ids: '___' },
    })
  })
})

describe('the outputs', () => {
  it('of a new service contain all connection details', () => {
    const { result, ...rest } = factsOf(created)
    expect(rest).toEqual({
      project_id: 'p1',
      service_id: 's1',
      name: 'shop',
      status: 'READY',
      region_code: 'us-east-1',
      service_type: 'POSTGRES',
      environment: 'DEV',
      created_at: '2026-01-31T12:00:00Z',
      host: 'db.example',
      port: '5432',
      pooler_host: 'pool.example',
      pooler_port: '6432',
      vpc_host: 'vpc.example',
      vpc_port: '5433',
      database: 'tsdb',
      user: 'tsdbadmin',
      initial_password: 'p@ss w',
      password: 'p@ss w',
      database_url: 'postgresql://tsdbadmin:p%40ss%20w@db.example:5432/tsdb?sslmode=require',
      pooler_url: 'postgresql://tsdbadmin:p%40ss%20w@pool.example:6432/tsdb?sslmode=require',
      jdbc_url: 'jdbc:postgresql://db.example:5432/tsdb?user=tsdbadmin&password=p%40ss%20w&sslmode=require',
      wait_seconds: '12.3',
    })
    expect(JSON.parse(result as string)).toMatchObject({ service_id: 's1', endpoint: { host: 'db.example' } })
  })

  it('of a replica set have its own endpoint', () => {
    const record = ReadReplicaSet.parse({
      id: 'r1',
      name: 'reader',
      status: 'active',
      endpoint: { host: 'r.example', port: '5434' },
    })
    const ids = { project_id: 'p1', service_id: 's1', replica_set_id: 'r1' }
    expect(outputsOf({ resource: 'replica_set', record, ids })).toMatchObject({
      service_id: 's1',
      replica_set_id: 'r1',
      status: 'active',
      host: 'r.example',
      port: '5434',
      database_url: 'postgresql://tsdbadmin@r.example:5434/tsdb?sslmode=require',
    })
  })

  it('of a VPC contain no connection details', () => {
    const record = Vpc.parse({ id: 7, name: 'net', cidr: '10.0.0.0/16', region_code: 'us-east-1' })
    expect(factsOf({ resource: 'vpc', record, ids: { project_id: 'p1', vpc_id: '7' } })).toEqual({
      project_id: 'p1',
      vpc_id: '7',
      name: 'net',
      region_code: 'us-east-1',
    })
  })

  it('of a peering have its status', () => {
    const record = Peering.parse({ id: '3', status: 'ACTIVE', provisioned_id: 'pcx-1' })
    expect(outputsOf({ resource: 'peering', record, ids: { vpc_id: '7', peering_id: '3' } })).toMatchObject({
      vpc_id: '7',
      peering_id: '3',
      status: 'ACTIVE',
    })
  })

  it('of a list have its count', () => {
    expect(outputsOf({ operation: 'list-services', result: [service, service] }).count).toBe('2')
    expect(outputsOf({ operation: 'list-services', result: [] })).toMatchObject({ count: '0', result: '[]' })
  })

  it('of a deleted record contain its id, and no field', () => {
    expect(factsOf({ ids: { service_id: 's1' }, resource: 'service', deleted: true })).toEqual({
      service_id: 's1',
    })
  })

  test.each<[Partial<Outcome>, object]>([
    [{}, { created: 'false', deleted: 'false', changed: 'false' }],
    [
      { created: true, changed: true },
      { created: 'true', deleted: 'false', changed: 'true' },
    ],
    [
      { deleted: true, changed: true },
      { created: 'false', deleted: 'true', changed: 'true' },
    ],
  ])('of an outcome %j describe the change', (done, expected) => {
    expect(outputsOf(done)).toMatchObject(expected)
  })

  it('of a service without an endpoint have neither user nor URL', () => {
    const record = Service.parse({ service_id: 's1', status: 'QUEUED' })
    expect(factsOf({ resource: 'service', record, password: 'secret' })).toEqual({
      status: 'QUEUED',
      password: 'secret',
    })
  })
})

describe('the result', () => {
  const secrets = { password: 'hush', token: 'hush' }

  test.each<[string, Partial<Outcome>, unknown]>([
    [
      'the record of what a wait ended with',
      { operation: 'set-environment', resource: 'service', record: service, result: service },
      { service_id: 's1', status: 'READY', vpc_endpoint: { vpc_id: '7' } },
    ],
    [
      'a list',
      { operation: 'list-services', result: [{ service_id: 's1', initial_password: 'hush', ...secrets }] },
      [{ service_id: 's1' }],
    ],
    [
      'the lines of a log',
      {
        operation: 'get-service-logs',
        result: { logs: ['a password'], entries: [{ message: 'b', ...secrets }], ...secrets },
      },
      { logs: ['a password'], entries: [{ message: 'b' }] },
    ],
    [
      'decisions of the action itself',
      { operation: 'prune-previews', result: [{ name: 'a', verdict: 'kept', token: 'hush' }] },
      [{ name: 'a', verdict: 'kept' }],
    ],
    [
      'a record of a preview',
      {
        operation: 'create-preview',
        resource: 'service',
        ...(record => ({ record, result: record }))({ ...service, initial_password: 'hush', ...secrets }),
      },
      { service_id: 's1', status: 'READY' },
    ],
  ])('contains no field whose name mentions a secret: %s', (_, outcome, expected) => {
    const { result = '' } = outputsOf(outcome)
    expect(JSON.parse(result)).toMatchObject(expected as object)
    expect(result).not.toMatch(/hush|"(?:initial_)?password"|token/)
  })

  it('contains no secret of the run', () => {
    const source = sourceOf({ operation: 'rename-vpc', result: { message: 'hush' } })
    const redact = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('hush', '***'))
    const values = renderOutputs({ ...source, redact })
    expect(values.find(({ name }) => name === 'result')?.value).toBe('{"message":"***"}')
  })
})

describe('the secret outputs', () => {
  it('are the password and every URL with it', () => {
    expect(namesOfSecrets(created)).toEqual([
      ...['database_url', 'jdbc_url', 'pooler_url', 'password', 'initial_password'],
    ])
  })

  it('contain no URL if only the initial password is known', () => {
    expect(namesOfSecrets({ ...created, password: undefined })).toEqual(['initial_password'])
  })

  it('are empty without a password: host, port and ids are never masked', () => {
    expect(namesOfSecrets({ ...created, password: undefined, initialPassword: undefined })).toEqual([])
  })
})

describe('a hostile server', () => {
  test.each<[string, object, Record<string, string | undefined>]>([
    ['as a name is inert', { name: '$(id)`id`\n' }, { name: '__id__id__' }],
    ['as a status is inert', { status: '##[error]' }, { status: '___error_' }],
    [
      'as a host is no host',
      { endpoint: { host: 'a b;id', port: 1 } },
      { host: undefined, port: undefined, database_url: undefined, user: undefined },
    ],
    ['as a host cannot end the address', { endpoint: { host: 'a@b/c', port: 1 } }, { host: undefined }],
    [
      'as a pooler is no host',
      { connection_pooler: { endpoint: { host: '$x', port: 1 } } },
      { pooler_url: undefined },
    ],
    ['as a VPC endpoint is no host', { vpcEndpoint: { host: "'", port: 1 } }, { vpc_host: undefined }],
    ['as an IPv6 host is one', { endpoint: { host: '2001:db8::1', port: 1 } }, { host: '2001:db8::1' }],
  ])('%s', (_, sent, expected) => {
    const record = Service.parse({ service_id: 's1', ...sent })
    const rendered = outputsOf({ resource: 'service', record })
    expect(Object.fromEntries(Object.keys(expected).map(name => [name, rendered[name]]))).toEqual(expected)
  })

  it('does not set the host, or connection details, unless they are valid', () => {
    const record = Service.parse({ service_id: 's1', endpoint: { host: 'a b', port: 1 } })
    expect(connectionOf(sourceOf({ resource: 'service', record }))).toBe(undefined)
  })
})

test('every output has a description for the reference', () => {
  for (const { about } of Object.values(outputs)) expect(about).toMatch(/^[A-Z`].*\.$/)
})
