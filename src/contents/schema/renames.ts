/** Recognizes texts that differ only by renamed objects. */

/** Quoted names, literals, words, spaces; every other character alone. */
const token = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}\p{N}_$]+|\s+|./gsu

const tokensOf = (text: string) => text.match(token) ?? []

/** The name of a function without its arguments; any other name unchanged. */
export const baseName = (name: string) => /^(?:"(?:[^"]|"")*"|[^(])*/.exec(name)?.[0].trimEnd() ?? name

/** True for texts that are equal, except for renamed objects. */
export type IsSame = (before: string | undefined, after: string | undefined) => boolean

/** @param pairs the names before and after: of matched objects, and of the schemas of moved objects */
export function ignoreRenames(pairs: [before: string, after: string][]): IsSame {
  const renamed = new Set(
    pairs.filter(([before, after]) => before !== after).map(pair => JSON.stringify(pair)),
  )
  return (before, after) => {
    if (before === after) return true
    if (before === undefined || after === undefined || renamed.size === 0) return false
    const [old, now] = [tokensOf(before), tokensOf(after)]
    return (
      old.length === now.length &&
      old.every((word, index) => word === now[index] || renamed.has(JSON.stringify([word, now[index]])))
    )
  }
}
