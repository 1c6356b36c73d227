import type * as z from 'zod/mini'

type Schema = z.core.$ZodType
type Fields = Record<string, unknown>

/** What the transforms of records.ts hide: the schema of a list's items. */
export const itemSchemas = new WeakMap<Schema, Schema>()
/** As well: the newer spelling of a record's fields, by the older one. */
export const renamings = new WeakMap<Schema, Record<string, string>>()

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isMereTransform = (schema: Schema) => schema._zod.def.type === 'transform' && !itemSchemas.has(schema)

/** The schema that describes the value, below what only transforms it or lets it be absent. */
function describing(schema: Schema, renamed = renamings.get(schema) ?? {}): [Schema, Record<string, string>] {
  const { def } = schema._zod
  if (def.type === 'optional') return describing((def as z.core.$ZodOptionalDef).innerType)
  if (def.type !== 'pipe') return [schema, renamed]
  const { in: first, out } = def as z.core.$ZodPipeDef
  return describing(isMereTransform(out) ? first : out, renamings.get(schema))
}

/** By the schema of the record: a list has the same one thousands of times. */
const fieldsBySchema = new WeakMap<Schema, Map<string, Schema>>()

function fieldsOf(schema: z.core.$ZodObject, renamed: Record<string, string>): Map<string, Schema> {
  const known = fieldsBySchema.get(schema)
  if (known) return known
  const fields = new Map<string, Schema>(Object.entries(schema._zod.def.shape))
  for (const [name, newer] of Object.entries(renamed)) {
    const field = fields.get(name)
    if (field) fields.set(newer, field)
  }
  fieldsBySchema.set(schema, fields)
  return fields
}

function knownOfRecord(fields: Map<string, Schema>, value: Fields): Fields {
  // Object.fromEntries defines: a field of the name __proto__ would be data like any other.
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const field = fields.get(name)
      const known = field && knownFields(field, inner)
      return known === undefined ? [] : [[name, known]]
    }),
  )
}

/**
 * A decoded answer with the fields of its schema only, however deep. Decoding lets unknown fields pass, so that no
 * server is too new to be read; what is shown and handed on must be known. What is of another kind than its schema
 * says is left out too.
 */
export function knownFields(schema: Schema, value: unknown): unknown {
  const [described, renamed] = describing(schema)
  const item = itemSchemas.get(described)
  if (item) return Array.isArray(value) ? value.map(one => knownFields(item, one)) : undefined
  const { type } = described._zod.def
  // The contract names the field and leaves its inside open.
  if (type === 'unknown') return value
  if (type !== 'object') return typeof value === 'object' && value !== null ? undefined : value
  if (!isObject(value)) return undefined
  return knownOfRecord(fieldsOf(described as z.core.$ZodObject, renamed), value)
}
