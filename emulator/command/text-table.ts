/** Rows below their heads, each column as wide as its longest cell. */
export function renderTable(
  heads: readonly string[],
  rows: readonly (readonly (string | undefined)[])[],
): string {
  // Names come from callers: control characters in them must not reach the terminal.
  const all = [heads, ...rows].map(row => row.map((cell = '-') => cell.replaceAll(/\p{C}/gu, '?')))
  const widths = heads.map((_, column) => Math.max(...all.map(row => [...(row[column] ?? '')].length)))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)).join('  ')
  return all.map(row => `  ${line(row).trimEnd()}\n`).join('')
}
