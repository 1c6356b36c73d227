/** Reduces decoded answers to the fields that the contract knows. */
import type * as z from 'zod/mini'

type Schema = z.core.$ZodType
type Fields = Record<string, unknown>

/**
 * Maps the schema of a list to the schema of its items, which zod does not know: records.ts reads lists by a
 * transform.
 */
export const itemSchemas = new WeakMap<Schema, z.ZodMiniType>()
/** Maps the schema of a record to its renamed fields (older name to newer name), which zod does not know either. */
export const renamings = new WeakMap<Schema, Record<string, string>>()
/** Schemas of objects whose fields the specification does not list: unknown fields of such objects are shown too. */
export const openObjects = new WeakSet<Schema>()

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The definition of a schema. Its `type` narrows it: `$ZodTypes` is zod's union of all schemas. */
export const defOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def

const isPlainTransform = (schema: Schema) => schema._zod.def.type === 'transform' && !itemSchemas.has(schema)

/** The schema without transforms and `optional`, and the renamed fields of its record. */
function unwrap(schema: Schema, renamed = renamings.get(schema) ?? {}): [Schema, Record<string, string>] {
  const def = defOf(schema)
  if (def.type === 'optional') return unwrap(def.innerType)
  if (def.type !== 'pipe') return [schema, renamed]
  return unwrap(isPlainTransform(def.out) ? def.in : def.out, renamings.get(schema))
}

export const itemSchemaOf = (schema: Schema): z.ZodMiniType | undefined => itemSchemas.get(unwrap(schema)[0])

/** Cached by definition, because a list has thousands of records with the same schema. */
const fieldsByDefinition = new WeakMap<z.core.$ZodObjectDef, Map<string, Schema>>()

function fieldsOf(def: z.core.$ZodObjectDef, renamed: Record<string, string>): Map<string, Schema> {
  const cached = fieldsByDefinition.get(def)
  if (cached) return cached
  const fields = new Map<string, Schema>(Object.entries(def.shape))
  for (const [name, newer] of Object.entries(renamed)) {
    const field = fields.get(name)
    if (field) fields.set(newer, field)
  }
  fieldsByDefinition.set(def, fields)
  return fields
}

function knownOfRecord(fields: Map<string, Schema>, isOpen: boolean, value: Fields): Fields {
  // Object.fromEntries defines properties, so a hostile field `__proto__` is plain data and sets no prototype.
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const field = fields.get(name)
      const unknownField = isOpen ? inner : undefined
      const shown = field ? knownFields(field, inner) : unknownField
      return shown === undefined ? [] : [[name, shown]]
    }),
  )
}

/** Whether a value has at least one field of a record. A value that is not an object only has to match its schema. */
export function hasKnownField(schema: z.ZodMiniType, value: unknown): boolean {
  const [described, renamed] = unwrap(schema)
  const def = defOf(described)
  if (def.type !== 'object') return schema.safeParse(value).success
  const fields = fieldsOf(def, renamed)
  return isObject(value) && Object.keys(value).some(name => fields.has(name))
}

/**
 * Reduces a decoded answer to the fields of its schema, at every depth. Decoding accepts unknown fields, so
 * that the action can read newer servers, but the action shows and publishes only known ones. Objects without
 * specified fields keep all of theirs. A value of an unexpected type is omitted.
 */
export function knownFields(schema: Schema, value: unknown): unknown {
  const [described, renamed] = unwrap(schema)
  const item = itemSchemas.get(described)
  if (item) return Array.isArray(value) ? value.map(entry => knownFields(item, entry) ?? null) : undefined
  const def = defOf(described)
  // The contract does not describe the contents of this field, so all of it is kept.
  if (def.type === 'unknown') return value
  if (def.type !== 'object') return typeof value === 'object' && value !== null ? undefined : value
  if (!isObject(value)) return undefined
  const fields = fieldsOf(def, renamed)
  return knownOfRecord(fields, openObjects.has(described), value)
}
