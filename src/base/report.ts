/** A report in neutral blocks, which the log, the step summary and the comment render with their own escapes. */

/** A part of a line. Plain text may contain any character: the renderer escapes it. */
export type Span =
  | string
  | { code: string }
  | { strong: string | readonly Span[] }
  /** A named link. If the address has unusual characters, the renderer shows only the name. */
  | { link: string; name: string }
  /** An instruction, after a line break. */
  | { advice: string | readonly Span[] }

export type Line = Span | readonly Span[]

export type Block =
  | { kind: 'heading'; line: Line }
  | { kind: 'line'; line: Line }
  /** In small print. */
  | { kind: 'small'; line: Line }
  | { kind: 'list'; items: readonly Line[] }
  /** `total`: number of all rows, if `rows` contains only the first of them. */
  | { kind: 'table'; columns: readonly Line[]; rows: readonly Line[][]; noun: string; total: number }
  | { kind: 'code'; language: string; lines: readonly string[] }
  /** Collapsed; shortened first if a report is too long. */
  | { kind: 'details'; title: string; blocks: readonly Block[] }

export const heading = (...line: Span[]): Block => ({ kind: 'heading', line })
export const line = (...line: Span[]): Block => ({ kind: 'line', line })
export const small = (line: readonly Span[]): Block => ({ kind: 'small', line })
export const list = (items: readonly Line[]): Block => ({ kind: 'list', items })
export const code = (language: string, text: string): Block => ({
  kind: 'code',
  language,
  lines: text === '' ? [] : text.split('\n'),
})
export const details = (title: string, ...blocks: Block[]): Block => ({ kind: 'details', title, blocks })

export const table = (
  columns: readonly Line[],
  rows: readonly Line[][],
  { noun = 'rows', total = rows.length }: { noun?: string; total?: number } = {},
): Table => ({ kind: 'table', columns, rows, noun, total })

export type Table = Extract<Block, { kind: 'table' }>

/** Joins the present parts of a line with a separator. */
export function joinPieces(
  pieces: readonly (Line | undefined | false | '')[],
  separator: string,
): readonly Span[] {
  const present = pieces.filter((piece): piece is Line => Boolean(piece))
  return present.flatMap((piece, index) => (index === 0 ? [piece].flat() : [separator, ...[piece].flat()]))
}

/** A text with its parts in backticks as code. */
export const withCode = (text: string): Span[] =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? { code: part } : part))

export function isEmpty(block: Block): boolean {
  if ('line' in block) return [block.line].flat().every(span => span === '')
  if ('items' in block) return block.items.length === 0
  if ('rows' in block) return block.rows.length === 0
  if ('lines' in block) return block.lines.length === 0
  return block.blocks.every(isEmpty)
}
