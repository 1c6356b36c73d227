/** Tests the search for imports. */
import { expect, test } from 'vitest'
import { findImports } from './find-imports.ts'

const specifiers = (source: string) => findImports(source).map(({ specifier }) => specifier)

test.each<[source: string, expected: (string | undefined)[]]>([
  [`import a from 'x'`, ['x']],
  [`import a, { b as c, type D } from "x"`, ['x']],
  [`import * as a from 'x'; import type { B } from './b.ts'`, ['x', './b.ts']],
  [`import 'x'`, ['x']],
  [`import {\n  a,\n  b,\n} from 'x'`, ['x']],
  [`import data from './a.json' with { type: 'json' }`, ['./a.json']],
  [`export * from 'x'; export * as a from 'y'`, ['x', 'y']],
  [`export { a } from 'x'; export type { B } from './b.ts'`, ['x', './b.ts']],
  [`await import('x')`, ['x']],
  [`await import(/* why */ 'x')`, ['x']],
  [`let a: import('x').A`, ['x']],
  [`await import(name)`, [undefined]],
  [`const fs = require('node:fs'), name = require(name)`, ['node:fs', undefined]],
  [`process.getBuiltinModule('node:fs')`, ['node:fs']],
  [`const text = "require('x')", required = require.cache`, []],
  [`export { a }\nconst from = 'x'`, []],
  [`export { a }\nimport b from 'x'`, ['x']],
  [`export const a = 1, from = 'x'`, []],
  [`export type A = { from: 'x' }`, []],
  [`export default from`, []],
  [`import.meta.url\nimport b from 'x'`, ['x']],
  [`// import 'x'\n/* import 'y' */ const a = "import 'z'"`, []],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of one
  ['const a = `import "x" ${await import("y")}`', ['y']],
])('%j imports %j', (source, expected) => {
  expect(specifiers(source)).toEqual(expected)
})

test('an import has the line on which it starts', () => {
  expect(findImports(`\nimport {\n  a,\n} from 'x'\n\nimport 'y'`)).toEqual([
    { specifier: 'x', line: 2 },
    { specifier: 'y', line: 6 },
  ])
})
