/** Renders a table of a report as lines of the log. */
import type { Line, Span, Table } from './report.ts'

const mostRows = 20
/** Upper limit for the width of a column, in characters. A longer text is not cut, but the columns after it shift. */
const widest = 40

function plainText(line: Line): string {
  return [line]
    .flat()
    .map((span: Span) => {
      if (typeof span === 'string') return span
      if ('code' in span) return span.code
      if ('advice' in span) return ` → ${plainText(span.advice)}`
      if ('link' in span) return span.name
      return plainText(span.strong)
    })
    .join('')
}

/** The first rows of a table, in aligned columns. */
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
  const omitted = total - mostRows
  if (omitted <= 0) return lines
  const where = total === rows.length ? ': the output result contains all' : ''
  return [...lines, `… and ${omitted} more ${noun}${where}`]
}
