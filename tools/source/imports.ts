import { SyntaxKind } from 'typescript/unstable/ast'
import { lineAt, type Token, tokensOf } from './tokens.ts'

/** A place where a source imports a module, its values or only its types. */
export interface FoundImport {
  /** As written: `./file.ts`, `node:fs`, `zod/mini`. Undefined if it is computed while the program runs. */
  specifier: string | undefined
  line: number
}

/**
 * All that a source imports: by `import`, `export … from`, `import()`, `import('…')` within a type, `require()` and
 * `process.getBuiltinModule()`. Comments and texts that look like an import do not count.
 */
export function findImports(source: string): FoundImport[] {
  const tokens = [...tokensOf(source)]
  return tokens.flatMap((token, index) => {
    const specifier = readSpecifier(tokens, index)
    if (specifier === 'none') return []
    const text = specifier?.kind === SyntaxKind.StringLiteral ? specifier.text.slice(1, -1) : undefined
    return [{ specifier: text, line: lineAt(source, token.start) }]
  })
}

/** Functions that give a module by its name. */
const givers = new Set(['require', 'getBuiltinModule'])

/** The token that names the module imported at `index`; `none` where nothing is imported there. */
function readSpecifier(tokens: Token[], index: number): Token | undefined | 'none' {
  const [keyword, next, afterNext] = tokens.slice(index, index + 3)
  if (keyword?.kind === SyntaxKind.ImportKeyword) {
    if (next?.kind === SyntaxKind.OpenParenToken) return afterNext
    if (next?.kind === SyntaxKind.StringLiteral) return next
    return readClause(tokens, index + 1)
  }
  if (givers.has(keyword?.text ?? '') && next?.kind === SyntaxKind.OpenParenToken) return afterNext
  if (keyword?.kind !== SyntaxKind.ExportKeyword) return 'none'
  const names = next?.kind === SyntaxKind.TypeKeyword ? afterNext : next
  const isList = names?.kind === SyntaxKind.OpenBraceToken || names?.kind === SyntaxKind.AsteriskToken
  return isList ? readClause(tokens, index + 1) : 'none'
}

/** What may stand between `import` or `export` and `from`. */
const clauseKinds = new Set<SyntaxKind>([
  SyntaxKind.OpenBraceToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.CommaToken,
  SyntaxKind.AsteriskToken,
  SyntaxKind.StringLiteral,
])

/** The module after `from`; `none` for an `export { … }` of the file's own names. */
function readClause(tokens: Token[], start: number): Token | 'none' {
  for (let index = start; ; index++) {
    const [token, next] = tokens.slice(index, index + 2)
    if (token === undefined) return 'none'
    if (token.text === 'from' && next?.kind === SyntaxKind.StringLiteral) return next
    if (!clauseKinds.has(token.kind) && !/^\w+$/.test(token.text)) return 'none'
    // A list of the file's own names ends here.
    if (token.kind === SyntaxKind.CloseBraceToken && next?.text !== 'from' && next?.text !== ',')
      return 'none'
  }
}
