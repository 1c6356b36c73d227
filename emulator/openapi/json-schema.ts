/** Converts schemas to JSON Schema. */
import * as z from 'zod/mini'
import { itemSchemas } from '#api/list-items'
import { factsOf } from '#api/record-facts'
import { id, integer } from '#api/records'

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

function refer(schema: Schema, nameOf: NameOf): JsonSchema {
  const name = nameOf(schema)
  return name === undefined ? describeAnswer(schema, nameOf) : { $ref: `#/components/schemas/${name}` }
}

function describeObject({ shape }: z.core.$ZodObjectDef, nameOf: NameOf): JsonSchema {
  const fields = Object.entries(shape)
  const properties = Object.fromEntries(fields.map(([name, schema]) => [name, refer(schema, nameOf)]))
  const required = fields.flatMap(([name, schema]) => (factsOf(schema).isAbsentAtTimes ? [] : [name]))
  return { type: 'object', properties, required }
}

const isMereTransform = (schema: Schema) => schema._zod.def.type === 'transform' && !itemSchemas.has(schema)

/** The check describes a value that is transformed before or after it. */
const checkedBy = ({ in: before, out }: z.core.$ZodPipeDef) => (isMereTransform(out) ? before : out)

function describeDecoded(schema: Schema, nameOf: NameOf): JsonSchema {
  const item = itemSchemas.get(schema)
  if (item) return { type: 'array', items: refer(item, nameOf) }
  if (schema === id) return { type: 'string' }
  if (schema === integer) return { type: 'integer' }
  const { def } = schema._zod
  switch (def.type) {
    case 'optional':
      return refer((def as z.core.$ZodOptionalDef).innerType, nameOf)
    case 'pipe':
      return describeAnswer(checkedBy(def as z.core.$ZodPipeDef), nameOf)
    case 'object':
      return describeObject(def as z.core.$ZodObjectDef, nameOf)
    case 'unknown':
      return {}
    default:
      return describeRequest(schema as z.ZodMiniType)
  }
}

/**
 * An answer of the emulator, which is stricter than the action's decoding (docs/internals/api.md, "Reading
 * tolerantly"): every field is present, except those that are absent at times.
 */
export function describeAnswer(schema: Schema, nameOf: NameOf): JsonSchema {
  const { isAbsentAtTimes: _, ...facts } = factsOf(schema)
  return { ...describeDecoded(schema, nameOf), ...facts }
}
