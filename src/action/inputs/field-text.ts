/** Converts the texts of inputs to fields of the API. */
import * as z from 'zod/mini'
import { defOf } from '#api/list-items'
import { isTooDeep } from '#base/unknown-values'
import { type Parsed, parseFlag } from '#operations/base/input-row'

/** The type of a field, as zod names it; for an optional field, the type of its value. */
function typeOf(schema: z.core.$ZodType): string {
  const def = defOf(schema)
  return def.type === 'optional' ? typeOf(def.innerType) : def.type
}

/** Upper limit for a number in an error, in characters. */
const longestShown = 40

/** JSON contains a number that JavaScript cannot represent exactly. The message is that number. */
class InexactNumberError extends Error {}

/** Equal for equal numbers: digits without zeros at either end, and the power of ten of the last digit. */
function normalizeNumber(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const kept = digits.replace(/(?<!0)0+$/, '')
  const power = Number(exponent) - fraction.length + digits.length - kept.length
  return kept === '' ? '0' : `${kept}e${power}`
}

/** A reviver for JSON.parse, which turns 9007199254740993 into an even number and 1e400 into Infinity. */
function assertExact(_: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || normalizeNumber(source) === normalizeNumber(String(value))) return value
  throw new InexactNumberError(source)
}

/** Parses JSON. Malformed or too deeply nested text stays text, which the schema then rejects. */
function parseJson(text: string): unknown {
  try {
    const parsed = JSON.parse(text, assertExact)
    return isTooDeep(parsed) ? text : parsed
  } catch (error) {
    if (error instanceof InexactNumberError) throw error
    return text
  }
}

function parseList(text: string): unknown {
  if (text.startsWith('[')) return parseJson(text)
  return text
    .split(/[,\n]/)
    .map(item => item.trim())
    .filter(item => item !== '')
}

/** Converts the text of an input to the JSON type of its field. Other text stays text, which the schema rejects. */
function toFieldType(kind: string, text: string): unknown {
  if (kind === 'number' || kind === 'int') return /^-?\d+$/.test(text) ? Number(text) : text
  if (kind === 'array') return parseList(text)
  if (kind === 'boolean') {
    const flag = parseFlag(text)
    return 'value' in flag ? flag.value : text
  }
  if (kind === 'record') return parseJson(text)
  return text
}

/** Parses the text of an input as a field of the API, in the API's own type. */
export function parseField(schema: z.core.$ZodType, text: string): Parsed<unknown> {
  try {
    const result = z.safeParse(schema, toFieldType(typeOf(schema), text))
    if (result.success) return { value: result.data }
    return { expected: result.error.issues[0]?.message ?? 'another value' }
  } catch (error) {
    if (!(error instanceof InexactNumberError)) throw error
    const number = error.message
    const shown = number.length > longestShown ? `${number.slice(0, longestShown)}…` : number
    return { expected: `only numbers that JSON can represent exactly (send "${shown}" as text)` }
  }
}
