/** The rows of the action's own inputs, and parsers of their values. */
import { grouping, type Input } from '#api/fields/input'
import { parseDuration } from '#base/duration'
import { type Camel, toCamel } from '#base/table'

/** The value of a text, or the expected form. `got` describes the wrong part of a text that must not be shown. */
export type Parsed<Value> = { value: Value } | { expected: string; got?: string }

interface Row extends Input {
  required?: boolean
  /** The text that applies if none is set, unless an operation has its own default. */
  default?: string
  /** Instead of a default: the behavior if no text is set, in words; undefined if `about` implies it. */
  otherwise?: string | undefined
  /** The default in action.yml: an expression that only the runner can evaluate. */
  runnerDefault?: string
  /** The operations on previews that take it, if its row lists them. */
  operations?: readonly string[]
  /** The name of its setting, if it is not the input's own in camel case. */
  setting?: string
  /** `others`: the texts of all inputs. */
  parse(text: string, others?: ReadonlyMap<string, string>): Parsed<unknown>
}

/** Each row states the behavior without a text. */
export type InputRow = Row &
  ({ required: true } | { default: string } | { otherwise: string | undefined } | { runnerDefault: string })

export const inGroup = grouping<InputRow>()

type SettingName<Name, Row> = Row extends { setting: infer Own extends string } ? Own : Camel<Name & string>

type ValueOf<Row> = Row extends { parse(text: string): Parsed<infer Value> } ? Value : never

type Setting<Row> = Row extends { default: string } | { required: true }
  ? ValueOf<Row>
  : ValueOf<Row> | undefined

export type SettingsOf<Rows> = { [Name in keyof Rows as SettingName<Name, Rows[Name]>]: Setting<Rows[Name]> }

export const settingName = (name: string, row: InputRow) => row.setting ?? toCamel(name)

export const parseText = (text: string): Parsed<string> => ({ value: text })

/** Booleans of YAML 1.2's core schema, like in the runner's own toolkit. */
export function parseFlag(text: string): Parsed<boolean> {
  if (/^(true|True|TRUE)$/.test(text)) return { value: true }
  if (/^(false|False|FALSE)$/.test(text)) return { value: false }
  return { expected: 'true or false' }
}

/** The properties of a flag with this default. */
export const flag = (value: 'true' | 'false') => ({
  default: value,
  example: value === 'true' ? 'false' : 'true',
  parse: parseFlag,
})

const day = 86_400_000

function parseDurationUpTo(longest: number, examples: string) {
  return (text: string): Parsed<number> => {
    const value = parseDuration(text)
    if (value === undefined) return { expected: `a duration like ${examples}` }
    return value > 0 && value <= longest
      ? { value }
      : { expected: `a duration from 1ms to ${Math.floor(longest / day)}d` }
  }
}

/** A timer of more than 31 bits of milliseconds fires at once. No job runs that long. */
export const parseTime = parseDurationUpTo(2 ** 31 - 1, '500ms, 90s, 30m or 1h')

/** Like `parseTime`, for the age of a record: no timer waits for it. */
export const parseAge = parseDurationUpTo(3650 * day, '90s, 30m, 72h or 90d')

export function parseCount(most = 999) {
  return (text: string): Parsed<number> => {
    const value = Number(text)
    return /^[1-9]\d{0,5}$/.test(text) && value <= most
      ? { value }
      : { expected: `a whole number from 1 to ${most}` }
  }
}

export function parseOneOf<const Choice extends string>(...choices: Choice[]) {
  return (text: string): Parsed<Choice> => {
    const value = choices.find(choice => choice === text)
    return value === undefined
      ? { expected: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` }
      : { value }
  }
}

/** Path patterns, separated by commas (except in braces) or line breaks. */
export function parsePatterns(text: string): Parsed<string[]> {
  const parts = text.match(/(?:\{[^{}\n]*\}|[^,\n])+/g) ?? []
  const value = parts.map(pattern => pattern.trim()).filter(pattern => pattern !== '')
  return value.some(pattern => !pattern.startsWith('!'))
    ? { value }
    : { expected: 'paths or patterns like db/*.sql, separated by commas or line breaks' }
}
