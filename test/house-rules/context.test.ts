/** Tests that only operations take the whole context: any other function takes the slices that it uses. */
import { expect, test } from 'vitest'
import { lineAt, visitSource } from '../support/parse-source.ts'
import { readSources } from './read-sources.ts'

/** The layers of operations, and of their surroundings, which prepare the whole context. */
const permitted = [
  'src/action/',
  'src/operations/endpoint-operation.ts',
  'src/preview/operations/',
  ...['by-event', 'prune/prune'].map(name => `src/preview/${name}.ts`),
  ...['operations-on-demand', 'run-sql', 'schema-diff', 'rehearse-migration'].map(
    name => `src/database/${name}.ts`,
  ),
]

/** The places in a source where a parameter, a property or a result is the whole context. */
function findWhole(file: string, source: string): string[] {
  const found: string[] = []
  visitSource(source, {
    TSTypeAnnotation({ typeAnnotation: { start, end } }) {
      if (!/^(Preview|Database)?Context\b/.test(source.slice(start, end))) return
      found.push(`${file}:${lineAt(source, start)} has the whole context: name the slices that it uses`)
    },
  })
  return found
}

const found = [...readSources('src/**/*.ts')].flatMap(([file, source]) => findWhole(file, source))

test('only operations take the whole context', () => {
  expect(found.filter(place => !permitted.some(layer => place.startsWith(layer)))).toEqual([])
})

test('each layer that may take the whole context does so', () => {
  expect(permitted.filter(layer => !found.some(place => place.startsWith(layer)))).toEqual([])
})

test.each([
  'async function read(context: Context) {}',
  'const read = ({ log }: PreviewContext, id: string) => log',
  'class Reader { readonly #context: Context }',
  'type Run = (context: DatabaseContext) => void',
  'type Run = (context: PreviewContext & Calls) => void',
])('finds the whole context in `%s`', source => {
  expect(findWhole('src/x.ts', `\n${source}`)).toEqual([
    'src/x.ts:2 has the whole context: name the slices that it uses',
  ])
})

test.each([
  'function read({ log }: Pick<Context, "log">) {}',
  'function read(context: Calls & Databases) {}',
  '// context: Context',
])('finds no whole context in `%s`', source => expect(findWhole('src/x.ts', source)).toEqual([]))
