/** Completes records of the fake GitHub with the fields that GitHub's published description requires. */
import { isRecord } from '#base/unknown-values'
import description from './openapi.json' with { type: 'json' }

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  format?: string
}

const definitions: Record<string, Schema> = description.$defs

/** The date of all records. */
export const date = '2026-01-31T12:00:00Z'

const texts: Record<string, string> = { uri: 'https://github.example/any', 'date-time': date }
const values: Record<string, unknown> = { null: null, boolean: false, integer: 0, number: 0, array: [] }

/** A schema without references: the first of several alternatives, and the parts of a combination together. */
function resolve(schema: Schema): Schema {
  const { $ref, allOf, oneOf, anyOf = oneOf } = schema
  if ($ref !== undefined) return resolve(definitions[$ref.replace('#/$defs/', '')] ?? {})
  if (anyOf !== undefined) return resolve(anyOf[0] ?? {})
  if (allOf === undefined) return schema
  const parts = allOf.map(resolve)
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(part => part.properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

function fill(schema: Schema, given: unknown): unknown {
  const {
    type = 'string',
    properties = {},
    required = [],
    items = {},
    enum: some,
    format = '',
  } = resolve(schema)
  if (Array.isArray(given)) return given.map(item => fill(items, item))
  const types = [type].flat()
  if (isRecord(given) || (given === undefined && types[0] === 'object' && types.length === 1)) {
    const facts: Record<string, unknown> = { ...given }
    const names = new Set([...required, ...Object.keys(facts)])
    return Object.fromEntries([...names].map(name => [name, fill(properties[name] ?? {}, facts[name])]))
  }
  if (given !== undefined) return given
  return some?.[0] ?? values[types.at(-1) ?? ''] ?? (types.includes('null') ? null : (texts[format] ?? ''))
}

/**
 * The record of a definition in GitHub's description. It has the given facts, and any valid value in the other required
 * fields: the action reads none of these.
 */
export const complete = <Facts extends object>(definition: string, facts: Facts) =>
  fill(definitions[definition] ?? {}, facts) as Facts & Record<string, unknown>
