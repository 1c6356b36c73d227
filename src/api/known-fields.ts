import type * as z from 'zod/mini'

type Schema = z.core.$ZodType
type Fields = Record<string, unknown>

/** The schema of a list's items by that of the list: the transforms of records.ts hide it from zod. */
export const itemSchemas = new WeakMap<Schema, Schema>()
/** For each record's schema, the newer spelling of fields by the older one: hidden from zod likewise. */
export const renamings = new WeakMap<Schema, Record<string, string>>()

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isMereTransform = (schema: Schema) => schema._zod.def.type === 'transform' && !itemSchemas.has(schema)

/** The schema of the fields, without the wrappers that only transform a value or allow it to be absent. */
function describing(schema: Schema, renamed = renamings.get(schema) ?? {}): [Schema, Record<string, string>] {
  const { def } = schema._zod
  if (def.type === 'optional') return describing((def as z.core.$ZodOptionalDef).innerType)
  if (def.type !== 'pipe') return [schema, renamed]
  const { in: first, out } = def as z.core.$ZodPipeDef
  return describing(isMereTransform(out) ? first : out, renamings.get(schema))
}

/** Cached for each record's schema: a list has thousands of records of the same schema. */
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
 * A decoded answer with only the fields of its schema, at every depth. Decoding lets unknown fields pass, so that newer
 * servers can be read, but only known ones are shown and handed on. A value of another kind than its schema says is
 * left out, too.
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
