/** Reads what a run stored for later runs, which may have been written by another release of this action, or by anybody. */
import * as z from 'zod/mini'
import { deepest, isDeeperThan } from './nesting.ts'
import { isRecord } from './unknown-values.ts'

/** The version of what this release stores. A release that changes the meaning of a stored field raises it. */
export const storedVersion = 1

/** An object whose unknown fields stay when it is read and stored again. Its type shows only the known ones. */
export const storedObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodMiniObject<Shape> =>
  z.looseObject(shape) as unknown as z.ZodMiniObject<Shape>

/** A stored value, or in one line why it cannot be read. */
export type Stored<Value> = { value: Value } | { problem: string }

function versionOf(value: unknown): unknown {
  return isRecord(value) ? (value.version ?? storedVersion) : storedVersion
}

/** Reads a stored text by the schema that describes it. Without a field `version` it is of version 1. */
export function parseStored<Value>(text: string, schema: z.ZodMiniType<Value>): Stored<Value> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'it is not JSON' }
  }
  // Unknown fields are written again, which fails for deeply nested values.
  if (isDeeperThan(deepest, value)) return { problem: `it is nested deeper than ${deepest} levels` }
  const version = versionOf(value)
  if (version !== storedVersion)
    return {
      problem: `it has version ${JSON.stringify(version)?.slice(0, 20)}, and this release reads version ${storedVersion}`,
    }
  const { data, error } = schema.safeParse(value)
  if (error === undefined) return { value: data }
  const path = error.issues[0]?.path.map(String).join('.').slice(0, 100)
  return { problem: `it does not have the expected form${path ? ` at ${path}` : ''}` }
}
