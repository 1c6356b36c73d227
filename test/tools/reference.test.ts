import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { parseField } from '../../src/action/field-text.ts'
import type { InputDefinition } from '../../src/action/input-definition.ts'
import { actionInputs } from '../../src/action/input-table.ts'
import { operations } from '../../src/action/operation-table.ts'
import { fieldDescriptions } from '../../src/api/fields.ts'
import { examples } from '../../tools/reference/examples.ts'
import { checkGroups, inputGroups } from '../../tools/reference/groups.ts'
import { updateReference } from '../../tools/reference/reference.ts'

const root = resolve(import.meta.dirname, '../..')

const workflows = ['.github/workflows/preview.yml', '.github/workflows/prune-previews.yml']
const sources = ['action.yml', 'preview/action.yml', 'docs/reference.md', 'package.json', ...workflows]

let copy: string
const read = (name: string) => readFileSync(join(copy, name), 'utf8')
const change = (name: string, from: RegExp | string, to: string) =>
  writeFileSync(join(copy, name), read(name).replace(from, to))

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'reference-'))
  for (const folder of ['preview', 'docs', '.github/workflows'])
    mkdirSync(join(copy, folder), { recursive: true })
  for (const name of sources) writeFileSync(join(copy, name), readFileSync(join(root, name)))
  // Whether the committed files are stale is not the question here.
  updateReference(copy, { check: false })
})

afterEach(() => {
  rmSync(copy, { recursive: true, force: true })
})

test('a stale block is named, and written anew', () => {
  const fresh = read('docs/reference.md')
  change('docs/reference.md', '| `cidr` |', '| `cider` |')
  expect(updateReference(copy, { check: true })).toEqual([
    'docs/reference.md is stale; run: npm run reference',
  ])
  expect(read('docs/reference.md')).toContain('| `cider` |')
  expect(updateReference(copy, { check: false })).toEqual([])
  expect(read('docs/reference.md')).toBe(fresh)
})

test('an input without a description is named, with the place where it belongs', () => {
  const { cidr } = fieldDescriptions
  delete fieldDescriptions.cidr
  onTestFinished(() => {
    fieldDescriptions.cidr = cidr ?? ''
  })
  const problem = 'the input cidr has no description: add one to fieldDescriptions in src/api/fields.ts'
  expect(updateReference(copy, { check: true }).sort()).toEqual([
    ...workflows.map(name => `${name} cannot be written: ${problem}`),
    `action.yml cannot be written: ${problem}`,
    `docs/operations.json cannot be written: ${problem}`,
    `docs/reference.md cannot be written: ${problem}`,
    `preview/action.yml cannot be written: ${problem}`,
  ])
})

test('an input without an example is named, with the place where it belongs', () => {
  const { cidr } = examples
  delete examples.cidr
  onTestFinished(() => {
    examples.cidr = cidr
  })
  expect(updateReference(copy, { check: true })).toContain(
    'docs/reference.md cannot be written: the input cidr has no example: add one to tools/reference/examples.ts',
  )
})

test('markers that are lost are named', () => {
  change('action.yml', /.*END outputs.*\n/, '')
  expect(updateReference(copy, { check: true })).toEqual([
    'action.yml cannot be written: there are no lines "BEGIN outputs (generated …)" and "END outputs" in this order: put them back as comments',
  ])
})

/** How the action reads an input: by its own definition, or by the schema of some operation that takes it. */
function readings(name: string, text: string): object[] {
  const own: InputDefinition<unknown> | undefined = new Map(Object.entries(actionInputs)).get(name)
  if (own) return [own.parse(text)]
  const schemas = [...operations.values()].flatMap(({ fields }) => fields[name] ?? [])
  return schemas.map(schema => parseField(schema, text))
}

const texts = Object.entries(examples).flatMap(([name, text]) =>
  text === undefined || text.startsWith('${') ? [] : [[name, text] as const],
)

test.each(texts)('the example of %s, %j, is one that the action takes', (name, text) => {
  expect(readings(name, text)).toContainEqual({ value: expect.anything() })
})

test('an example is of an input that there is', () => {
  const names = inputGroups.flatMap(group => group.names)
  expect(Object.keys(examples).filter(name => !names.includes(name))).toEqual([])
})

test.each([
  [['a', 'b', 'c'], 'the input c is in no group: add it to tools/reference/groups.ts'],
  [['a'], 'the input b of tools/reference/groups.ts does not exist or is there twice: take it out'],
])('the groups of %j are checked', (names, problem) => {
  const groups = [{ title: 'A', about: 'All.', names: ['a', 'b'] }]
  expect(() => checkGroups('input', groups, names)).toThrow(problem)
})
