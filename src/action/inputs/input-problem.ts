/** Explains a wrong input. */
import { hasInvisible } from '../secrets/plain-text.ts'

/** A key in an address is a secret too. */
const withoutUserInfo = (text: string) => text.replace(/^([^:]*:\/*)(?!\/).*@/s, '$1***@')

const filledIn = `\${{ … }}`

/** Mistakes that any input may have, each as the end of a sentence. */
const mistakes: [mark: RegExp, words: string][] = [
  // The runner evaluates expressions. One that arrives here has a wrong form, or is not from a workflow.
  [/\{\{/, `an expression that GitHub did not evaluate: write ${filledIn}`],
  [/\$\{\s*\w+\.[^{}]*\}/, `an expression with one brace, which GitHub does not evaluate: write ${filledIn}`],
  [/^\$\{?\w+\}?$/, `a shell variable, which GitHub does not expand: write ${filledIn}`],
  [/^(["'`]).*\1$/s, 'in quotes, which become part of the value: remove them'],
]

/** Describes a wrong secret without showing any of it. */
function describeSecret(name: string, text: string): string {
  const came = `${text.length} characters`
  if (/[\r\n]/.test(text)) return `${came} in several lines`
  if (/\s/.test(text)) return `${came} with a blank`
  if (hasInvisible(text)) return `${came} with an invisible one`
  if (/[^\x21-\x7e]/.test(text)) return `${came} with one that is not ASCII`
  if (name === 'public_key' && text.includes(':'))
    return `${came} with a ":": both keys in one go into api_key`
  if (name === 'api_key' && !text.includes(':'))
    return `${came} without a ":": a key alone goes into public_key or secret_key`
  if (name === 'api_key') return `${came} with nothing on one side of the ":"`
  return came
}

/** Upper limit for a shown text, and the shown part of a longer one, in characters. */
const mostShown = 100
const shownOfLonger = 40

function describeText(text: string): string {
  if (text.length <= mostShown) return JSON.stringify(withoutUserInfo(text))
  return `${text.length} characters that start with ${JSON.stringify(withoutUserInfo(text).slice(0, shownOfLonger))}`
}

/** The problem with an input: its name, the expected value, and the given one. A secret is described, never shown. */
export function inputProblem(
  name: string,
  expected: string,
  text: string | undefined,
  isSecret = false,
  got?: string,
): string {
  const missed = `${name}: expected ${expected}, got`
  if (text === undefined) return `${missed} nothing`
  const mistake = mistakes.find(([mark]) => mark.test(text))?.[1]
  if (isSecret)
    return `${missed} ${mistake?.replace(/^in /, 'a value in ') ?? got ?? describeSecret(name, text)}`
  const shown = describeText(text)
  return `${missed} ${mistake ? `${shown}, ${mistake}` : shown}`
}
