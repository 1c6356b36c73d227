/** Tests the emulator's API description. */
import { afterEach, describe, expect, it, test } from 'vitest'
import { type Endpoint, pathParameters } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { description, problemsOfAnswer, problemsOfRequest } from '../support/api-description.ts'
import { start, stopAll } from './support/running.ts'

afterEach(stopAll)

type Operation = {
  operationId: string
  parameters?: { name: string; in: string; required: boolean }[]
  responses: object
}
const paths = description.paths as Record<string, Record<string, Operation>>

test('the description is served to everybody', async () => {
  const { port } = await start()
  const response = await fetch(`http://127.0.0.1:${port}/openapi.json`)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(description)))
})

test('every reference leads to a component, and every component is referred to', () => {
  const text = JSON.stringify(description)
  const referred = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
  expect([...new Set(referred)].sort()).toEqual(Object.keys(description.components.schemas).sort())
})

describe.each(Object.entries<Endpoint>(endpoints))('%s', (name, row) => {
  const operation = paths[row.path]?.[row.method.toLowerCase()] as Operation

  it('is described with its path, query and status', () => {
    expect(operation.operationId).toBe(name)
    expect(Object.keys(operation.responses)).toEqual([String(row.status), '4XX', '5XX'])
    const parameters = (operation.parameters ?? []).map(given => `${given.in} ${given.name}`)
    const query = Object.keys(row.query?.shape ?? {}).map(field => `query ${field}`)
    expect(parameters).toEqual([...pathParameters(row.path).map(field => `path ${field}`), ...query])
  })

  it('has schemas that can be compiled, and refuse another type', () => {
    expect(problemsOfAnswer(name, row.status, 7)).not.toEqual([])
    expect(problemsOfRequest(name, 7)).not.toEqual([])
  })
})

const fork = { fork_strategy: 'NOW' }

test.each<[string, object, boolean]>([
  ['create-service', { name: 'shop' }, true],
  ['create-service', { name: 'shop', cpu_millis: '1000', memory_gbs: '4', region_code: 'eu-west-1' }, true],
  ['create-service', { name: 'shop', cpu_millis: 'shared', memory_gbs: 'shared' }, true],
  ['create-service', { name: 'shop', cpu_millis: 'shared' }, true],
  ['create-service', { name: 'shop', cpu_millis: '1000', memory_gbs: '2' }, false],
  ['create-service', { name: 'shop', region_code: 'mars-1' }, false],
  ['create-service', { name: 'shop', replica_count: 6 }, false],
  ['create-service', { name: 'shop', unknown: 1 }, false],
  ['create-service', {}, false],
  ['set-ha', {}, false],
  ['set-ha', { replica_count: 1 }, true],
  ['fork-service', fork, true],
  ['fork-service', { ...fork, target_time: '2026-01-31T12:00:00Z' }, true],
  ['fork-service', { fork_strategy: 'PITR' }, false],
  ['fork-service', { fork_strategy: 'PITR', target_time: '2026-01-31T12:00:00+01:00' }, true],
  ['fork-service', { fork_strategy: 'PITR', target_time: 'yesterday' }, false],
  ['create-replica', { name: 'r', nodes: 1, cpu_millis: 500, memory_gbs: 2 }, true],
  ['create-replica', { name: 'r', nodes: 11, cpu_millis: 500, memory_gbs: 2 }, false],
  ['create-vpc', { name: 'n', cidr: '10.0.0.0/16', region_code: 'us-east-1' }, true],
  ['create-vpc', { name: 'n', cidr: '10.0.0.0', region_code: 'us-east-1' }, false],
])('the description of %s allows %j: %s', (operation, body, isFine) => {
  expect(problemsOfRequest(operation, body).length === 0).toBe(isFine)
})
