/** Checks that the documents refer only to files, headings, tests and messages that exist. */
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findBrokenLinks, findMissingTests, findUnknownMessages } from './check-documents.ts'
import { readSources } from './read-sources.ts'

const root = resolve(import.meta.dirname, '../..')
const documents = new Map([...readSources('*.md'), ...readSources('{docs,test}/**/*.md')])

test.each([...documents])('every link of %s leads to a file and a heading', (path, text) => {
  expect(findBrokenLinks(path, text, documents, root)).toEqual([])
})

test('every guarantee names a test and its title, and both exist', () => {
  const path = 'docs/internals/guarantees.md'
  const page = documents.get(path) ?? ''
  const sections = page.split('\n## ').slice(1)
  expect(sections.filter(section => !/^Tests: \[.*\.test\.ts\)\s`/ms.test(section))).toEqual([])
  expect(findMissingTests(path, page, readSources('test/**/*.test.ts'))).toEqual([])
})

test('every message that the page on troubleshooting explains is in the code', () => {
  const page = documents.get('docs/troubleshooting.md') ?? ''
  expect(findUnknownMessages(page, readSources('{src,emulator}/**/*.ts'))).toEqual([])
})

test('Vale finds every word that the glossary avoids', () => {
  const rows = [...(documents.get('docs/internals/glossary.md') ?? '').matchAll(/^\|.*\| ([^|]+) \|$/gm)]
  const avoided = rows
    .flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '))
    .filter(word => /^[a-z]/.test(word))
  const [terms = ''] = readSources('.github/vale/Project/Terms.yml').values()
  const { swap } = parse(terms) as { swap: Record<string, string> }
  const found = Object.keys(swap).map(pattern => new RegExp(`^(?:${pattern})$`, 'i'))
  expect(avoided).toContain('twin')
  expect(avoided.filter(word => word !== 'avoid' && !found.some(pattern => pattern.test(word)))).toEqual([])
})

describe('the check finds', () => {
  test.each([
    '[a](test/no-such.test.ts)',
    '[guard.ts](src/preview/base/name.ts)',
    '[a](README.md#no-such-heading)',
    '[a](#no-such-heading)',
  ])('the broken link %s', link => {
    const text = `${link} [guard.ts](src/preview/base/guard.ts)`
    expect(findBrokenLinks('SECURITY.md', text, documents, root)).toEqual([link])
  })

  test('a title that its test does not have', () => {
    const tests = new Map([['test/a.test.ts', "test('works', () => {})"]])
    const text = '[a.test.ts](../test/a.test.ts) `works`, [a.test.ts](../test/a.test.ts)\n`fails`'
    expect(findMissingTests('docs/x.md', text, tests)).toEqual(['test/a.test.ts: fails'])
  })

  test('a message that the code does not have', () => {
    const page = '- `the server … is not there`: b\n- `it was lost`: c\n- `the server is odd`: d\n'
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a source file
    const sources = new Map([['src/a.ts', "fail(`the server ${name} is not there`, 'it was ' +\n  'lost')"]])
    expect(findUnknownMessages(page, sources)).toEqual(['the server is odd'])
  })
})
