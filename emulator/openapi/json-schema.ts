/** Converts schemas to JSON Schema. */
import * as z from 'zod/mini'
import { itemSchemas } from '#api/list-items'
import { id, integer } from '#api/records'
import { olderNames, propertyFacts, requiredFields } from './record-facts.ts'

/** A schema of JSON Schema 2020-12, which OpenAPI 3.1 uses. */
export type JsonSchema = Record<string, unknown>

/** Keeps only one of pattern and format: the more specific one. */
function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  if (jsonSchema.format === 'cidrv4') delete jsonSchema.format
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** The contents of a request as JSON Schema, without rules between fields. */
export function describeRequest(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', override: simplify })
  return described
}

type Schema = z.core.$ZodType

/** Returns the name of a schema that is described once and referenced elsewhere. */
type NameOf = (schema: Schema) => string | undefined

function refer(schema: Schema, path: string, nameOf: NameOf): JsonSchema {
  const name = nameOf(schema)
  return name === undefined ? describeAnswer(schema, path, nameOf) : { $ref: `#/components/schemas/${name}` }
}

function describeObject({ shape }: z.core.$ZodObjectDef, path: string, nameOf: NameOf): JsonSchema {
  const properties = Object.entries(shape).map(([name, schema]) => {
    const inner = `${path}.${olderNames[name] ?? name}`
    return [name, { ...refer(schema, inner, nameOf), ...propertyFacts[inner] }]
  })
  const required = requiredFields[path]
  return { type: 'object', properties: Object.fromEntries(properties), ...(required && { required }) }
}

const isMereTransform = (schema: Schema) => schema._zod.def.type === 'transform' && !itemSchemas.has(schema)

/** The check describes a value that is transformed before or after it. */
const checkedBy = ({ in: before, out }: z.core.$ZodPipeDef) => (isMereTransform(out) ? before : out)

/**
 * An answer of the emulator, which is stricter than the action's decoding (docs/internals/api.md, "Reading
 * tolerantly").
 */
export function describeAnswer(schema: Schema, path: string, nameOf: NameOf): JsonSchema {
  const item = itemSchemas.get(schema)
  if (item) return { type: 'array', items: refer(item, `${path}[]`, nameOf) }
  if (schema === id) return { type: 'string' }
  if (schema === integer) return { type: 'integer' }
  const { def } = schema._zod
  switch (def.type) {
    case 'optional':
      return refer((def as z.core.$ZodOptionalDef).innerType, path, nameOf)
    case 'pipe':
      return describeAnswer(checkedBy(def as z.core.$ZodPipeDef), path, nameOf)
    case 'object':
      return describeObject(def as z.core.$ZodObjectDef, path, nameOf)
    case 'unknown':
      return {}
    default:
      return describeRequest(schema as z.ZodMiniType)
  }
}
