/** Finds the regular expressions of the source and of the bundle. */
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { findImports } from './find-imports.ts'
import { lineAt, visitSource } from './parse-source.ts'

/** A regular expression literal of the source. */
export interface FoundExpression {
  /** Relative to the root of the repository. */
  file: string
  line: number
  expression: RegExp
}

const root = join(import.meta.dirname, '../..')

/** All regular expression literals of a source text. */
export function findExpressions(file: string, source: string): FoundExpression[] {
  const found: FoundExpression[] = []
  visitSource(source, {
    Literal(node) {
      if (!('regex' in node)) return
      const expression = new RegExp(node.regex.pattern, node.regex.flags)
      found.push({ file, line: lineAt(source, node.start), expression })
    },
  })
  return found
}

/** The sources that one of them imports, directly or not, itself included. */
function readSources(entry: string, sources = new Map<string, string>()): Map<string, string> {
  if (sources.has(entry)) return sources
  const source = readFileSync(entry, 'utf8')
  sources.set(entry, source)
  for (const { specifier } of findImports(source)) {
    if (specifier?.startsWith('.')) readSources(join(dirname(entry), specifier), sources)
    // An alias (package.json, `imports`).
    if (specifier?.startsWith('#')) readSources(join(root, `src/${specifier.slice(1)}.ts`), sources)
  }
  return sources
}

/** All regular expression literals of the sources that go into dist. */
export function findBundledExpressions(): FoundExpression[] {
  const sources = readSources(join(root, 'src/index.ts'))
  return [...sources].flatMap(([file, source]) => findExpressions(relative(root, file), source))
}
