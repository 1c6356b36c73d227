import { parseSync, Visitor, type VisitorObject } from 'rolldown/utils'

/** The line, from 1, on which a character of the source stands. */
export function lineAt(source: string, start: number): number {
  return source.slice(0, start).split('\n').length
}

function parse(source: string) {
  const parsed = parseSync('source.ts', source)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`a source cannot be parsed: ${error.message}`)
  return parsed
}

/** Calls the visitor for the nodes of a TypeScript source, each before those within it. */
export function visitSource(source: string, visitor: VisitorObject): void {
  new Visitor(visitor).visit(parse(source).program)
}

/** A comment, or several with nothing between them. */
export interface CommentBlock {
  text: string
  start: number
}

/** The comments of a TypeScript source, in order. */
export function commentsOf(source: string): CommentBlock[] {
  const blocks: { start: number; end: number }[] = []
  for (const { start, end } of parse(source).comments) {
    const last = blocks.at(-1)
    if (last !== undefined && source.slice(last.end, start).trim() === '') last.end = end
    else blocks.push({ start, end })
  }
  return blocks.map(({ start, end }) => ({ text: source.slice(start, end), start }))
}
