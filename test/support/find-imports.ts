/** Finds the imports of a source file. */
import type { ESTree } from 'rolldown/utils'
import { lineAt, visitSource } from './parse-source.ts'

/** A place where a source imports a module, its values or only its types. */
export interface FoundImport {
  /** As written: `./file.ts`, `node:fs`, `zod/mini`. Undefined if it is computed while the program runs. */
  specifier: string | undefined
  line: number
}

/** Whether a call gives a module by its name. */
function givesModule({ callee }: ESTree.CallExpression): boolean {
  if (callee.type === 'Identifier') return callee.name === 'require'
  if (callee.type !== 'MemberExpression') return false
  return callee.property.type === 'Identifier' && callee.property.name === 'getBuiltinModule'
}

/**
 * All that a source imports: by `import`, `export … from`, `import()`, `import('…')` within a type, `require()` and
 * `process.getBuiltinModule()`.
 */
export function findImports(source: string): FoundImport[] {
  const found: FoundImport[] = []
  const note = ({ start }: ESTree.Span, named: ESTree.Node | null | undefined) => {
    const isText = named?.type === 'Literal' && typeof named.value === 'string'
    found.push({ specifier: isText ? String(named.value) : undefined, line: lineAt(source, start) })
  }
  visitSource(source, {
    ImportDeclaration: node => note(node, node.source),
    ExportAllDeclaration: node => note(node, node.source),
    ExportNamedDeclaration: node => node.source && note(node, node.source),
    ImportExpression: node => note(node, node.source),
    TSImportType: node => note(node, node.source),
    TSExternalModuleReference: node => note(node, node.expression),
    CallExpression: node => givesModule(node) && note(node, node.arguments[0]),
  })
  return found
}
