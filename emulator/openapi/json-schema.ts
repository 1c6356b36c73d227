/** Converts schemas to JSON Schema. */
import * as z from 'zod/mini'
import { itemSchemas, renamings } from '#api/known-fields'
import { id, integer } from '#api/records'
import { propertyFacts, requiredFields } from './record-facts.ts'

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

/** `renamed` are the fields that also exist under another name. */
function describeObject(
  { shape }: z.core.$ZodObjectDef,
  renamed: Record<string, string>,
  path: string,
  nameOf: NameOf,
): JsonSchema {
  const properties = Object.entries(shape).flatMap(([name, schema]) => {
    const inner = `${path}.${name}`
    const described = { ...refer(schema, inner, nameOf), ...propertyFacts[inner] }
    const newer = renamed[name]
    return newer === undefined
      ? [[name, described]]
      : [
          [name, described],
          [newer, described],
        ]
  })
  const required = requiredFields[path]
  return { type: 'object', properties: Object.fromEntries(properties), ...(required && { required }) }
}

const isMereTransform = (schema: Schema) => schema._zod.def.type === 'transform' && !itemSchemas.has(schema)

/** The check describes a value that is transformed before or after it. */
function describePipe(schema: Schema, def: z.core.$ZodPipeDef, path: string, nameOf: NameOf): JsonSchema {
  const checked = isMereTransform(def.out) ? def.in : def.out
  if (checked._zod.def.type !== 'object') return describeAnswer(checked, path, nameOf)
  return describeObject(checked._zod.def as z.core.$ZodObjectDef, renamings.get(schema) ?? {}, path, nameOf)
}

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
      return describePipe(schema, def as z.core.$ZodPipeDef, path, nameOf)
    case 'object':
      return describeObject(def as z.core.$ZodObjectDef, {}, path, nameOf)
    case 'unknown':
      return {}
    default:
      return describeRequest(schema as z.ZodMiniType)
  }
}
