/** Parses TypeScript sources and their comments. */
import { type ParseResult, parseSync, Visitor, type VisitorObject } from 'rolldown/utils'

export function lineAt(source: string, start: number): number {
  return source.slice(0, start).split('\n').length
}

export type ParsedSource = ParseResult

export function parseSource(source: string): ParsedSource {
  const parsed = parseSync('source.ts', source)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`a source cannot be parsed: ${error.message}`)
  return parsed
}

export function visit({ program }: ParsedSource, visitor: VisitorObject): void {
  new Visitor(visitor).visit(program)
}

export function visitSource(source: string, visitor: VisitorObject): void {
  visit(parseSource(source), visitor)
}

export interface CommentBlock {
  text: string
  start: number
}

export function commentsOf(source: string): CommentBlock[] {
  const blocks: { start: number; end: number }[] = []
  for (const { start, end } of parseSource(source).comments) {
    const last = blocks.at(-1)
    if (last !== undefined && source.slice(last.end, start).trim() === '') last.end = end
    else blocks.push({ start, end })
  }
  return blocks.map(({ start, end }) => ({ text: source.slice(start, end), start }))
}
