/** Tests how a file of masking rules is read, and the place in each error. */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LineCounter, parseAllDocuments } from 'yaml'
import { textOptions } from '#contents/masking/plan/read-yaml'
import { kindsWithoutArgument } from '#contents/masking/plan/rules'
import { parse } from './support/database.ts'

const messageOf = (text: string): string => {
  try {
    parse(text)
  } catch (error) {
    return (error as Error).message
  }
  return 'no error'
}

describe('a file of rules', () => {
  it('is read as text, without flags, numbers or dates', () => {
    const { tables } = parse(`# comment
public.people:
  no: keep
  2026-01-01: null
  "null": "null"
  tilde: ~
  answer: { fixed: 007 }
  born: { sql: "date_trunc('year', born)" }
'tenant_*.people':
  name: name
'"The.schema"."a ""table"""': drop_rows
`)
    expect(
      tables.map(({ schema, table, dropRows, columns }) => ({
        ...{ schema, table, dropRows },
        columns: columns.map(({ column, rule }) => [column, ...Object.values(rule)].join(' ')),
      })),
    ).toEqual([
      {
        ...{ schema: 'public', table: 'people', dropRows: false },
        columns: [
          ...['no keep', '2026-01-01 null', 'null null', 'tilde null', 'answer fixed 007'],
          "born sql date_trunc('year', born)",
        ],
      },
      { schema: 'tenant_*', table: 'people', dropRows: false, columns: ['name name'] },
      { schema: 'The.schema', table: 'a "table"', dropRows: true, columns: [] },
    ])
  })

  it.each([
    ['a: [b', 'masking.yml:1:6: Flow sequence in block collection must be sufficiently indented and end'],
    ['a.b:\n\tc: keep', 'masking.yml:2:1: Tabs are not allowed as indentation'],
    ['', 'masking.yml:1:1: the file has no rules'],
    ['# public.people:\n', 'masking.yml:1:1: the file has no rules'],
    ['--- {}\n--- {}\n', 'masking.yml:1:1: there must be one document'],
    [
      '- public.people',
      'masking.yml:1:1: expected a mapping of tables to rules, like `public.people: { email: email }`',
    ],
    [
      'people: drop_rows',
      'masking.yml:1:1: people is not a table; expected schema.table, like public.people',
    ],
    ['a.b.c: drop_rows', 'masking.yml:1:1: a.b.c is not a table; expected schema.table, like public.people'],
    ['a.b: keep', 'masking.yml:1:1: a.b: expected drop_rows, or a rule for each column'],
    ['a.b: !!set { c: keep }', 'masking.yml:1:1: a.b: expected drop_rows, or a rule for each column'],
    ['a.b: { c: keep }\na.b: { d: keep }', 'masking.yml:2:1: a.b is a duplicate'],
    ['a.b: { c: keep }\na.b?: { d: keep }', 'masking.yml:2:1: a.b is a duplicate'],
    ['a.b: { c: keep, c?: text }', 'masking.yml:1:17: c is a duplicate'],
    ['a.b: &x { c: keep }\nd.e: *x', 'masking.yml:2:1: d.e: expected drop_rows, or a rule for each column'],
    [
      'a.b:\n  é: keep\n  c: emial',
      `masking.yml:3:6: a.b.c: emial is not a rule (did you mean email?); expected ${kindsWithoutArgument[0]},`,
    ],
    ['a.b:\n  c: drop_rows', 'masking.yml:2:6: a.b.c: drop_rows is a rule for a table, not for a column'],
    ['a.b:\n  c:\n  d: keep', `masking.yml:2:3: a.b.c: no rule; expected ${kindsWithoutArgument[0]},`],
    ['a.b: { c: { fixed: a, sql: b } }', `masking.yml:1:11: a.b.c: expected ${kindsWithoutArgument[0]},`],
    ['a.b:\n  c: !!str name', `masking.yml:2:12: a.b.c: expected ${kindsWithoutArgument[0]},`],
    ['? [a.b]\n: drop_rows', 'masking.yml:1:3: a key must be a name'],
    ['a.b: { c: { fixed: [a] } }', `masking.yml:1:11: a.b.c: expected ${kindsWithoutArgument[0]},`],
    ['a.b: { newer_than: 90 dayz }', 'a.b: newer_than: expected a length of time, like 90 days'],
    ['a.b: { newer_than: 0 days }', 'a.b: newer_than: expected a length of time, like 90 days'],
    ['a.b: { newer_than: -3 days }', 'a.b: newer_than: expected a length of time, like 90 days'],
    ['a.b: { newer_than: days }', 'a.b.newer_than: days is not a rule'],
    ['a.b: { c: fixed }', 'a.b.c: fixed needs a text: write { fixed: text }'],
    ['a.b: { c: { sql: " " } }', 'a.b.c: sql needs an expression: write { sql: expression }'],
    ['a.b: { c: sql }', 'a.b.c: sql needs an expression: write { sql: expression }'],
    ['a.b: { c: json }', 'a.b.c: json needs a mapping: write { json: mapping }'],
    ['a.b: { c: { json: text } }', 'a.b.c: json needs a mapping: write { json: mapping }'],
    ['a.b: { c: { json: { d: text } } }', 'a.b.c: json needs a rule for all other paths: add "*": text'],
    ['a.b: { c: { json: { d: x, "*": keep } } }', 'a.b.c: d: x is not a rule'],
    [
      'a.b: { c: { json: { d: date, "*": keep } } }',
      `a.b.c: d: date is not a rule for a part of JSON; expected one of ${kindsWithoutArgument[0]},`,
    ],
    ['a.b: { c: x, d: y }', 'a.b.c: x is not a rule'],
    ['a.b: { c: x, d: y }', '; masking.yml:1:17: a.b.d: y is not a rule'],
  ])('reports the place of a problem: %j', (text, message) => {
    expect(messageOf(text)).toContain(message)
  })

  it.each([
    ['90 days', '90 days', 1],
    ['1 month', '1 month', 1],
    ['1000000', '1000000', 1],
    ['keep', undefined, 2],
  ])('can have newer_than: %s as the rule of a table, or of a column', (text, newerThan, columns) => {
    const [table] = parse(`a.b: { newer_than: ${text}, c: keep }`).tables
    expect(table?.newerThan).toBe(newerThan)
    expect(table?.columns).toHaveLength(columns)
  })

  it('is refused if it is nested too deeply', () => {
    expect(messageOf('['.repeat(5000))).toMatch(/^masking\.yml:1:\d+: /)
  })
})

describe('the parser in the bundle', () => {
  const bundled = createRequire(import.meta.url)('../../../dist/yaml.js') as {
    parseAllDocuments: typeof parseAllDocuments
    LineCounter: typeof LineCounter
  }
  const read = (parse: typeof parseAllDocuments, text: string) =>
    [...parse(text, textOptions)].map(({ contents, errors }) => ({
      contents,
      errors: errors.map(({ message, pos }) => [message, ...pos]),
    }))
  const expectSame = (text: string) => {
    expect(read(bundled.parseAllDocuments, text)).toEqual(read(parseAllDocuments, text))
  }

  it('has each name that the action imports, and counts lines', () => {
    const root = resolve(import.meta.dirname, '../../../src')
    const imported = globSync('**/*.ts', { cwd: root }).flatMap(path => {
      const [, names = ''] =
        /import \{([^}]*)\} from 'yaml'/.exec(readFileSync(resolve(root, path), 'utf8')) ?? []
      return names.split(',').flatMap(name => (/^\s*type /.test(name) ? [] : name.trim()))
    })
    expect(Object.keys(bundled)).toEqual(expect.arrayContaining(imported.filter(name => name !== '')))
    const lineCounter = new bundled.LineCounter()
    bundled.parseAllDocuments('a: 1\nb: 2\n', { ...textOptions, lineCounter })
    expect(lineCounter.linePos(6)).toEqual({ line: 2, col: 2 })
  })

  it('reads the workflows of the project as the whole package does', () => {
    const root = resolve(import.meta.dirname, '../../..')
    const paths = globSync(['action.yml', '.github/**/*.yml', 'examples/**/*.yml'], { cwd: root })
    expect(paths.length).toBeGreaterThan(5)
    for (const path of paths) expectSame(readFileSync(resolve(root, path), 'utf8'))
  })

  it('reads any text as the whole package does', () => {
    const parts = fc.constantFrom(
      ...['a', 'b', '1', 'null', '~', '<<', 'é', '\\n', ' ', '  ', '\n', '\n  ', '\t', ': ', '? ', '- '],
      ...['[', ']', '{', '}', ', ', '"', "'", '|\n', '>-\n'],
      ...['# ', '&a ', '*a', '!t ', '!!int ', '---\n', '...\n'],
      '%YAML 1.1\n',
    )
    fc.assert(fc.property(fc.array(parts, { maxLength: 30 }), texts => expectSame(texts.join(''))))
  })
})
