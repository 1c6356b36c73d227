import type * as z from 'zod/mini'
import { deepest, isDeeperThan } from '../client/nesting.ts'
import type { Parsed } from './input-definition.ts'

/** The type of a field below its `optional`, as zod names it. */
function kindOf(schema: z.core.$ZodType): string {
  const { def } = schema._zod
  return def.type === 'optional' ? kindOf((def as z.core.$ZodOptionalDef).innerType) : def.type
}

/** The text parsed as JSON. If it is not JSON, or nested too deeply, it stays text, which the schema then refuses. */
function parseJson(text: string): unknown {
  try {
    const parsed = JSON.parse(text)
    return isDeeperThan(deepest, parsed) ? text : parsed
  } catch {
    return text
  }
}

/** A list as comma or newline separated text, or as a JSON array. */
function parseList(text: string): unknown {
  if (text.startsWith('[')) return parseJson(text)
  return text
    .split(/[,\n]/)
    .map(item => item.trim())
    .filter(item => item !== '')
}

/** The text of an input as the JSON type of its field. What does not fit stays text, which the schema then refuses. */
function toFieldType(kind: string, text: string): unknown {
  if (kind === 'number' || kind === 'int') return /^-?\d+$/.test(text) ? Number(text) : text
  if (kind === 'array') return parseList(text)
  if (kind === 'record') return parseJson(text)
  return text
}

/** Reads the text of an input as a field of a row, in the API's own type. */
export function parseField(schema: z.core.$ZodType, text: string): Parsed<unknown> {
  const result = (schema as z.ZodMiniType).safeParse(toFieldType(kindOf(schema), text))
  if (result.success) return { value: result.data }
  return { expected: result.error.issues[0]?.message ?? 'another value' }
}
