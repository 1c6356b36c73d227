/** Facts about fields of records that decoding ignores: the emulator's API description has them. */
import type * as z from 'zod/mini'

/** In the words of JSON Schema. */
interface Facts {
  enum?: readonly (string | null)[]
  format?: 'date-time'
  minimum?: number
  maximum?: number
  type?: 'object' | readonly string[]
  additionalProperties?: object
  /** Not every record of the emulator has the field. */
  isAbsentAtTimes?: boolean
}

const facts = new WeakMap<z.core.$ZodType, Facts>()

export const factsOf = (schema: z.core.$ZodType): Facts => facts.get(schema) ?? {}

/** A copy of a schema with more facts. It decodes the same values. */
export function withFacts<Schema extends z.ZodMiniType>(schema: Schema, more: Facts): Schema {
  const copy = schema.clone()
  facts.set(copy, { ...factsOf(schema), ...more })
  return copy
}

/** Marks a field that some records of the emulator lack. They have all others. */
export const sometimes = <Schema extends z.ZodMiniType>(schema: Schema) =>
  withFacts(schema, { isAbsentAtTimes: true })
