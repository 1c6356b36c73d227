import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { SyntaxKind } from 'typescript/unstable/ast'
import { createScanner, type Scanner } from 'typescript/unstable/ast/scanner'

/** A regular expression literal of the source. */
export interface FoundExpression {
  /** Relative to the root of the repository. */
  file: string
  line: number
  expression: RegExp
}

/** What a slash behind divides; behind anything else it begins a regular expression. */
const operandEnds = new Set<SyntaxKind>([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
])

interface Token {
  kind: SyntaxKind
  text: string
  start: number
}

/** Templates hold code in braces: what closes one of them is no brace, but the next part of the template. */
class Templates {
  readonly #braces: number[] = []

  read(kind: SyntaxKind, scanner: Scanner): SyntaxKind {
    const top = this.#braces.length - 1
    if (kind === SyntaxKind.TemplateHead) this.#braces.push(0)
    else if (kind === SyntaxKind.OpenBraceToken && top >= 0) this.#braces[top] = (this.#braces[top] ?? 0) + 1
    else if (kind === SyntaxKind.CloseBraceToken && top >= 0) return this.#close(top, scanner)
    return kind
  }

  #close(top: number, scanner: Scanner): SyntaxKind {
    const open = this.#braces[top] ?? 0
    this.#braces[top] = open - 1
    if (open > 0) return SyntaxKind.CloseBraceToken
    const part = scanner.reScanTemplateToken(false)
    if (part === SyntaxKind.TemplateTail) this.#braces.pop()
    else this.#braces[top] = 0
    return part
  }
}

function* tokensOf(source: string): Generator<Token> {
  const scanner = createScanner(true)
  scanner.setText(source)
  const templates = new Templates()
  let before: SyntaxKind = SyntaxKind.Unknown
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    const slash = kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken
    kind = slash && !operandEnds.has(before) ? scanner.reScanSlashToken() : templates.read(kind, scanner)
    yield { kind, text: scanner.getTokenText(), start: scanner.getTokenStart() }
    before = kind
  }
}

function parseLiteral(literal: string): RegExp {
  const end = literal.lastIndexOf('/')
  return new RegExp(literal.slice(1, end), literal.slice(end + 1))
}

/** All regular expression literals of a source text. */
export function findExpressions(file: string, source: string): FoundExpression[] {
  return [...tokensOf(source)]
    .filter(({ kind }) => kind === SyntaxKind.RegularExpressionLiteral)
    .map(({ text, start }) => ({
      file,
      line: source.slice(0, start).split('\n').length,
      expression: parseLiteral(text),
    }))
}

const root = join(import.meta.dirname, '../..')

/** The sources that one of them imports, directly or not, itself included. */
function readSources(entry: string, sources = new Map<string, string>()): Map<string, string> {
  if (sources.has(entry)) return sources
  const source = readFileSync(entry, 'utf8')
  sources.set(entry, source)
  const imported = [...tokensOf(source)].filter(
    ({ kind, text }) => kind === SyntaxKind.StringLiteral && /^'\.\.?\/.*\.ts'$/.test(text),
  )
  for (const { text } of imported) readSources(join(dirname(entry), text.slice(1, -1)), sources)
  return sources
}

/** All regular expression literals of the sources that go into dist. */
export function findBundledExpressions(): FoundExpression[] {
  const sources = readSources(join(root, 'src/index.ts'))
  return [...sources].flatMap(([file, source]) => findExpressions(relative(root, file), source))
}
