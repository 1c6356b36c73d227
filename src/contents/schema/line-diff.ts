/** Compares two texts line by line. */

/** Comparing longer texts line by line would take too long. */
const mostComparisons = 1_000_000

type Change = { sign: '-' | '+'; line: string }

const markAll = (sign: '-' | '+', lines: string[]): Change[] => lines.map(line => ({ sign, line }))

/** For each pair of positions, the length of the longest common subsequence of the remaining lines. */
function countCommonLines(old: string[], now: string[]): number[][] {
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

/** The lines to remove and to add, in order. Common lines are omitted. */
export function diffLines(before: string, after: string): Change[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  if (old.length * now.length > mostComparisons) return [...markAll('-', old), ...markAll('+', now)]
  const common = countCommonLines(old, now)
  const changes: Change[] = []
  let i = 0
  let j = 0
  while (i < old.length && j < now.length) {
    const [oldLine = '', newLine = ''] = [old[i], now[j]]
    const commonIfRemoved = common[i + 1]?.[j] ?? 0
    const commonIfAdded = common[i]?.[j + 1] ?? 0
    if (oldLine === newLine) {
      i++
      j++
    } else if (commonIfRemoved >= commonIfAdded) {
      changes.push({ sign: '-', line: oldLine })
      i++
    } else {
      changes.push({ sign: '+', line: newLine })
      j++
    }
  }
  return [...changes, ...markAll('-', old.slice(i)), ...markAll('+', now.slice(j))]
}
