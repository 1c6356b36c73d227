import { SyntaxKind } from 'typescript/unstable/ast'
import { createScanner, type Scanner } from 'typescript/unstable/ast/scanner'

/** One of the smallest parts of a TypeScript source: a word, a punctuation mark or a literal, but never a comment. */
export interface Token {
  kind: SyntaxKind
  text: string
  /** Where it starts in the source, in characters. */
  start: number
}

/** After one of these a slash divides; after anything else it starts a regular expression. */
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

/**
 * Follows templates such as `a${b}c`. The brace that closes the code within one is not a brace of the code: it
 * starts the next part of the template, and the scanner must be told so.
 */
class Templates {
  /** For each template that is open: how many braces are open in the code within it. */
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

/** The tokens of a TypeScript source, in order. */
export function* tokensOf(source: string): Generator<Token> {
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

/** What stands between two tokens and holds a comment, or several in a row. */
export interface CommentBlock {
  text: string
  start: number
}

/** The comments of a TypeScript source, in order. */
export function* commentsOf(source: string): Generator<CommentBlock> {
  let end = 0
  for (const { start, text } of [...tokensOf(source), { start: source.length, text: '' }]) {
    const between = source.slice(end, start)
    if (/\/[/*]/.test(between)) yield { text: between, start: end }
    end = start + text.length
  }
}

/** The line, from 1, on which a character of the source stands. */
export function lineAt(source: string, start: number): number {
  return source.slice(0, start).split('\n').length
}
