/** Tests every endpoint of the emulator: its answer, its ids, and its use of every field. */
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Endpoint, isRead, parameterNames, pathParameters } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { defOf } from '#api/list-items'
import { type AnyRecord, resources } from '#api/resource'
import { requiredFields, validValue } from '../../../tools/reference/example-values.ts'
import { playEndpoint } from '../../../tools/reference/play-endpoint.ts'
import { VirtualStore } from '../support/virtual-store.ts'

const rows = Object.entries<Endpoint>(endpoints).map(([name, row]) => ({ name: name as EndpointName, row }))

/** The fields that a call needs although none of them is required. */
const neededBy = (name: EndpointName) => (name === 'set-ha' ? { replica_count: 1 } : {})

/** These send their fields to the vendor's statistics, which the emulator does not have. */
const unused: string[] = ['identify-user', 'track-event']

test.each(rows)('$name answers with its status, and reaches its goal', ({ name, row }) => {
  const { status, answer, after, parameters } = playEndpoint(name, neededBy(name))
  expect(status).toBe(row.status)
  expect(answer === undefined).toBe(row.response === undefined)
  if (row.goal?.until === 'gone') expect(after).toBe(undefined)
  else if (row.goal) expect(row.goal.evaluate(after ?? expect.fail(), parameters)).toBe('settled')
})

const repeated = rows.filter(({ name, row }) => row.repeatable !== undefined && !unused.includes(name))

test.each(repeated)('$name is repeatable if it only sets a value, and otherwise not', ({ name, row }) => {
  const once = playEndpoint(name, neededBy(name))
  const twice = playEndpoint(name, neededBy(name), true)
  const startsWork = once.effects.some(({ kind }) => kind !== 'set-password')
  const isSame = once.status === twice.status && isDeepStrictEqual(once.after, twice.after)
  expect(row.repeatable).toBe(isSame && !startsWork)
})

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

/** The fields to send with, or instead of, an example that has no effect alone. */
const companions: Partial<Record<string, object>> = {
  target_time: { fork_strategy: 'PITR' },
  fork_strategy: { target_time: '2026-01-31T03:00:00Z' },
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

/** A service has one of few pairs of sizes. */
const sizes = ['cpu_millis', 'memory_gbs']

/** Each value of an enum, and the least and the most of a number. */
function limitsOf(schema: z.core.$ZodType): unknown[] {
  const { enum: options, minimum, maximum } = z.toJSONSchema(schema)
  const numbers = [minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum]
  return options ?? numbers.filter(number => number !== undefined)
}

const limits = fields
  .filter(({ field }) => !sizes.includes(field))
  .flatMap(({ schema, ...one }) => limitsOf(schema).map(value => ({ ...one, value })))

test.each(limits)('the handler of $name accepts $value as $field', ({ name, field, value }) => {
  const given = { ...neededBy(name), ...companions[field], [field]: value }
  expect(playEndpoint(name, given).status).toBe(endpoints[name].status)
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
