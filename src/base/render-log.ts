/** Renders a table of a report as lines of the log. */
import type { Line, Span, Table } from './report.ts'

/** Upper limits for the rows in the log, and for the width of a column that is padded. */
const mostRows = 20
const widest = 40

function plainText(line: Line): string {
  const spans: readonly Span[] = typeof line === 'string' || !('map' in line) ? [line] : line
  return spans
    .map(span => {
      if (typeof span === 'string') return span
      if ('code' in span) return span.code
      if ('advice' in span) return ` → ${plainText(span.advice)}`
      return 'link' in span ? span.name : plainText(span.strong)
    })
    .join('')
}

/** The first rows, in aligned columns. The output `result` contains all rows. */
export function renderLogTable({ columns, rows, noun, total }: Table): string[] {
  if (rows.length === 0) return []
  const shown = [columns, ...rows.slice(0, mostRows)].map(row => row.map(plainText))
  const width = (column: number) => Math.min(widest, Math.max(...shown.map(row => row[column]?.length ?? 0)))
  const widths = columns.map((_, column) => width(column))
  const lines = shown.map(row =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const isAll = total === rows.length
  const more = total - mostRows
  return more > 0
    ? [...lines, `… and ${more} more ${noun}${isAll ? ': the output result contains all' : ''}`]
    : lines
}
