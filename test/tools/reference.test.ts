import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { fieldDescriptions } from '../../src/api/fields.ts'
import { updateReference } from '../../tools/reference/reference.ts'

const root = resolve(import.meta.dirname, '../..')

let copy: string
const read = (name: string) => readFileSync(join(copy, name), 'utf8')
const change = (name: string, from: RegExp | string, to: string) =>
  writeFileSync(join(copy, name), read(name).replace(from, to))

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'reference-'))
  mkdirSync(join(copy, 'preview'))
  for (const name of ['action.yml', 'preview/action.yml', 'README.md'])
    writeFileSync(join(copy, name), readFileSync(join(root, name)))
  // Whether the committed files are stale is not the question here.
  updateReference(copy, { check: false })
})

afterEach(() => {
  rmSync(copy, { recursive: true, force: true })
})

test('a stale block is named, and written anew', () => {
  const fresh = read('README.md')
  change('README.md', '| `cidr` |', '| `cider` |')
  expect(updateReference(copy, { check: true })).toEqual(['README.md is stale; run: npm run reference'])
  expect(read('README.md')).toContain('| `cider` |')
  expect(updateReference(copy, { check: false })).toEqual([])
  expect(read('README.md')).toBe(fresh)
})

test('an input without a description is named, with the place where it belongs', () => {
  const { cidr } = fieldDescriptions
  delete fieldDescriptions.cidr
  onTestFinished(() => {
    fieldDescriptions.cidr = cidr ?? ''
  })
  const problem = 'the input cidr has no description: add one to fieldDescriptions in src/api/fields.ts'
  expect(updateReference(copy, { check: true })).toEqual([
    `action.yml cannot be written: ${problem}`,
    `preview/action.yml cannot be written: ${problem}`,
    `README.md cannot be written: ${problem}`,
  ])
})

test('markers that are lost are named', () => {
  change('action.yml', /.*END outputs.*\n/, '')
  expect(updateReference(copy, { check: true })).toEqual([
    'action.yml cannot be written: there are no lines "BEGIN outputs (generated …)" and "END outputs" in this order: put them back as comments',
  ])
})
