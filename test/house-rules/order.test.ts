/** Tests that names are defined above their uses. */
import type { ESTree } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { lineAt, visitSource } from '../support/parse-source.ts'
import { readSources } from './read-sources.ts'

/** The names that a statement of a file declares for that file alone, types apart. */
function ownNames(statement: ESTree.Statement | ESTree.Directive | ESTree.ModuleDeclaration): string[] {
  if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration')
    return statement.id === null ? [] : [statement.id.name]
  if (statement.type !== 'VariableDeclaration') return []
  return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
}

/** One sentence for each private name that is used above its definition. */
function findUpsideDown(file: string, source: string): string[] {
  const properties = new Set<number>()
  const uses: { name: string; start: number }[] = []
  const places = new Map<string, number>()
  visitSource(source, {
    Program: ({ body }) => {
      for (const one of body) for (const name of ownNames(one)) places.set(name, one.start)
    },
    MemberExpression: ({ property, computed }) => !computed && properties.add(property.start),
    Property: ({ key, shorthand }) => !shorthand && properties.add(key.start),
    TSPropertySignature: ({ key }) => properties.add(key.start),
    PropertyDefinition: ({ key }) => properties.add(key.start),
    Identifier: use => uses.push(use),
  })
  const early = uses.filter(({ name, start }) => start < (places.get(name) ?? 0) && !properties.has(start))
  return early.map(
    ({ name, start }) => `${file}:${lineAt(source, start)} uses ${name}, which stands below it`,
  )
}

test('a private name is defined above its uses', () => {
  const sources = [...readSources('{src,emulator}/**/*.ts')]
  expect(sources.flatMap(([file, source]) => findUpsideDown(file, source))).toEqual([])
})

test('a helper below its use is found', () => {
  const source =
    'export const two = () => one()\n\nfunction one() {}\n\nexport const three = { one: two.one }'
  expect(findUpsideDown('src/api/x.ts', source)).toEqual(['src/api/x.ts:1 uses one, which stands below it'])
})
