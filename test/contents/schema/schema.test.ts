/** Tests the validation of stored schemas and the diff of texts. */
import { expect, it, test } from 'vitest'
import { diffLines } from '#contents/schema/describe-object'
import { schemaSchema } from '#contents/schema/schema'

const table = { kind: 'table', id: 'r1', of: 'n1', name: 'orders', has: {} }
const isSchema = (value: unknown) => schemaSchema.safeParse(value).success
const schemaOf = (...objects: unknown[]) => ({ grants: false, objects })

it('accepts a schema', () => {
  expect(isSchema(schemaOf({ kind: 'schema', id: 'n1', name: 'public', has: {} }, table))).toBe(true)
})

test.each([
  ['nothing', undefined],
  ['a text', 'x'],
  ['no list', { grants: false, objects: {} }],
  ['no rights', { objects: [] }],
  ['an object without a name', schemaOf({ ...table, name: undefined })],
  ['a property that is no text', schemaOf({ ...table, has: { type: 1 } })],
  ['an object that is part of itself', schemaOf({ ...table, of: 'r1' })],
  ['two that are part of each other', schemaOf({ ...table, of: 'r2' }, { ...table, id: 'r2', of: 'r1' })],
])('refuses %s as a schema', (_, value) => {
  expect(isSchema(value)).toBe(false)
})

test.each([
  ['a\nb\nc', 'a\nc', ['-b']],
  ['a\nc', 'a\nb\nc', ['+b']],
  ['a\nb\nc\nd', 'b\nx\nd', ['-a', '-c', '+x']],
  ['a', 'a', []],
])('finds the different lines of %j and %j: %j', (before, after, expected) => {
  expect(diffLines(before, after).map(({ sign, line }) => sign + line)).toEqual(expected)
})

it('shows texts that are too long to compare as a whole', () => {
  const text = (letter: string) => Array.from({ length: 1001 }, (_, index) => letter + index).join('\n')
  expect(diffLines(text('a'), text('b'))).toHaveLength(2002)
})
