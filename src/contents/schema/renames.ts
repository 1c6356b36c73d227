/** Recognizes texts that differ only by renamed objects. */

/** Quoted names, literals, words, spaces; every other character alone. */
const token = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}\p{N}_$]+|\s+|./gsu

const tokensOf = (text: string) => text.match(token) ?? []

export const baseName = (name: string) => /^(?:"(?:[^"]|"")*"|[^(])*/.exec(name)?.[0].trimEnd() ?? name

/** @param pairs the names of objects before and after, and of the schemas to which objects moved */
export function createRenames(pairs: [before: string, after: string][]) {
  const renamed = new Set(pairs.flatMap(pair => (pair[0] === pair[1] ? [] : JSON.stringify(pair))))
  return {
    isSame(before: string | undefined, after: string | undefined): boolean {
      if (before === after) return true
      if (before === undefined || after === undefined || renamed.size === 0) return false
      const [old, now] = [tokensOf(before), tokensOf(after)]
      return (
        old.length === now.length &&
        old.every((one, index) => one === now[index] || renamed.has(JSON.stringify([one, now[index]])))
      )
    },
  }
}

export type Renames = ReturnType<typeof createRenames>
