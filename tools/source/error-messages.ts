import { SyntaxKind } from 'typescript/unstable/ast'
import { lineAt, type Token, tokensOf } from './tokens.ts'

/** Texts of sources by their paths. */
type Sources = ReadonlyMap<string, string>

/** A place in the sources that makes an error for people, and the longest text of it that never changes. */
export interface FoundMessage {
  file: string
  line: number
  /** Undefined if its words all come from elsewhere. */
  fragment: string | undefined
}

/** A shorter text would be found by chance. */
const shortest = 8

/** Without the quotes or the marks of a template around it. */
const textOf = (token: Token) => token.text.replace(/^[`'"}]|(?:\$\{|[`'"])$/g, '')

const literals = new Set<SyntaxKind>([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
])

const opening = new Set<SyntaxKind>([
  SyntaxKind.OpenParenToken,
  SyntaxKind.OpenBraceToken,
  SyntaxKind.OpenBracketToken,
  SyntaxKind.TemplateHead,
])
const closing = new Set<SyntaxKind>([
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.TemplateTail,
])

/** The arguments of a call, from the index of its opening bracket. */
function argumentsAt(tokens: Token[], start: number): Token[][] {
  const found: Token[][] = [[]]
  let depth = 0
  for (const token of tokens.slice(start)) {
    if (opening.has(token.kind)) depth++
    if (closing.has(token.kind)) depth--
    if (depth === 0) break
    if (depth === 1 && token.kind === SyntaxKind.CommaToken) found.push([])
    else found.at(-1)?.push(token)
  }
  return found
}

/** The longest text in some tokens. */
function longestText(tokens: Token[]): string | undefined {
  const texts = tokens
    .filter(({ kind }) => literals.has(kind))
    .map(token => textOf(token).replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))
  const [longest = ''] = texts.sort((one, other) => other.length - one.length)
  return longest.length < shortest ? undefined : longest
}

/** Classes that extend the given one, by any number of steps. */
function heirsOf(root: string, sources: Sources): Set<string> {
  const pairs = [...sources.values()].flatMap(text => [...text.matchAll(/class (\w+) extends (\w+)/g)])
  const family = new Set([root])
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const [, heir = '', parent = ''] of pairs) if (family.has(parent)) family.add(heir)
  }
  return family
}

/** Classes that word their messages themselves, by a `super(…)` with a text in it. */
function wordingClasses(sources: Sources, family: Set<string>): Set<string> {
  const wording = new Set<string>()
  for (const text of sources.values())
    for (const [, name = '', body = ''] of text.matchAll(/class (\w+) extends \w+ \{\n([\s\S]*?)\n\}/g))
      if (family.has(name) && /super\(\s*[^,)]*['`]|super\(count/.test(body)) wording.add(name)
  return wording
}

/** Methods that make such an error from a message that they are given. */
const makers = new Set(['#failed'])

/** All places that make an error that people read: `new ActionError(…)`, and `super(…)` in the classes above it. */
export function findMessages(sources: Sources): FoundMessage[] {
  const family = heirsOf('ActionError', sources)
  const wording = wordingClasses(sources, family)
  return [...sources].flatMap(([file, text]) => {
    const tokens = [...tokensOf(text)]
    let inside = ''
    return tokens.flatMap((token, index) => {
      const [next, bracket] = tokens.slice(index + 1, index + 3)
      if (token.kind === SyntaxKind.ClassKeyword) inside = next?.text ?? ''
      const isSuper = token.kind === SyntaxKind.SuperKeyword && wording.has(inside)
      const isNew =
        token.kind === SyntaxKind.NewKeyword &&
        bracket?.kind === SyntaxKind.OpenParenToken &&
        family.has(next?.text ?? '') &&
        !wording.has(next?.text ?? '')
      const isMaker = makers.has(token.text) && tokens[index - 1]?.text === '.'
      if (!isSuper && !isNew && !isMaker) return []
      const given = argumentsAt(tokens, index + (isNew ? 2 : 1))
      const fragment = longestText(given[0] ?? []) ?? longestText(given.flat())
      return [{ file, line: lineAt(text, token.start), fragment }]
    })
  })
}
