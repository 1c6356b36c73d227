/** Tests that code reads the setting of every input: an input without effect is worse than none. */
import { expect, test } from 'vitest'
import { ownInputs } from '#action/inputs/input-table'
import { fieldInputs } from '#api/field-table'
import { limits } from '#contents/rehearsal/result/limits'
import { settingName } from '#operations/base/input-row'
import { visitSource } from '../support/parse-source.ts'
import { readSources } from './read-sources.ts'

/** The properties that a source reads: `x.name`, and `{ name }` in a pattern. Comments, texts and types do not count. */
function propertiesIn(source: string): string[] {
  const read: string[] = []
  visitSource(source, {
    MemberExpression({ property }) {
      if (property.type === 'Identifier') read.push(property.name)
    },
    ObjectPattern({ properties }) {
      for (const one of properties)
        if (one.type === 'Property' && one.key.type === 'Identifier') read.push(one.key.name)
    },
  })
  return read
}

test('the setting of every input is read', () => {
  const sources = [...readSources('src/**/*.ts')].map(([, source]) => source)
  const read = new Set(sources.flatMap(propertiesIn))
  // Each limit has a check, or the table of checks does not compile.
  const rows = Object.entries(ownInputs).filter(([name]) => !(name in limits))
  const unused = rows.filter(([name, row]) => !read.has(settingName(name, row)))
  expect(
    unused.map(([name]) => name),
    'read the setting where it takes effect',
  ).toEqual([])
})

test('a setting in a comment, a text or a type is not read', () => {
  const source = `/** owner */ const a: Pick<S, 'owner'> = { owner: 'owner' }; const { one: two } = b.three`
  expect(propertiesIn(source)).toEqual(['one', 'three'])
})

test('a field of the API has a name of its own', () => {
  const taken = Object.keys(fieldInputs).filter(name => name in ownInputs)
  expect(
    taken,
    'the row of the field would replace the input of this name: first let endpoint-operation.ts and read-inputs.ts give the field another input',
  ).toEqual([])
})
