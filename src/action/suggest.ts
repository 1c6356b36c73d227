/** Edit distance with insertion, deletion, replacement and swap of neighbours (Damerau, 1964). */
export function editDistance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= one.length; row++) {
    rows[row] = [row]
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
      ;(rows[row] as number[])[column] = edits
    }
  }
  return at(one.length, other.length)
}

const words = (name: string) =>
  name
    .toLowerCase()
    .split(/[-_\s]+/)
    .sort()
    .join('-')

/** More than three times as many characters as any name has. */
const longest = 100

/** The name nearest to what was typed, ignoring letter case, the order of words, and `-` or `_`. */
export function suggest(typed: string, names: Iterable<string>): string | undefined {
  // No name is that long, and the distance to a whole pasted file would take minutes.
  if (typed.length > longest) return undefined
  const tooFar = Math.max(2, Math.floor(typed.length / 3)) + 1
  const distance = (name: string) =>
    Math.min(editDistance(typed.toLowerCase(), name), editDistance(words(typed), words(name)))
  const nearest = [...names]
    .map(name => ({ name, distance: distance(name) }))
    .sort((one, other) => one.distance - other.distance)[0]
  return nearest && nearest.distance < tooFar ? nearest.name : undefined
}
