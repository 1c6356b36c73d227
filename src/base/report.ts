/** A report in neutral blocks. Features build it; the step summary and the comment render it, each with its own escapes. */

/** A piece of a line. A plain text may hold anything: the renderer escapes it. */
export type Span =
  | string
  /** Part of a program, a name or an identifier. */
  | { code: string }
  | { strong: string | readonly Span[] }
  /** An address with its name. Of an address with unusual characters the renderer shows the name alone. */
  | { link: string; name: string }

export type Line = Span | readonly Span[]

export type Block =
  | { kind: 'heading'; line: Line }
  | { kind: 'line'; line: Line }
  | { kind: 'list'; items: readonly Line[] }
  /** `total`: how many rows there are where `rows` holds only the first of them. */
  | { kind: 'table'; columns: readonly Line[]; rows: readonly Line[][]; noun: string; total: number }
  | { kind: 'code'; language: string; lines: readonly string[] }
  /** Shown on request; shortened first where a report is too long. */
  | { kind: 'details'; title: string; blocks: readonly Block[] }

export const heading = (...line: Span[]): Block => ({ kind: 'heading', line })
export const line = (...line: Span[]): Block => ({ kind: 'line', line })
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

/** Pieces of a line that are left out where they are missing, with a separator between the others. */
export function joined(
  pieces: readonly (Line | undefined | false | '')[],
  separator: string,
): readonly Span[] {
  const present = pieces.flatMap(piece => (piece ? [[piece].flat()] : []))
  return present.flatMap((piece, index) => [...(index > 0 ? [separator] : []), ...piece])
}

const isEmptyLine = (of: Line) => [of].flat().every(span => span === '')

/** Whether a block would show nothing. */
export function isEmpty(block: Block): boolean {
  switch (block.kind) {
    case 'heading':
    case 'line':
      return isEmptyLine(block.line)
    case 'list':
      return block.items.length === 0
    case 'table':
      return block.rows.length === 0
    case 'code':
      return block.lines.length === 0
    case 'details':
      return block.blocks.every(isEmpty)
  }
}
