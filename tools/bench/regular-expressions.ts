import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { SyntaxKind } from 'typescript/unstable/ast'
import { findImports } from '../source/imports.ts'
import { lineAt, tokensOf } from '../source/tokens.ts'

/** A regular expression literal of the source. */
export interface FoundExpression {
  /** Relative to the root of the repository. */
  file: string
  line: number
  expression: RegExp
}

function parseLiteral(literal: string): RegExp {
  const end = literal.lastIndexOf('/')
  return new RegExp(literal.slice(1, end), literal.slice(end + 1))
}

/** All regular expression literals of a source text. */
export function findExpressions(file: string, source: string): FoundExpression[] {
  return [...tokensOf(source)]
    .filter(({ kind }) => kind === SyntaxKind.RegularExpressionLiteral)
    .map(({ text, start }) => ({ file, line: lineAt(source, start), expression: parseLiteral(text) }))
}

const root = join(import.meta.dirname, '../..')

/** The sources that one of them imports, directly or not, itself included. */
function readSources(entry: string, sources = new Map<string, string>()): Map<string, string> {
  if (sources.has(entry)) return sources
  const source = readFileSync(entry, 'utf8')
  sources.set(entry, source)
  for (const { specifier } of findImports(source)) {
    if (specifier?.startsWith('.')) readSources(join(dirname(entry), specifier), sources)
  }
  return sources
}

/** All regular expression literals of the sources that go into dist. */
export function findBundledExpressions(): FoundExpression[] {
  const sources = readSources(join(root, 'src/index.ts'))
  return [...sources].flatMap(([file, source]) => findExpressions(relative(root, file), source))
}
