/** Suggests existing names for a mistyped one. */
import { messageOf } from './unknown-values.ts'

/** Edit distance with insertion, deletion, replacement and swap of neighbors (Damerau, 1964). */
export function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    rows[row] = current
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swap = isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
      const edits = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        swap,
      )
      current[column] = edits
    }
  }
  return at(from.length, to.length)
}

const wordsOf = (name: string) => name.toLowerCase().split(/[-_\s]+/)

const sorted = (name: string) => wordsOf(name).sort().join('-')

/** Upper limit for a mistyped name, in characters. The longest name of the action has less than a third of it. */
const longestTyped = 100

/** Finds the nearest name, ignoring letter case, the order of words, and `-` or `_`. */
function findNearest(typed: string, names: string[]): { name: string; distance: number } | undefined {
  const distance = (name: string) =>
    Math.min(editDistance(typed.toLowerCase(), name), editDistance(sorted(typed), sorted(name)))
  const all = names.map(name => ({ name, distance: distance(name) }))
  return all.sort((one, other) => one.distance - other.distance)[0]
}

/** A shorter prefix fits too many words. */
const shortestPrefix = 3

const matchesWord = (word: string, typed: string) =>
  word === typed || (typed.length >= shortestPrefix && word.startsWith(typed))

/** Finds the names that contain every typed word, complete or as a prefix: `fork` is in `fork-service`. */
function findByWords(typed: string, names: string[]): string[] {
  const typedWords = wordsOf(typed).filter(word => word !== '')
  if (typedWords.length === 0) return []
  return names.filter(name =>
    typedWords.every(typedWord => wordsOf(name).some(word => matchesWord(word, typedWord))),
  )
}

/** Names that differ by one edit or contain the typed words; otherwise the nearest name, if it is near enough. */
export function suggest(typed: string, names: Iterable<string>): string[] {
  // Computing the distance to a whole pasted file would take minutes.
  if (typed.length > longestTyped) return []
  const candidates = [...names]
  const { name, distance } = findNearest(typed, candidates) ?? {}
  if (name === undefined || distance === undefined) return []
  if (distance === 0) return [name]
  const likely = new Set([...(distance === 1 ? [name] : []), ...findByWords(typed, candidates)])
  if (likely.size > 0) return [...likely]
  const mostEdits = typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length / 3))
  return distance <= mostEdits ? [name] : []
}

/** Upper limit for suggestions in a message. */
const mostNamed = 8

/** A clause with suggestions: ` (did you mean stop-service or start-service?)`. Empty if no name is similar. */
export function suggestionClause(typed: string, names: Iterable<string>): string {
  const meant = suggest(typed, names).slice(0, mostNamed)
  const last = meant.pop()
  if (last === undefined) return ''
  return ` (did you mean ${meant.length > 0 ? `${meant.join(', ')} or ${last}` : last}?)`
}

/**
 * The problem that `parseArgs` found in the arguments, with a suggestion for a mistyped flag. Without the advice of Node.js
 * to pass the text as a positional argument.
 */
export function renderFlagProblem(failure: unknown, names: readonly string[]): string {
  const [problem = ''] = messageOf(failure).split('. ')
  const [, flag = ''] = /^Unknown option '(--[\w-]+)/.exec(problem) ?? []
  const flags = names.map(name => `--${name}`)
  return `${problem}${suggestionClause(flag, flags)}`
}
