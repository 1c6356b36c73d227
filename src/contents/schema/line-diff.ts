/** Compares two texts line by line. */

/** Comparing longer texts line by line would take too long. */
const mostComparisons = 1_000_000

type Change = { sign: '-' | '+'; line: string }

const all = (sign: '-' | '+', lines: string[]): Change[] => lines.map(line => ({ sign, line }))

/** For each pair of positions, the number of lines that the remainders have in common. */
function commonLines(old: string[], now: string[]): number[][] {
  let below = new Array<number>(now.length + 1).fill(0)
  const rows = [below]
  for (const line of old.toReversed()) {
    const row = new Array<number>(now.length + 1).fill(0)
    for (let j = now.length - 1; j >= 0; j--)
      row[j] = line === now[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    rows.push(row)
    below = row
  }
  return rows.toReversed()
}

export function diffLines(before: string, after: string): Change[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  if (old.length * now.length > mostComparisons) return [...all('-', old), ...all('+', now)]
  const common = commonLines(old, now)
  const changes: Change[] = []
  let [i, j] = [0, 0]
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) [i, j] = [i + 1, j + 1]
    else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))
      changes.push({ sign: '-', line: old[i++] ?? '' })
    else changes.push({ sign: '+', line: now[j++] ?? '' })
  }
  return [...changes, ...all('-', old.slice(i)), ...all('+', now.slice(j))]
}
