/** Evaluates the expressions of workflows. */
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'

/** The names that `${{ … }}` may use: plain values by the name of their context. */
export type Contexts = Record<string, unknown>

/** The state of a job so far, for `success()`, `failure()`, `cancelled()` and `always()`. */
export type Status = 'success' | 'failure' | 'cancelled'

const statusFunctions = ['success', 'failure', 'cancelled', 'always']

function definitionsFor(status: Status) {
  const holds = (name: string) => name === 'always' || name === status
  return statusFunctions.map(name => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(holds(name)),
  }))
}

/** The value of one expression, by GitHub's own evaluator; a context that is not there is an error. */
function evaluate(expression: string, contexts: Contexts, status: Status = 'success'): data.ExpressionData {
  const functions = definitionsFor(status)
  const { tokens } = new Lexer(expression).lex()
  const tree = new Parser(tokens, Object.keys(contexts), functions).parse()
  const known = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary
  return new Evaluator(tree, known, new Map(functions.map(one => [one.name, one]))).evaluate()
}

/** A text with every `${{ … }}` in it replaced by its value. */
export function interpolate(text: unknown, contexts: Contexts): string {
  return String(text ?? '').replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    evaluate(expression.trim(), contexts).coerceString(),
  )
}

/** As `interpolate`, for each value of a mapping. */
export function interpolateAll(
  values: Record<string, unknown> | undefined,
  contexts: Contexts,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [name, interpolate(value, contexts)]),
  )
}

/** Whether an `if:` holds; without a status function of its own it also asks for success. */
export function holds(condition: string | undefined, contexts: Contexts, status: Status): boolean {
  const inner = (condition ?? '').replace(/^\s*\$\{\{(.*)\}\}\s*$/s, '$1').trim()
  const asksStatus = statusFunctions.some(name => new RegExp(`\\b${name}\\(`).test(inner))
  const expression = inner === '' ? 'success()' : asksStatus ? inner : `success() && (${inner})`
  return isTruthy(evaluate(expression, contexts, status))
}

/** https://docs.github.com/actions/reference/workflows-and-actions/expressions#literals */
function isTruthy(value: data.ExpressionData): boolean {
  return value.primitive ? !['', '0', 'false'].includes(value.coerceString()) : true
}
