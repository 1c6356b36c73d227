/** Tests every endpoint of the emulator: its answer, its ids, and its use of every field. */
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { type Endpoint, isRead, parameterNames, pathParameters } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { defOf } from '#api/list-items'
import { type AnyRecord, resources } from '#api/resource'
import { requiredFields, validValue } from '../../../tools/reference/example-values.ts'
import { playEndpoint } from '../../../tools/reference/play-endpoint.ts'
import { VirtualStore } from '../support/virtual-store.ts'

const rows = Object.entries<Endpoint>(endpoints).map(([name, row]) => ({ name: name as EndpointName, row }))

test.each(rows)('$name answers with its status, and reaches its goal', ({ name, row }) => {
  const given = name === 'set-ha' ? { replica_count: 1 } : {}
  const { status, answer, after, parameters } = playEndpoint(name, given)
  expect(status).toBe(row.status)
  expect(answer === undefined).toBe(row.response === undefined)
  if (row.goal?.until === 'gone') expect(after).toBe(undefined)
  else if (row.goal) expect(row.goal.evaluate(after ?? expect.fail(), parameters)).toBe('settled')
})

test.each(rows.filter(({ row }) => row.repeatable))(
  '$name is repeatable: twice has the same effect as once',
  ({ name }) => {
    const { status, after } = playEndpoint(name)
    expect(playEndpoint(name, {}, true)).toMatchObject({ status, after })
  },
)

const idNames = ['project_id', ...Object.values(resources).map(({ id }) => id)]
const ids = rows.flatMap(({ name, row }) =>
  parameterNames(row)
    .filter(parameter => idNames.includes(parameter))
    .map(id => ({ name, id })),
)

test.each(ids)('$name refuses an unknown $id', ({ name, id }) => {
  expect(playEndpoint(name, { [id]: '404404' }).status).toBe(404)
})

const ofServices = rows.filter(
  ({ row }) => row.method === 'POST' && !isRead(row) && pathParameters(row.path).at(-1) === 'service_id',
)

test.each(ofServices)('$name refuses a service that is being deleted', ({ name, row }) => {
  const store = new VirtualStore()
  const ids = { service_id: store.readyService(), vpc_id: store.readyVpc() }
  store.call('delete-service', ids)
  const message = expect.stringMatching(/DELETING|being deleted/)
  expect(store.refusal(name, { ...requiredFields(row), ...ids } as never)).toEqual({ status: 409, message })
})

/** These send their fields to the vendor's statistics, which the emulator does not have. */
const unused: string[] = ['identify-user', 'track-event']

/** The fields to send with, or instead of, an example that has no effect alone. */
const companions: Partial<Record<string, object>> = {
  target_time: { fork_strategy: 'PITR' },
  filters: { filters: [{ key: 'role', value: 'replica' }] },
}

const fields = Object.entries<Endpoint>(endpoints)
  .filter(([name]) => !unused.includes(name))
  .flatMap(([name, { query, body }]) =>
    Object.entries<z.core.$ZodType>({ ...query?.shape, ...body?.shape }).map(([field, schema]) => ({
      ...{ name: name as EndpointName, field, schema },
    })),
  )

/** A value that differs from the example. The emulator may refuse it. */
function otherThan(example: unknown, schema: z.core.$ZodType): unknown {
  const def = defOf(schema)
  if (def.type === 'optional') return otherThan(example, def.innerType)
  if (def.type === 'enum') return Object.values(def.entries).find(one => one !== example)
  if (typeof example === 'number') return example + 1
  return typeof example === 'string' ? `${example}1` : undefined
}

// A handler that ignores a field would make a scenario pass for nothing.
test.each(fields)('the handler of $name uses $field', ({ name, field, schema }) => {
  const more = companions[field]
  const effectOf = (given: object) => {
    const { parameters: _, ...effect } = playEndpoint(name, given)
    return JSON.stringify(effect)
  }
  const example = validValue(field, schema)
  const values = [example, otherThan(example, schema)].map(value => ({ [field]: value, ...more }))
  const usual = effectOf(field in (more ?? {}) ? {} : { ...more })
  expect(values.some(value => effectOf(value) !== usual)).toBe(true)
})

const conditions = Object.entries<Endpoint>(endpoints).flatMap(([name, row]) => {
  const { already, goal } = row
  const operation = name as EndpointName
  return [
    ...(already ? [{ name: operation, condition: 'already', holds: already.is }] : []),
    ...(goal?.until === 'present'
      ? [
          {
            name: operation,
            condition: 'goal',
            holds: (record: AnyRecord, requested: object) => goal.evaluate(record, requested) === 'settled',
          },
        ]
      : []),
  ]
})

test.each(conditions)(
  '$condition of $name depends on every requested field of the record',
  ({ name, holds }) => {
    const { after, parameters } = playEndpoint(name)
    const { body }: Endpoint = endpoints[name]
    const requested = Object.entries<z.core.$ZodType>({ ...body?.shape }).map(([field, schema]) => {
      const other = otherThan(parameters[field] ?? validValue(field, schema), schema)
      return {
        field,
        isShown: `${JSON.stringify(after)}`.includes(`"${field}":`),
        isCompared: after !== undefined && !holds(after, { ...parameters, [field]: other }),
      }
    })
    const comparesAny = requested.some(({ isCompared }) => isCompared)
    expect(requested.filter(({ isShown, isCompared }) => comparesAny && isShown && !isCompared)).toEqual([])
  },
)
