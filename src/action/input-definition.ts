import { parseDuration } from '../client/duration.ts'

/** A value, or what was expected instead. */
export type Parsed<Value> = { value: Value } | { expected: string }

/** An input that belongs to the action, not to the API: those come from the contract's rows. */
export interface InputDefinition<Value> {
  /** Set as the default in action.yml: an expression that only the runner can fill in. */
  runnerDefault?: string
  /** Its text must not be shown, not even in an error. */
  secret?: boolean
  parse(text: string): Parsed<Value>
}

export function define<Value>(definition: InputDefinition<Value>): InputDefinition<Value> {
  return definition
}

export const anyText = (text: string): Parsed<string> => ({ value: text })

/** YAML 1.2 core schema booleans, as the runner's own toolkit takes them. */
export function parseFlag(text: string): Parsed<boolean> {
  if (/^(true|True|TRUE)$/.test(text)) return { value: true }
  if (/^(false|False|FALSE)$/.test(text)) return { value: false }
  return { expected: 'true or false' }
}

/** A timer of more than 31 bits of milliseconds fires at once. No job runs so long. */
const longestTime = 2 ** 31 - 1

export function parseTime(text: string): Parsed<number> {
  const value = parseDuration(text) ?? 0
  return value > 0 && value <= longestTime ? { value } : { expected: 'a duration like 90s, 30m or 1h' }
}

export function parseCount(text: string, most = 999): Parsed<number> {
  const value = Number(text)
  return /^[1-9]\d{0,5}$/.test(text) && value <= most
    ? { value }
    : { expected: `a whole number from 1 to ${most}` }
}

export function parseOneOf<const Choice extends string>(...choices: Choice[]) {
  return (text: string): Parsed<Choice> => {
    const value = choices.find(choice => choice === text)
    return value === undefined
      ? { expected: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` }
      : { value }
  }
}

/** RFC 7617: the user-id of Basic authentication holds no colon; both are sent as visible ASCII here. */
export function parseKey(pattern: RegExp, expected: string) {
  return (text: string): Parsed<string> => (pattern.test(text) ? { value: text } : { expected })
}

export const visible = 'visible ASCII characters in one line'
