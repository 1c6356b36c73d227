/** Tests the table of endpoints against docs/internals/api.md. */
import { describe, expect, it, test } from 'vitest'
import * as z from 'zod/mini'
import { type Endpoint, parameterNames, pathParameters } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { fieldInputs } from '#api/field-table'
import * as records from '#api/records'
import { contract, parseContract } from '../support/contract.ts'
import { endpointOf } from '../support/endpoint-of.ts'

const rows = Object.entries<Endpoint>(endpoints)

/** The fields of a row in the notation of the contract. */
function fieldsOf(row: Endpoint): string[] {
  const schemas = Object.entries({ ...row.query?.shape, ...row.body?.shape })
  return schemas.map(([name, schema]) => (z.safeParse(schema, undefined).success ? name : `${name}!`))
}

const recordNames = new Map<unknown, string>(Object.entries(records).map(([name, schema]) => [schema, name]))
const answerOf = (row: Endpoint) =>
  row.response ? `${row.status} ${recordNames.get(row.response)}` : `${row.status}`

test('the table has exactly the endpoints of docs/internals/api.md', () => {
  expect(rows.map(([name, { method, path }]) => `${name}: ${method} ${path}`).sort()).toEqual(
    contract.map(({ operation, method, path }) => `${operation}: ${method} ${path}`).sort(),
  )
})

test.each(['| a | GET /a | | 200 A | | | X |', '| a | GET /a | | 200 A | service | soon | S |'])(
  'the document must not have the row %j',
  row => {
    const table = `| operation | request | fields | answer | about | wait | source |\n|---|\n${row}\n`
    expect(() => parseContract(table)).toThrow(`none of the contract: ${row}`)
  },
)

test('the document attributes to the specification only its own parts', () => {
  const named = (rows: typeof contract) => rows.map(({ operation }) => operation).sort()
  const shown = contract.filter(({ shown: { request } }) => request)
  expect(shown, 'what is new is none of the specification: mark it with P').toHaveLength(34)
  const bodies = contract.filter(({ shown, fields }) => shown.fields && fields.length > 0)
  expect(named(bodies)).toEqual(['create-replica', 'create-service', 'detach-vpc'])
  expect(named(contract.filter(({ shown }) => shown.answer))).toEqual([
    ...['create-replica', 'create-service', 'detach-vpc', 'get-auth-info', 'get-peering'],
  ])
})

describe.each(contract)('$operation', ({ operation, fields, answer, ...expected }) => {
  it(`takes ${fields.join(', ') || 'no fields'}`, () => {
    expect(fieldsOf(endpointOf(operation)).sort()).toEqual([...fields].sort())
  })

  it(`answers with ${answer}`, () => {
    expect(answerOf(endpointOf(operation))).toBe(answer)
  })

  it(`creates ${expected.creates ? `a ${expected.resource}` : 'nothing'}`, () => {
    expect(endpointOf(operation).creates).toBe(expected.creates ? expected.resource : undefined)
  })

  it('has a summary of one sentence without a full stop', () => {
    expect(endpointOf(operation).summary).toMatch(/^[A-Z][^\n]{5,90}[^.\s]$/)
  })

  it('has a description of every field, and of every id on its path', () => {
    const undescribed = parameterNames(endpointOf(operation)).filter(
      name => !fieldInputs[name as keyof typeof fieldInputs]?.about.endsWith('.'),
    )
    expect(undescribed).toEqual([])
  })
})

test('only a POST has a body, and only a GET has a query', () => {
  const methods = (part: 'body' | 'query') =>
    new Set(rows.filter(([, row]) => row[part] !== undefined).map(([, { method }]) => method))
  expect([...methods('body')]).toEqual(['POST'])
  expect([...methods('query')]).toEqual(['GET'])
})

test('every described field belongs to an endpoint', () => {
  const taken = new Set(rows.flatMap(([, row]) => parameterNames(row)))
  expect(Object.keys(fieldInputs).filter(name => !taken.has(name))).toEqual([])
})

describe('the parameters of a row', () => {
  it('are in the order of its path', () => {
    expect(pathParameters('/a/{one}/b/{two}/c')).toEqual(['one', 'two'])
    expect(pathParameters('/auth/info')).toEqual([])
  })

  it('come from the path, then the query, then the body', () => {
    expect(parameterNames(endpointOf('resize-service'))).toEqual([
      ...['project_id', 'service_id', 'cpu_millis', 'memory_gbs'],
    ])
    expect(parameterNames(endpointOf('get-service-logs')).slice(0, 3)).toEqual([
      'project_id',
      'service_id',
      'node',
    ])
  })
})
