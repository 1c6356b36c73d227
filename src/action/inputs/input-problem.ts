/** Explains a wrong input. */
import { hasInvisible } from '../secrets/plain-text.ts'

/** Hides user and password of an address: they are secrets too. */
const withoutUserInfo = (text: string) => text.replace(/^([^:]*:\/*)(?!\/).*@/s, '$1***@')

const correctForm = `\${{ … }}`

/** Mistakes that any input may have, each with a description that ends a sentence. */
const mistakes: [pattern: RegExp, description: string][] = [
  // The runner evaluates expressions. An expression that arrives here is malformed, or does not come from a workflow.
  [/\{\{/, `an expression that GitHub did not evaluate: write ${correctForm}`],
  [
    /\$\{\s*\w+\.[^{}]*\}/,
    `an expression with one brace, which GitHub does not evaluate: write ${correctForm}`,
  ],
  [/^\$\{?\w+\}?$/, `a shell variable, which GitHub does not expand: write ${correctForm}`],
  [/^(["'`]).*\1$/s, 'in quotes, which become part of the value: remove them'],
]

/** Describes a wrong secret without showing any of it. */
function describeSecret(name: string, text: string): string {
  const length = `${text.length} characters`
  if (/[\r\n]/.test(text)) return `${length} in several lines`
  if (/\s/.test(text)) return `${length} with a blank`
  if (hasInvisible(text)) return `${length} with an invisible one`
  if (/[^\x21-\x7e]/.test(text)) return `${length} with one that is not ASCII`
  if (name === 'public_key' && text.includes(':'))
    return `${length} with a ":": both keys in one go into api_key`
  if (name === 'api_key' && !text.includes(':'))
    return `${length} without a ":": a key alone goes into public_key or secret_key`
  if (name === 'api_key') return `${length} with nothing on one side of the ":"`
  return length
}

/** Upper limit for a text that is shown completely, in characters. */
const longestShown = 100
/** Characters that are shown of a longer text. */
const shownOfLonger = 40

function describeText(text: string): string {
  if (text.length <= longestShown) return JSON.stringify(withoutUserInfo(text))
  return `${text.length} characters that start with ${JSON.stringify(withoutUserInfo(text).slice(0, shownOfLonger))}`
}

/**
 * The problem with an input: its name, the expected value, and the given one. Describes a secret without showing it.
 * @param got a description of a wrong secret, instead of the general one
 */
export function inputProblem(
  name: string,
  expected: string,
  text: string | undefined,
  isSecret = false,
  got?: string,
): string {
  const start = `${name}: expected ${expected}, got`
  if (text === undefined) return `${start} nothing`
  const mistake = mistakes.find(([pattern]) => pattern.test(text))?.[1]
  if (isSecret) {
    const described = got ?? describeSecret(name, text)
    return `${start} ${mistake === undefined ? described : mistake.replace(/^in /, 'a value in ')}`
  }
  const shown = describeText(text)
  return `${start} ${mistake ? `${shown}, ${mistake}` : shown}`
}
