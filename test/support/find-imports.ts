/** Finds the imports of a source file. */
import type { ESTree } from 'rolldown/utils'
import { lineAt, type ParsedSource, parseSource, visit } from './parse-source.ts'

/** A place where a source imports a module, its values or only its types. */
export interface FoundImport {
  /** As written: `./file.ts`, `node:fs`, `zod/mini`. Undefined if it is computed while the program runs. */
  specifier: string | undefined
  line: number
}

/** Whether a call loads a module by its name. */
function loadsModule({ callee }: ESTree.CallExpression): boolean {
  if (callee.type === 'Identifier') return callee.name === 'require'
  if (callee.type !== 'MemberExpression') return false
  return callee.property.type === 'Identifier' && callee.property.name === 'getBuiltinModule'
}

/** Finds an import within an expression or a type. */
const inside = /\bimport\s*[(/]|\brequire\b|\bgetBuiltinModule\b/

/**
 * The imports of a source whose statements have them all; undefined otherwise. The parser lists statements apart from the
 * syntax tree, whose transfer takes most of the time.
 */
function findInStatements(source: string, { module }: ParsedSource): FoundImport[] | undefined {
  const { staticImports, staticExports } = module
  // `export {} from 'x'` has no entry.
  if (inside.test(source) || staticExports.some(({ entries }) => entries.length === 0)) return undefined
  const exported = staticExports.map(({ start, entries }) => ({ start, from: entries[0]?.moduleRequest }))
  const imported = staticImports.map(({ start, moduleRequest }) => ({ start, from: moduleRequest }))
  return [...imported, ...exported]
    .toSorted((one, other) => one.start - other.start)
    .flatMap(({ start, from }) => (from ? [{ specifier: from.value, line: lineAt(source, start) }] : []))
}

function findInTree(source: string, parsed: ParsedSource): FoundImport[] {
  const found: FoundImport[] = []
  const note = ({ start }: ESTree.Span, named: ESTree.Node | null | undefined) => {
    const isText = named?.type === 'Literal' && typeof named.value === 'string'
    found.push({ specifier: isText ? String(named.value) : undefined, line: lineAt(source, start) })
  }
  visit(parsed, {
    ImportDeclaration: node => note(node, node.source),
    ExportAllDeclaration: node => note(node, node.source),
    ExportNamedDeclaration: node => node.source && note(node, node.source),
    ImportExpression: node => note(node, node.source),
    TSImportType: node => note(node, node.source),
    TSExternalModuleReference: node => note(node, node.expression),
    CallExpression: node => loadsModule(node) && note(node, node.arguments[0]),
  })
  return found
}

/**
 * Finds all imports of a source: by `import`, `export … from`, `import()`, `import('…')` within a type, `require()` and
 * `process.getBuiltinModule()`.
 */
export function findImports(source: string): FoundImport[] {
  const parsed = parseSource(source)
  return findInStatements(source, parsed) ?? findInTree(source, parsed)
}
