/** Tests the comparison of API descriptions. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { type Description, findDrift, findUnintended } from '../../tools/drift/compare.ts'
import { readDescription, sources } from '../../tools/drift/sources.ts'

const describe = (paths: Record<string, Record<string, string[]>>): Description => ({
  paths: Object.fromEntries(
    Object.entries(paths).map(([path, rows]) => [
      path,
      Object.fromEntries(
        Object.entries(rows).map(([method, fields]) => {
          const properties = Object.fromEntries(fields.map(field => [field, {}]))
          return [method, { requestBody: { content: { 'application/json': { schema: { properties } } } } }]
        }),
      ),
    ]),
  ),
})

const ours = describe({ '/a/{service_id}': { get: [], post: ['name'] } })

test.each([
  ['the same, ids named otherwise', { '/a/{id}': { get: [], post: ['name'] } }, []],
  [
    'a new endpoint',
    { '/a/{id}': { get: [], post: ['name'], delete: [] } },
    ['DELETE /a/{} is published, and the contract lacks it'],
  ],
  [
    'an endpoint less',
    { '/a/{id}': { post: ['name'] } },
    ['GET /a/{} is in the contract, and not published any more'],
  ],
  [
    'another field',
    { '/a/{id}': { get: [], post: ['title'] } },
    ['POST /a/{} takes title, which the contract lacks', 'POST /a/{} does not take name any more'],
  ],
])('%s', (_, paths, drift) => {
  expect(findDrift(describe(paths), ours)).toEqual(drift)
})

test('references of a body are followed', () => {
  const referring = describe({ '/a/{id}': { get: [], post: [] } })
  const schema = { $ref: '#/components/schemas/New' }
  referring.paths['/a/{id}'] = {
    get: {},
    post: { requestBody: { content: { 'application/json': { schema } } } },
  }
  referring.components = { schemas: { New: { allOf: [{ properties: { name: {} } }] } } }
  expect(findDrift(referring, ours)).toEqual([])
})

const schema = (...names: string[]) => ({ properties: Object.fromEntries(names.map(name => [name, {}])) })

/** A list of VPCs: its status, and the fields of an entry, by references. */
const listing = (status: string, ...fields: string[]): Description => ({
  paths: {
    '/vpcs': { get: { responses: { [status]: { $ref: '#/components/responses/Vpcs' }, '4XX': {} } } },
  },
  components: {
    schemas: { Vpc: { properties: { ...schema(...fields).properties, endpoint: schema('host') } } },
    responses: {
      Vpcs: { content: { 'application/json': { schema: { items: { $ref: '#/components/schemas/Vpc' } } } } },
    },
  },
})

test.each([
  ['the same', listing('200', 'id'), []],
  ['another status', listing('202', 'id'), ['GET /vpcs answers with status 202, the contract with 200']],
  [
    'another field of an answer',
    listing('200', 'vpc_id'),
    ['GET /vpcs answers vpc_id, which the contract lacks', 'GET /vpcs does not answer id any more'],
  ],
])('answers are compared: %s', (_, published, drift) => {
  expect(findDrift(published, listing('200', 'id'))).toEqual(drift)
})

test('fields of a record in an answer are compared, and a recursive record is read once', () => {
  const published = listing('200', 'id')
  const [endpoint, parent] = [schema('host', 'port'), { $ref: '#/components/schemas/Vpc' }]
  published.components = {
    ...published.components,
    schemas: { Vpc: { properties: { id: {}, endpoint, parent } } },
  }
  expect(findDrift(published, listing('200', 'id'))).toEqual([
    'GET /vpcs answers endpoint.port, which the contract lacks',
    'GET /vpcs answers parent, which the contract lacks',
  ])
})

test.each(['x-tigerdata-preview', 'x-tigerdata-internal'])('an endpoint with %s is found', mark => {
  expect(findDrift({ paths: { '/b': { get: { [mark]: true } } } }, { paths: {} })).toEqual([])
})

test('an intended difference is reported only when it disappears', () => {
  const intended = [/ takes title,/]
  expect(findUnintended(['POST /a takes title, which the contract lacks'], intended)).toEqual([])
  expect(findUnintended(['POST /a takes size, which the contract lacks'], intended)).toEqual([
    'POST /a takes size, which the contract lacks',
    'no difference matches / takes title,/ any more: delete it from tools/drift/sources.ts',
  ])
})

test('each description has its own intended differences', () => {
  const line = 'POST /projects/{}/services/{}/metrics/series takes name, which the contract lacks'
  expect(sources.map(({ intended }) => intended.some(pattern => pattern.test(line)))).toEqual([true, false])
})

test('an unreadable description is named, with the reason and the alternative of files', async () => {
  const server = createServer((_, answer) => answer.writeHead(404).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.yaml`
  const advice = 'Give the older and the newer description as files.'
  await expect(readDescription(url)).rejects.toThrow(`cannot read ${url}: status 404. ${advice}`)
  server.closeAllConnections()
  await new Promise(closed => server.close(closed))
  await expect(readDescription(url)).rejects.toThrow(`cannot read ${url}: connect ECONNREFUSED`)
  await expect(readDescription(url, 'missing.yaml')).rejects.toThrow('cannot read missing.yaml: ENOENT')
})
