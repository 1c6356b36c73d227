/** Tests that mistakes in the dictionary of the proposal are found. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseDictionary } from '#contents/masking/propose/dictionary'

const file = 'src/contents/masking/propose/dictionary.yml'
const text = readFileSync(file, 'utf8')
const withLine = (after: string, line: string) => text.replace(`\n${after}\n`, `\n${after}\n${line}\n`)

it.each([
  ['an unknown topic of columns', withLine('columns:', '  shoeSize: [shoe]'), /shoeSize/],
  ['an unknown topic of tables', withLine('tables:', '  shoes: [shoe]'), /shoes/],
  ['an unknown section', `${text}\nrows: {}\n`, /rows/],
  ['an unknown place of words', withLine('columns:', '  shoe: { begins: [a] }'), /shoe/],
  ['a missing topic', text.replace('\n  birth:\n', '\n  other:\n'), /birth/],
  ['an unknown group', withLine('  email:', '    - <shoes>_mail'), /<shoes>_mail names an unknown group/],
])('finds %s', (_, changed, message) => {
  expect(changed).not.toBe(text)
  expect(() => parseDictionary(changed)).toThrow(message)
})

it('matches words at the end of a name, anywhere, or alone', () => {
  const { columns } = parseDictionary(text)
  expect(columns.get('zip')?.test('home_zip')).toBe(true)
  expect(columns.get('zip')?.test('zip_home')).toBe(false)
  expect(columns.get('birth')?.test('birth_place')).toBe(true)
  expect(columns.get('ownNumber')?.test('number')).toBe(true)
  expect(columns.get('bareName')?.test('file_name')).toBe(false)
})

it('has lines that fit into an editor', () => {
  expect(text.split('\n').filter(line => line.length > 120)).toEqual([])
})
