import { describe, expect, it, test } from 'vitest'
import * as z from 'zod/mini'
import { type Endpoint, parameterNames, pathParameters } from '../../src/api/endpoint.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { fieldDescriptions } from '../../src/api/fields.ts'
import * as records from '../../src/api/records.ts'

/**
 * API.md once more, by hand: operation, method, path, the fields of its query or body (`!` where required),
 * the success status and the answer. Nothing here is derived from the code that it judges.
 */
const contract = `
get-auth-info | GET /auth/info | | 200 AuthInfo
identify-user | POST /analytics/identify | properties | 200 AnalyticsResult
track-event | POST /analytics/track | event! properties | 200 AnalyticsResult
list-projects | GET /projects | | 200 Projects
list-services | GET /projects/{project_id}/services | | 200 Services
create-service | POST /projects/{project_id}/services | name! addons region_code replica_count cpu_millis memory_gbs environment_tag | 202 Service
get-service | GET /projects/{project_id}/services/{service_id} | | 200 Service
delete-service | DELETE /projects/{project_id}/services/{service_id} | | 202
start-service | POST /projects/{project_id}/services/{service_id}/start | | 202 Service
stop-service | POST /projects/{project_id}/services/{service_id}/stop | | 202 Service
resize-service | POST /projects/{project_id}/services/{service_id}/resize | cpu_millis! memory_gbs! | 202 Service
update-password | POST /projects/{project_id}/services/{service_id}/updatePassword | password! | 204
set-environment | POST /projects/{project_id}/services/{service_id}/setEnvironment | environment! | 200 ActionResult
set-ha | POST /projects/{project_id}/services/{service_id}/setHA | sync_replica_count replica_count | 202 Service
enable-pooler | POST /projects/{project_id}/services/{service_id}/enablePooler | | 200 ActionResult
disable-pooler | POST /projects/{project_id}/services/{service_id}/disablePooler | | 200 ActionResult
fork-service | POST /projects/{project_id}/services/{service_id}/forkService | fork_strategy! target_time name cpu_millis memory_gbs environment_tag | 202 Service
attach-vpc | POST /projects/{project_id}/services/{service_id}/attachToVPC | vpc_id! | 202 ActionResult
detach-vpc | POST /projects/{project_id}/services/{service_id}/detachFromVPC | vpc_id! | 202 ActionResult
rename-service | POST /projects/{project_id}/services/{service_id}/rename | name! | 200 Service
get-service-logs | GET /projects/{project_id}/services/{service_id}/logs | cursor until since search severities | 200 ServiceLogs
list-replicas | GET /projects/{project_id}/services/{service_id}/replicaSets | | 200 ReadReplicaSets
create-replica | POST /projects/{project_id}/services/{service_id}/replicaSets | name! nodes! cpu_millis! memory_gbs! | 202 ReadReplicaSet
delete-replica | DELETE /projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id} | | 202
resize-replica | POST /projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/resize | cpu_millis! memory_gbs! | 202 ActionResult
enable-replica-pooler | POST /projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/enablePooler | | 200 ActionResult
disable-replica-pooler | POST /projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/disablePooler | | 200 ActionResult
set-replica-environment | POST /projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/setEnvironment | environment! | 200 ActionResult
list-vpcs | GET /projects/{project_id}/vpcs | | 200 Vpcs
create-vpc | POST /projects/{project_id}/vpcs | name! cidr! region_code! | 201 Vpc
get-vpc | GET /projects/{project_id}/vpcs/{vpc_id} | | 200 Vpc
delete-vpc | DELETE /projects/{project_id}/vpcs/{vpc_id} | | 204
rename-vpc | POST /projects/{project_id}/vpcs/{vpc_id}/rename | name! | 200 ActionResult
list-peerings | GET /projects/{project_id}/vpcs/{vpc_id}/peerings | | 200 Peerings
create-peering | POST /projects/{project_id}/vpcs/{vpc_id}/peerings | peer_account_id! peer_region_code! peer_vpc_id! | 201 Peering
get-peering | GET /projects/{project_id}/vpcs/{vpc_id}/peerings/{peering_id} | | 200 Peering
delete-peering | DELETE /projects/{project_id}/vpcs/{vpc_id}/peerings/{peering_id} | | 204
`

interface ContractRow {
  operation: string
  method: string
  path: string
  fields: string[]
  answer: string
}

const expectedRows: ContractRow[] = contract
  .trim()
  .split('\n')
  .map(line => {
    const [operation = '', request = '', fields = '', answer = ''] = line.split('|').map(part => part.trim())
    const [method = '', path = ''] = request.split(/\s+/)
    return { operation, method, path, fields: fields.split(' ').filter(name => name !== ''), answer }
  })

const rows = Object.entries<Endpoint>(endpoints)
const rowOf = (operation: string) => (endpoints as Record<string, Endpoint>)[operation] as Endpoint

/** The fields of a row in the notation of the contract. */
function fieldsOf(row: Endpoint): string[] {
  const schemas = Object.entries({ ...row.query?.shape, ...row.body?.shape })
  return schemas.map(([name, schema]) => (z.safeParse(schema, undefined).success ? name : `${name}!`))
}

const recordNames = new Map<unknown, string>(Object.entries(records).map(([name, schema]) => [schema, name]))
const answerOf = (row: Endpoint) =>
  row.response ? `${row.status} ${recordNames.get(row.response)}` : `${row.status}`

test('the table has the 37 endpoints of the API and no other', () => {
  expect(rows).toHaveLength(37)
  expect(rows.map(([name, { method, path }]) => `${name}: ${method} ${path}`).sort()).toEqual(
    expectedRows.map(({ operation, method, path }) => `${operation}: ${method} ${path}`).sort(),
  )
})

describe.each(expectedRows)('$operation', ({ operation, fields, answer }) => {
  it(`takes ${fields.join(', ') || 'no fields'}`, () => {
    expect(fieldsOf(rowOf(operation)).sort()).toEqual([...fields].sort())
  })

  it(`answers with ${answer}`, () => {
    expect(answerOf(rowOf(operation))).toBe(answer)
  })

  it('has a summary of one sentence without full stop', () => {
    expect(rowOf(operation).summary).toMatch(/^[A-Z][^\n]{5,90}[^.\s]$/)
  })

  it('has a description of every field, and of every id on its path', () => {
    const undescribed = parameterNames(rowOf(operation)).filter(
      name => !fieldDescriptions[name]?.endsWith('.'),
    )
    expect(undescribed).toEqual([])
  })
})

test('only what is sent with POST has a body, only what is read with GET a query', () => {
  const methods = (part: 'body' | 'query') =>
    new Set(rows.filter(([, row]) => row[part] !== undefined).map(([, { method }]) => method))
  expect([...methods('body')]).toEqual(['POST'])
  expect([...methods('query')]).toEqual(['GET'])
})

test('exactly the calls that bring a record into being are marked as creating', () => {
  const creating = rows.filter(([, row]) => row.creates).map(([name, row]) => `${name}: ${row.creates}`)
  expect(creating.sort()).toEqual([
    'create-peering: peering',
    'create-replica: replica_set',
    'create-service: service',
    'create-vpc: vpc',
    'fork-service: service',
  ])
})

test('exactly the waits that end with a database that takes connections are marked so', () => {
  expect(
    rows
      .filter(([, row]) => row.settled?.serves)
      .map(([name]) => name)
      .sort(),
  ).toEqual(['create-replica', 'create-service', 'fork-service', 'start-service'])
})

test('no field is described that no endpoint takes', () => {
  const taken = new Set(rows.flatMap(([, row]) => parameterNames(row)))
  expect(Object.keys(fieldDescriptions).filter(name => !taken.has(name))).toEqual([])
})

describe('the parameters of a row', () => {
  it('are named on its path in order', () => {
    expect(pathParameters('/a/{one}/b/{two}/c')).toEqual(['one', 'two'])
    expect(pathParameters('/auth/info')).toEqual([])
  })

  it('are those of the path, then the query, then the body', () => {
    expect(parameterNames(rowOf('resize-service'))).toEqual([
      'project_id',
      'service_id',
      'cpu_millis',
      'memory_gbs',
    ])
    expect(parameterNames(rowOf('get-service-logs')).slice(0, 3)).toEqual([
      'project_id',
      'service_id',
      'cursor',
    ])
  })
})
