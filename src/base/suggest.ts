/** Suggests the names that a mistyped word may stand for. */

/** Edit distance with insertion, deletion, replacement and swap of neighbours (Damerau, 1964). */
export function editDistance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    rows[row] = current
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const swap = swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
      const edits = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
        swap,
      )
      current[column] = edits
    }
  }
  return at(one.length, other.length)
}

const wordsOf = (name: string) => name.toLowerCase().split(/[-_\s]+/)

const sorted = (name: string) => wordsOf(name).sort().join('-')

/** Characters. The longest name has less than a third of that. */
const longest = 100

/** The name nearest to a typed one, ignoring letter case, the order of words, and `-` or `_`. */
function findNearest(typed: string, names: string[]): { name: string; distance: number } | undefined {
  const distance = (name: string) =>
    Math.min(editDistance(typed.toLowerCase(), name), editDistance(sorted(typed), sorted(name)))
  const all = names.map(name => ({ name, distance: distance(name) }))
  return all.sort((one, other) => one.distance - other.distance)[0]
}

/** A shorter beginning of a word fits too many words. */
const shortestBeginning = 3

const fits = (word: string, typed: string) =>
  word === typed || (typed.length >= shortestBeginning && word.startsWith(typed))

/** The names that have every typed word as one of theirs, or as its beginning: `fork` is in `fork-service`. */
function findByWords(typed: string, names: string[]): string[] {
  const asked = wordsOf(typed).filter(word => word !== '')
  if (asked.length === 0) return []
  return names.filter(name => asked.every(word => wordsOf(name).some(own => fits(own, word))))
}

/**
 * The names that a name which does not exist may stand for: one that differs by a single edit and those that hold its
 * words, or else the nearest one. Empty if there is none.
 */
export function suggest(typed: string, names: Iterable<string>): string[] {
  // No name is that long, and the distance to a whole pasted file would take minutes.
  if (typed.length > longest) return []
  const known = [...names]
  const { name, distance } = findNearest(typed, known) ?? {}
  if (name === undefined || distance === undefined) return []
  if (distance === 0) return [name]
  const likely = new Set([...(distance === 1 ? [name] : []), ...findByWords(typed, known)])
  if (likely.size > 0) return [...likely]
  const most = typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length / 3))
  return distance <= most ? [name] : []
}

/** How many names a question has at most. */
const mostNamed = 8

/** The end of a clause: ` (did you mean stop-service or start-service?)`. Empty if nothing is like what was typed. */
export function askWhetherMeant(typed: string, names: Iterable<string>): string {
  const meant = suggest(typed, names).slice(0, mostNamed)
  const last = meant.pop()
  if (last === undefined) return ''
  return ` (did you mean ${meant.length > 0 ? `${meant.join(', ')} or ${last}` : last}?)`
}
