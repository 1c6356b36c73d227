/** Recognizes definitions that differ only by the new names of renamed objects. */
import type { Match } from './match-objects.ts'

/** Quoted names, literals, words, spaces; every other character alone. */
const token = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}\p{N}_$]+|\s+|./gsu

const tokensOf = (text: string) => text.match(token) ?? []

export const baseName = (name: string) => /^(?:"(?:[^"]|"")*"|[^(])*/.exec(name)?.[0].trimEnd() ?? name

/** The renamed objects, and the schemas to which objects moved. */
export class Renames {
  readonly #pairs = new Set<string>()

  add(before: string, after: string): void {
    if (before !== after) this.#pairs.add(JSON.stringify([before, after]))
  }

  addAll(matches: Match[]): void {
    for (const { before, after } of matches)
      if (before && after && before.name !== after.name) this.add(baseName(before.name), baseName(after.name))
  }

  isSame(before: string | undefined, after: string | undefined): boolean {
    if (before === after) return true
    if (before === undefined || after === undefined || this.#pairs.size === 0) return false
    const [old, now] = [tokensOf(before), tokensOf(after)]
    return (
      old.length === now.length &&
      old.every((one, index) => one === now[index] || this.#pairs.has(JSON.stringify([one, now[index]])))
    )
  }
}
