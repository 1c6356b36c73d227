/** Reads values that a run stored for later runs. Another release, or a person, may have written them. */
import * as z from 'zod/mini'
import { isRecord, isTooDeep, maxDepth } from './unknown-values.ts'

/** Format version of stored values. Raise it when a stored field changes its meaning. */
export const storedVersion = 1

/** An object whose unknown fields survive reading and storing. Its type has only the known fields. */
export const storedObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodMiniObject<Shape> =>
  z.looseObject(shape) as unknown as z.ZodMiniObject<Shape>

/** A stored value, or the reason why it is unreadable, in one line. */
export type Stored<Value> = { value: Value } | { problem: string }

/** Undefined if the value is unreadable. */
export const ifReadable = <Value>(stored: Stored<Value> | undefined): Value | undefined =>
  stored && 'value' in stored ? stored.value : undefined

/** Parses a stored text with its schema. A missing `version` means version 1. */
export function parseStored<Value>(text: string, schema: z.ZodMiniType<Value>): Stored<Value> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'it is not JSON' }
  }
  // Storing unknown fields again would fail for deeply nested values.
  if (isTooDeep(value)) return { problem: `it is nested deeper than ${maxDepth} levels` }
  const version = isRecord(value) ? (value.version ?? storedVersion) : storedVersion
  if (version !== storedVersion)
    return {
      problem: `it has version ${JSON.stringify(version)?.slice(0, 20)}, and this release reads version ${storedVersion}`,
    }
  const { data, error } = schema.safeParse(value)
  if (error === undefined) return { value: data }
  const path = error.issues[0]?.path.map(String).join('.').slice(0, 100)
  return { problem: `it does not have the expected form${path ? ` at ${path}` : ''}` }
}
