/** Tests the generated reference. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { parseField } from '#action/inputs/field-text'
import { inputTable, ownInputs } from '#action/inputs/input-table'
import { operations } from '#action/inputs/operation-table'
import type { Operation } from '#operations/base/operation'
import { inputEntries } from '../../tools/reference/input-entries.ts'
import { updateReference } from '../../tools/reference/reference.ts'
import { useWorkspace } from '../support/workspace.ts'

const root = resolve(import.meta.dirname, '../..')

const workflows = [
  '.github/workflows/preview.yml',
  '.github/workflows/prune-previews.yml',
  '.github/workflows/masked-parent.yml',
]
const doors = ['preview/action.yml', 'database/action.yml']
const pages = ['reference', 'masking', 'migrations'].map(name => `docs/${name}.md`)
const sources = ['action.yml', ...doors, ...pages, 'package.json', ...workflows]

describe('generated blocks', () => {
  const { path: copy, write, empty } = useWorkspace()
  const read = (name: string) => readFileSync(join(copy, name), 'utf8')
  const change = (name: string, from: RegExp | string, to: string) =>
    write({ [name]: read(name).replace(from, to) })

  beforeEach(() => {
    empty()
    write(Object.fromEntries(sources.map(name => [name, readFileSync(join(root, name))])))
    // Whether the committed files are stale is not the question here.
    updateReference(copy, { check: false })
  })

  test('are named if they are stale, and written again', () => {
    const fresh = read('docs/reference.md')
    change('docs/reference.md', '- `cidr`:', '- `cider`:')
    expect(updateReference(copy, { check: true })).toEqual([
      'docs/reference.md is stale; run: npm run reference',
    ])
    expect(read('docs/reference.md')).toContain('- `cider`:')
    expect(updateReference(copy, { check: false })).toEqual([])
    expect(read('docs/reference.md')).toBe(fresh)
  })

  test('are named if their markers are lost', () => {
    change('action.yml', /.*END outputs.*\n/, '')
    expect(() => updateReference(copy, { check: true })).toThrow(
      'action.yml cannot be written: there are no lines "BEGIN outputs (generated …)" and "END outputs" in this order: put them back as comments',
    )
  })
})

/** How the action reads an input: by its own row, or by the schema of some operation that takes it. */
function readings(name: string, text: string): object[] {
  const own = ownInputs[name]
  if (own) return [own.parse(text)]
  const schemas = [...operations.values()].flatMap(({ fields }) => fields[name] ?? [])
  return schemas.map(schema => parseField(schema, text))
}

const examples = Object.entries(inputTable).flatMap(([name, { example }]) =>
  example === undefined || example.startsWith('${') ? [] : [[name, example] as const],
)

test.each(examples)('the example of %s, %j, is accepted by the action', (name, text) => {
  expect(readings(name, text)).toContainEqual({ value: expect.anything() })
})

const defaults = [...operations.values()].flatMap(operation =>
  Object.entries(ownInputs).flatMap(([name, row]) => {
    const text = operation.defaults?.[name] ?? row.default
    return text === undefined ? [] : [`${name}: ${text}`]
  }),
)

test.each([...new Set(defaults)])('the default %s is accepted by the action', default_ => {
  const [name = '', text = ''] = default_.split(': ')
  expect(readings(name, text)).toEqual([{ value: expect.anything() }])
})

test('every input of an operation has a row', () => {
  const taken = [...operations.values()].flatMap(({ inputs }) => inputs)
  expect(taken.filter(name => !(name in inputTable))).toEqual([])
})

test.each<[string, Operation[], string]>([
  [
    'of all operations',
    [...operations.values()],
    '30m for create, fork-service, delete, previews, get-connection, run-sql and schema-diff, 6h for create-masked-parent, 2h for rehearse-migration, else 10m',
  ],
  ['of one', [...operations.values()].filter(({ name }) => name === 'get-connection'), '30m'],
])('the default in the reference is that of %s', (_, among, text) => {
  expect(inputEntries(among).find(({ name }) => name === 'wait_timeout')?.default).toBe(text)
})
