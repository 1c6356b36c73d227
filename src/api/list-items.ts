/** Describes the items of a list, and keeps the valid fields of a malformed one. */
import * as z from 'zod/mini'
import { isRecord } from '#base/unknown-values'

type Schema = z.core.$ZodType

/** The schema of the items of a list, which zod does not know: records.ts reads lists by a transform. */
export const itemSchemas = new WeakMap<Schema, z.ZodMiniType>()

/** The definition of a schema. Its `type` narrows it: `$ZodTypes` is zod's union of all schemas. */
export const defOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def

/** The fields of a record, with their schemas; none for a text. */
function fieldsOf(item: z.ZodMiniType): [string, Schema][] {
  const def = defOf(item)
  const decoded = def.type === 'pipe' ? defOf(def.out) : def
  return decoded.type === 'object' ? Object.entries(decoded.shape) : []
}

/** Whether a value has at least one field of a record. A text has no fields, so it only has to match its schema. */
export function hasKnownField(item: z.ZodMiniType, value: unknown): boolean {
  const fields = fieldsOf(item)
  if (fields.length === 0) return item.safeParse(value).success
  return isRecord(value) && fields.some(([name]) => Object.hasOwn(value, name))
}

/** The fields of a malformed record in a list that are as specified; null if it is no record at all. */
export function validFields(list: z.ZodMiniType | undefined, value: unknown): Record<string, unknown> | null {
  const item = list && itemSchemas.get(list)
  if (item === undefined || !isRecord(value)) return null
  return Object.fromEntries(
    fieldsOf(item).flatMap(([name, schema]) => {
      const { data } = z.safeParse(schema, value[name])
      return data === undefined ? [] : [[name, data]]
    }),
  )
}
